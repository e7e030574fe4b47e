/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where it was measured, with which settings, and the command that measures it again. */
#include "report/text.h"

#include "report/clean.h"
#include "report/table.h"
#include "report/value.h"

#define MOST_ITEMS 16 /* of a list of the machine, one line each */
#define LABEL_WIDTH 16

static bool is_scalar(json_object *x)
{
	return x && !json_object_is_type(x, json_type_object) &&
	       !json_object_is_type(x, json_type_array);
}

static void print_pair(const struct text *t, const char *name, const char *value)
{
	_cleanup_free_ char *label = clean_line(name, LABEL_WIDTH);
	size_t width = label ? clean_width(label) : 0;

	fprintf(t->out, "  %s%*s", label ? label : "", (int) (LABEL_WIDTH + 1 - width), "");
	text_wrapped(t, LABEL_WIDTH + 3, LABEL_WIDTH + 3, value);
}

/* `name=value name=value` of the plain members of an object. Allocated; NULL without memory. */
static char *members(json_object *x)
{
	char *words = NULL;
	size_t size;
	FILE *f = open_memstream(&words, &size);
	const char *separator = "";

	if (!f)
		return NULL;
	if (json_object_is_type(x, json_type_object)) {
		json_object_object_foreach(x, key, value)
		{
			if (!value || (json_object_is_type(value, json_type_string) &&
				       !*json_object_get_string(value)))
				continue;
			fprintf(f, "%s%s=%s", separator, key, json_object_get_string(value));
			separator = " ";
		}
	}
	fclose(f);
	return words;
}

/* The plain members that describe an item, without its number and what changes from moment to
 * moment. */
static char *describe_item(json_object *all)
{
	static const char *const left_out[] = { "number", "folder", "tunables_folder",
						"current_khz" };
	json_object *plain = json_object_new_object();
	char *words;

	if (json_object_is_type(all, json_type_object)) {
		json_object_object_foreach(all, key, value)
		{
			bool wanted = is_scalar(value);

			for (size_t i = 0; i < ARRAY_SIZE(left_out); i++)
				wanted = wanted && !streq(key, left_out[i]);
			if (wanted)
				value_add(plain, key, json_object_get(value));
		}
	}
	words = members(plain);
	json_object_put(plain);
	return words;
}

static int item_number(json_object *list, size_t i)
{
	json_object *item = json_object_array_get_idx(list, i), *number = NULL;

	if (json_object_is_type(item, json_type_object) &&
	    json_object_object_get_ex(item, "number", &number))
		return json_object_get_int(number);
	return -1;
}

/* One line for FIRST up to LAST, which are described by the same WORDS. */
static void print_group(const struct text *t, const char *name, json_object *list, size_t first,
			size_t last, const char *words)
{
	_cleanup_free_ char *line = NULL;
	int from = item_number(list, first), to = item_number(list, last), r;

	if (from < 0)
		r = asprintf(&line, "%s%s", words, last > first ? " (several)" : "");
	else if (first == last)
		r = asprintf(&line, "%d: %s", from, words);
	else
		r = asprintf(&line, "%d to %d: %s", from, to, words);
	if (r < 0)
		line = NULL;
	print_pair(t, name, line ? line : "");
}

static void print_items(const struct text *t, const char *name, json_object *list)
{
	size_t n = json_object_array_length(list), lines = 0, last;

	for (size_t i = 0; i < n && lines < MOST_ITEMS; i = last + 1, lines++) {
		_cleanup_free_ char *words = describe_item(json_object_array_get_idx(list, i));
		bool same = words != NULL;

		for (last = i; same && last + 1 < n;) {
			_cleanup_free_ char *next =
				describe_item(json_object_array_get_idx(list, last + 1));

			same = next && streq(words, next);
			last += same;
		}
		print_group(t, lines ? "" : name, list, i, last, words ? words : "");
		if (lines + 1 == MOST_ITEMS && last + 1 < n)
			print_pair(t, "", "...");
	}
}

static void print_machine(const struct text *t)
{
	static const char *const lists[] = { "policies", "cpu_types" };
	json_object *machine = value_parsed(t->analysis->record->machine), *list = NULL;

	if (json_object_is_type(machine, json_type_object)) {
		json_object_object_foreach(machine, key, value)
		{
			if (is_scalar(value))
				print_pair(t, key, json_object_get_string(value));
		}
		for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
			if (json_object_object_get_ex(machine, lists[i], &list) &&
			    json_object_is_type(list, json_type_array))
				print_items(t, lists[i], list);
	}
	json_object_put(machine);
}

static void print_object(const struct text *t, const char *name, const char *json)
{
	json_object *x = value_parsed(json);
	_cleanup_free_ char *words = members(x);

	if (words && *words)
		print_pair(t, name, words);
	json_object_put(x);
}

static void print_configurations(const struct text *t)
{
	const struct record *x = t->analysis->record;

	for (size_t i = 0; i < x->n_configurations; i++) {
		const struct configuration *c = &x->configurations[i];
		json_object *knobs = value_parsed(c->knobs), *options = value_parsed(c->options);
		_cleanup_free_ char *a = members(knobs), *b = members(options), *words = NULL;

		if (asprintf(&words, "%s: %s%s%s%s%s", text_configuration(x, i), a ? a : "",
			     a && *a ? " " : "", b ? b : "", i == x->baseline ? " (baseline)" : "",
			     c->reference ? " (reference)" : "") < 0)
			words = NULL;
		print_pair(t, i ? "" : "configurations", words ? words : "");
		json_object_put(knobs);
		json_object_put(options);
	}
}

/* As a shell reads it (sh(1)). */
static void quote(FILE *f, const char *word)
{
	static const char plain[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";

	if (*word && strspn(word, plain) == strlen(word)) {
		fputs(word, f);
		return;
	}
	fputc('\'', f);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", f);
		else
			fputc(*word, f);
	fputc('\'', f);
}

static void print_command(const struct text *t)
{
	json_object *command = value_parsed(t->analysis->record->command);
	char *words = NULL;
	size_t size;
	FILE *f = open_memstream(&words, &size);

	if (f && json_object_is_type(command, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(command); i++) {
			json_object *word = json_object_array_get_idx(command, i);

			if (i)
				fputc(' ', f);
			quote(f, word ? json_object_get_string(word) : "");
		}
	}
	if (f)
		fclose(f);
	if (words && *words)
		print_pair(t, "command", words);
	free(words);
	json_object_put(command);
}

void text_repeat(const struct text *t)
{
	fputc('\n', t->out);
	tint_start(t->out, &t->style, TINT_STRONG);
	fprintf(t->out, "machine and settings");
	tint_end(t->out, &t->style, TINT_STRONG);
	fputc('\n', t->out);
	print_machine(t);
	print_configurations(t);
	print_object(t, "options", t->analysis->record->options);
	print_object(t, "found before", t->analysis->record->facts);
	print_command(t);
}
