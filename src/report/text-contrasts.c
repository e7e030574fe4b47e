/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparisons with the baseline: effect, interval, and for primary metrics the verdict. */
#include "report/text.h"

#include <math.h>

#include "report/clean.h"
#include "report/judge.h"
#include "report/strata.h"
#include "report/table.h"
#include "stats/power.h"

#define MOST_OTHERS 40 /* rows of metrics without verdict */
#define MOST_NOTES 8

static bool same_group(const struct contrast *a, const struct contrast *b)
{
	return a->metric == b->metric && streq(a->labels, b->labels);
}

static void add_group(struct table *table, const struct text *t, const struct contrast *c)
{
	const struct metric *m = &t->analysis->record->metrics[c->metric];
	struct scale scale = t->scales[c->metric];
	_cleanup_free_ char *labels = text_labels(c->labels), *words = NULL;

	if (asprintf(&words, "%s%s%s%s%s", m->name, *scale.unit ? " in " : "", scale.unit,
		     labels && *labels ? ", " : "", labels ? labels : "") < 0)
		words = NULL;
	table_heading(table, words ? words : m->name);
}

static enum tint verdict_tint(const char *verdict)
{
	if (streq(verdict, "better"))
		return TINT_GOOD;
	if (streq(verdict, "worse"))
		return TINT_BAD;
	return streq(verdict, "inconclusive") ? TINT_DOUBTFUL : TINT_NONE;
}

static void write_margin(const struct scale *scale, bool ratio, double margin, char *buf,
			 size_t size)
{
	double x = margin * scale->factor;
	const char *unit = scale->unit;

	if (ratio) {
		snprintf(buf, size, "%.3g %%", margin * 100);
		return;
	}
	if (streq(unit, "%") || streq(unit, "points"))
		unit = fabs(x) == 1 ? "point" : "points";
	snprintf(buf, size, "%.3g%s%s", x, *unit ? " " : "", unit);
}

static void add_verdict(struct table *table, const struct judged *j, const struct scale *scale,
			bool ratio)
{
	char margin[48], words[96];

	if (!j->verdict)
		return;
	write_margin(scale, ratio, j->margin, margin, sizeof(margin));
	if (streq(j->verdict, "same"))
		snprintf(words, sizeof(words), "same within %s", margin);
	else
		snprintf(words, sizeof(words), "%s%s", j->verdict, j->small ? " (small)" : "");
	table_cell(table, verdict_tint(j->verdict), words);
}

static void add_contrast(struct table *table, const struct text *t, const struct contrast *c)
{
	const struct analysis *a = t->analysis;
	const struct cell *base = cell_find(a, c->metric, c->labels, c->base),
			  *new = cell_find(a, c->metric, c->labels, c->new);
	struct scale scale = t->scales[c->metric];
	bool ratio = a->record->metrics[c->metric].effect == EFFECT_RATIO;
	const struct judged *j = &c->result;
	char buf[64];

	table_cell(table, TINT_NONE, text_configuration(a->record, c->new));
	table_cell(table, TINT_NONE, scale_number(&scale, base ? base->runs.median : NAN, buf, 32));
	table_cell(table, TINT_NONE, scale_number(&scale, new ? new->runs.median : NAN, buf, 32));
	table_cell(table, TINT_NONE, scale_effect(&scale, ratio, j->effect, buf, 32));
	table_cell(table, TINT_NONE,
		   scale_effect_interval(&scale, ratio, j->low, j->high, buf, sizeof(buf)));
	table_cell(table, TINT_NONE, scale_p(j->p_adjusted, buf, 32));
	snprintf(buf, sizeof(buf), "%zu", j->blocks);
	table_cell(table, TINT_NONE, buf);
	add_verdict(table, j, &scale, ratio);
}

static bool is_primary(const struct contrast *c)
{
	return c->result.verdict != NULL;
}

