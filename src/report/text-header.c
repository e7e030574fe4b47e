/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>

#include "lib/clock.h"
#include "report/clean.h"
#include "report/scale.h"
#include "report/table.h"
#include "report/value.h"

/* A member of the machine's description as text, "" where there is none. */
static const char *member(json_object *x, const char *key)
{
	json_object *value = NULL;

	if (json_object_is_type(x, json_type_object) && json_object_object_get_ex(x, key, &value) &&
	    value)
		return json_object_get_string(value);
	return "";
}

static json_object *first_policy(json_object *machine)
{
	json_object *policies = NULL;

	if (!json_object_is_type(machine, json_type_object) ||
	    !json_object_object_get_ex(machine, "policies", &policies) ||
	    !json_object_is_type(policies, json_type_array) || !json_object_array_length(policies))
		return NULL;
	return json_object_array_get_idx(policies, 0);
}

static void print_title(const struct text *t)
{
	const struct record *x = t->analysis->record;
	_cleanup_free_ char *words = NULL;
	json_object *machine = value_parsed(x->machine);
	const char *model = member(machine, "cpu_model"), *kernel = member(machine, "kernel"),
		   *driver = member(first_policy(machine), "driver");

	if (asprintf(&words, "%s%s%s%s%s%s%s%s%s%s", x->measurement ? x->measurement : "experiment",
		     x->name ? " \"" : "", x->name ? x->name : "", x->name ? "\"" : "",
		     *model ? " on " : "", model, *kernel ? ", Linux " : "", kernel,
		     *driver ? ", cpufreq driver " : "", driver) < 0)
		words = NULL;
	json_object_put(machine);
	tint_start(t->out, &t->style, TINT_STRONG);
	text_wrapped(t, 2, 0, words ? words : "(out of memory)");
	tint_end(t->out, &t->style, TINT_STRONG);
}

struct reason {
	const char *text;
	size_t n;
};

/* The reasons of discarded attempts with their counts, the most frequent ones not sorted out: the
 * order is that of the first time. */
static int count_reasons(const struct record *x, struct reason **ret, size_t *ret_n)
{
	*ret = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < x->n_discards; i++) {
		const char *text =
			x->discards[i].reason ? x->discards[i].reason : "no reason given";
		size_t j = 0;

		while (j < *ret_n && !streq((*ret)[j].text, text))
			j++;
		if (j == *ret_n) {
			struct reason *new = array_add(ret, ret_n, sizeof(*new));

			if (!new)
				return -ENOMEM;
			new->text = text;
		}
		(*ret)[j].n++;
	}
	return 0;
}

#define MOST_REASONS 6

static void write_discards(const struct record *x, FILE *f)
{
	_cleanup_free_ struct reason *reasons = NULL;
	size_t n;

	if (!x->n_discards) {
		fprintf(f, ", none discarded");
		return;
	}
	fprintf(f, ", %zu discarded and repeated", x->n_discards);
	if (count_reasons(x, &reasons, &n) < 0)
		return;
	for (size_t i = 0; i < n && i < MOST_REASONS; i++)
		fprintf(f, "%s%zu %s", i ? "; " : " (", reasons[i].n, reasons[i].text);
	fprintf(f, n > MOST_REASONS ? "; and others)" : ")");
}

static void print_extent(const struct text *t)
{
	const struct record *x = t->analysis->record;
	char started[64], lasted[32];
	char *words = NULL;
	size_t size;
	FILE *f = open_memstream(&words, &size);

	if (!f)
		return;
	wall_format(x->started, started, sizeof(started));
	fprintf(f, "%zu block%s of %zu configuration%s", t->analysis->n_blocks,
		t->analysis->n_blocks == 1 ? "" : "s", x->n_configurations,
		x->n_configurations == 1 ? "" : "s");
	write_discards(x, f);
	fprintf(f, ", seed %llu", (unsigned long long) x->seed);
	if (isfinite(x->started) && x->started > 0)
		fprintf(f, ", %s", started);
	if (x->finished > x->started)
		fprintf(f, ", %s",
			scale_duration(x->finished - x->started, lasted, sizeof(lasted)));
	if (x->id)
		fprintf(f, ", stored as %lld", (long long) x->id);
	fclose(f);
	text_wrapped(t, 2, 0, words ? words : "(out of memory)");
	free(words);
}

void text_header(const struct text *t)
{
	const struct record *x = t->analysis->record;

	if (x->emulated) {
		tint_start(t->out, &t->style, TINT_DOUBTFUL);
		text_wrapped(
			t, 2, 0,
			"Emulated machine: a model, not hardware. What follows shows how the program works, not how "
			"fast any machine is.");
		tint_end(t->out, &t->style, TINT_DOUBTFUL);
	}
	print_title(t);
	print_extent(t);
	if (x->status && !streq(x->status, "finished")) {
		_cleanup_free_ char *words = NULL;

		if (asprintf(
			    &words,
			    "Not complete: it is %s; what follows is from the runs that were finished.",
			    x->status) < 0)
			words = NULL;
		tint_start(t->out, &t->style, TINT_DOUBTFUL);
		text_wrapped(t, 2, 0, words ? words : "Not complete.");
		tint_end(t->out, &t->style, TINT_DOUBTFUL);
	}
}