static size_t print_table(const struct text *t, bool primary, size_t most)
{
	static const char *const heads[] = { "<configuration", "base", "new",    "effect",
					     "95 % interval",  "p",    "blocks", "<verdict" };
	size_t n = primary ? ARRAY_SIZE(heads) : ARRAY_SIZE(heads) - 1, rows = 0, left_out = 0;
	const struct contrast *last = NULL;
	_cleanup_table_ struct table table = { 0 };

	table_init(&table, heads, n, 1);
	table.indent = 1;
	for (size_t i = 0; i < t->analysis->n_contrasts; i++) {
		const struct contrast *c = &t->analysis->contrasts[i];

		if (is_primary(c) != primary)
			continue;
		if (rows++ >= most) {
			left_out++;
			continue;
		}
		if (!last || !same_group(last, c))
			add_group(&table, t, c);
		last = c;
		add_contrast(&table, t, c);
	}
	table_print(&table, t->out, &t->style);
	return left_out;
}

/* What an inconclusive comparison could have found, and what it would take. */
static void print_note(const struct text *t, const struct contrast *c, size_t n_primary)
{
	const struct record *x = t->analysis->record;
	const struct metric *m = &x->metrics[c->metric];
	struct scale scale = t->scales[c->metric];
	bool ratio = m->effect == EFFECT_RATIO;
	_cleanup_free_ char *labels = text_labels(c->labels), *words = NULL;
	char reach[128] = "", needed[96] = "", detectable[48], margin[48];

	write_margin(&scale, ratio, c->result.detectable, detectable, sizeof(detectable));
	write_margin(&scale, ratio, c->result.margin, margin, sizeof(margin));
	if (isfinite(c->result.detectable)) {
		snprintf(reach, sizeof(reach),
			 " an effect of %s would have been found (80 %% power)", detectable);
		if (c->result.blocks_needed)
			snprintf(needed, sizeof(needed), "; about %zu blocks for %s",
				 c->result.blocks_needed, margin);
	} else {
		snprintf(reach, sizeof(reach),
			 " too few blocks for better or worse; at least %zu, with %zu comparisons",
			 blocks_minimum(n_primary, JUDGE_ALPHA), n_primary);
	}
	if (asprintf(&words, "%s of %s%s%s:%s%s", m->name, text_configuration(x, c->new),
		     labels && *labels ? ", " : "", labels ? labels : "", reach, needed) < 0)
		words = NULL;
	fprintf(t->out, "  ");
	text_wrapped(t, 4, 2, words ? words : "");
}

static size_t count(const struct analysis *a, bool primary)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_contrasts; i++)
		n += is_primary(&a->contrasts[i]) == primary;
	return n;
}

static void print_notes(const struct text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->analysis->n_contrasts; i++) {
		const struct contrast *c = &t->analysis->contrasts[i];

		if (!is_primary(c) || !streq(c->result.verdict, "inconclusive"))
			continue;
		if (n == 0)
			fprintf(t->out, "\ninconclusive\n");
		if (n++ < MOST_NOTES)
			print_note(t, c, count(t->analysis, true));
	}
	if (n > MOST_NOTES)
		fprintf(t->out, "  and %zu more\n", n - MOST_NOTES);
}

void text_contrasts(const struct text *t)
{
	const struct analysis *a = t->analysis;
	size_t n_primary = count(a, true), n_others = count(a, false), left_out = 0;
	_cleanup_free_ char *words = NULL;

	if (!a->n_contrasts)
		return;
	if (asprintf(&words, "compared with %s, by block%s",
		     text_configuration(a->record, a->record->baseline),
		     n_primary > 1 ? " (p adjusted for all comparisons with a verdict, Holm)"
				   : "") < 0)
		words = NULL;
	fputc('\n', t->out);
	tint_start(t->out, &t->style, TINT_STRONG);
	text_wrapped(t, 2, 0, words ? words : "compared with the baseline");
	tint_end(t->out, &t->style, TINT_STRONG);
	if (n_primary)
		print_table(t, true, SIZE_MAX);
	print_notes(t);
	if (n_others) {
		fprintf(t->out,
			"\nwithout a verdict (p: share of false discoveries, Benjamini-Hochberg)\n");
		left_out = print_table(t, false, t->style.all ? SIZE_MAX : MOST_OTHERS);
	}
	if (left_out)
		fprintf(t->out, "  %zu more are in the JSON form and in the report\n", left_out);
}
