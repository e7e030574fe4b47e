/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values as tables. Driven by the metric table alone: for every stratum one table for each
 * primary metric of the runs, with the primary metrics of whole blocks before it, then the same
 * over iterations, then all other metrics.
 */
#include "report/text.h"

#include <math.h>

#include "lib/root.h"
#include "report/strata.h"
#include "report/table.h"

#define MOST_STRATA 12 /* with more of them, one table a metric has all strata as rows */

static void add_number(struct table *table, const struct scale *scale, double number)
{
	char buf[32];

	table_cell(table, TINT_NONE, scale_number(scale, number, buf, sizeof(buf)));
}

static void add_count(struct table *table, size_t n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%zu", n);
	table_cell(table, TINT_NONE, buf);
}

static void add_spread(struct table *table, const struct scale *scale, const struct summary *s)
{
	const double numbers[] = { s->mean, s->median, s->p5, s->p95, s->min, s->max, s->sd };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		add_number(table, scale, s->n ? numbers[i] : NAN);
	add_count(table, s->n);
}

/* What a table shows: one metric's spread over runs or iterations, and metrics of whole blocks
 * before it. */
struct view {
	size_t metric; /* SIZE_MAX: only those of blocks */
	bool iterations;
	size_t blocks[8];
	size_t n_blocks;
	struct strata strata;
};

static bool has_cells(const struct analysis *a, size_t metric, const struct strata *strata,
		      bool iterations)
{
	for (size_t i = 0; i < strata->n; i++)
		for (size_t c = 0; c < a->record->n_configurations; c++) {
			const struct cell *cell = cell_find(a, metric, strata->labels[i], c);

			/* One iteration a run would be the same table again. */
			if (cell && (!iterations || cell->iterations.n > cell->runs.n))
				return true;
		}
	return false;
}

static void add_block_metrics(struct table *table, const struct text *t, const struct view *v,
			      const char *labels, size_t configuration)
{
	for (size_t i = 0; i < v->n_blocks; i++) {
		const struct cell *cell =
			cell_find(t->analysis, v->blocks[i], labels, configuration);
		struct scale scale = t->scales[v->blocks[i]];
		char buf[64];

		add_number(table, &scale, cell ? cell->estimate : NAN);
		table_cell(table, TINT_NONE,
			   cell ? scale_interval(&scale, cell->low, cell->high, buf, sizeof(buf))
				: "-");
	}
}

static void add_view_row(struct table *table, const struct text *t, const struct view *v,
			 const char *labels, size_t configuration)
{
	const struct cell *cell =
		v->metric == SIZE_MAX ? NULL
				      : cell_find(t->analysis, v->metric, labels, configuration);
	bool any = cell != NULL;

	for (size_t i = 0; i < v->n_blocks; i++)
		any = any || cell_find(t->analysis, v->blocks[i], labels, configuration);
	if (!any)
		return;
	table_cell(table, TINT_NONE, text_configuration(t->analysis->record, configuration));
	if (v->strata.n > 1) {
		_cleanup_free_ char *words = text_labels(labels);

		table_cell(table, TINT_NONE, words ? words : "");
	}
	add_block_metrics(table, t, v, labels, configuration);
	if (v->metric != SIZE_MAX) {
		static const struct summary none = { 0 };
		struct scale scale = t->scales[v->metric];

		add_spread(table, &scale,
			   !cell           ? &none
			   : v->iterations ? &cell->iterations
					   : &cell->runs);
	}
}

static void print_view_title(const struct text *t, const struct view *v)
{
	static const char *const directions[] = {
		[BETTER_LOWER] = ", lower is better",
		[BETTER_HIGHER] = ", higher is better",
		[BETTER_NONE] = "",
	};
	const struct metric *m;
	struct scale scale;

	if (v->metric == SIZE_MAX)
		return;
	m = &t->analysis->record->metrics[v->metric];
	scale = t->scales[v->metric];
	_cleanup_free_ char *words = NULL;

	if (asprintf(&words, "%s%s%s%s%s", m->name, *scale.unit ? " in " : "", scale.unit,
		     v->iterations ? ", every iteration inside the runs (shown only, never judged)"
				   : "",
		     v->iterations ? "" : directions[m->better]) < 0)
		words = NULL;
	text_wrapped(t, 2, 0, words ? words : "");
}

static void print_view(const struct text *t, const struct view *v)
{
	static const char *const spread[] = {
		"mean", "median", "p5", "p95", "min", "max", "sd", "n"
	};
	const char *heads[2 + 2 * ARRAY_SIZE(v->blocks) + ARRAY_SIZE(spread)];
	char names[ARRAY_SIZE(v->blocks)][96];
	_cleanup_table_ struct table table = { 0 };
	size_t n = 0, fixed;

	heads[n++] = "<configuration";
	if (v->strata.n > 1)
		heads[n++] = "<of";
	fixed = n;
	for (size_t i = 0; i < v->n_blocks; i++) {
		const struct metric *m = &t->analysis->record->metrics[v->blocks[i]];
		struct scale scale = t->scales[v->blocks[i]];

		snprintf(names[i], sizeof(names[i]), "%s%s%s", m->name, *scale.unit ? " " : "",
			 scale.unit);
		heads[n++] = names[i];
		heads[n++] = "95 % interval";
	}
	for (size_t i = 0; v->metric != SIZE_MAX && i < ARRAY_SIZE(spread); i++)
		heads[n++] = spread[i];
	table_init(&table, heads, n, fixed);
	for (size_t i = 0; i < v->strata.n; i++)
		for (size_t c = 0; c < t->analysis->record->n_configurations; c++)
			add_view_row(&table, t, v, v->strata.labels[i], c);
	if (v->iterations)
		fputc('\n', t->out);
	print_view_title(t, v);
	table_print(&table, t->out, &t->style);
}

/* All primary metrics of these strata, each a table or, for metrics of blocks, a part of the first
 * one. */
static void print_primary(const struct text *t, const struct strata *strata)
{
	const struct record *x = t->analysis->record;
	struct view v = { .metric = SIZE_MAX, .strata = *strata };
	bool printed = false;

	for (size_t m = 0; m < x->n_metrics && v.n_blocks < ARRAY_SIZE(v.blocks); m++)
		if (x->metrics[m].primary && x->metrics[m].per_block &&
		    has_cells(t->analysis, m, strata, false))
			v.blocks[v.n_blocks++] = m;
	for (size_t m = 0; m < x->n_metrics; m++) {
		if (!x->metrics[m].primary || x->metrics[m].per_block ||
		    !has_cells(t->analysis, m, strata, false))
			continue;
		v.metric = m;
		v.iterations = false;
		print_view(t, &v);
		v.n_blocks = 0;
		printed = true;
		v.iterations = true;
		if (has_cells(t->analysis, m, strata, true))
			print_view(t, &v);
	}
	if (!printed && v.n_blocks)
		print_view(t, &v);
}

static void add_other_row(struct table *table, const struct text *t, const size_t *metrics,
			  size_t n, const char *labels, size_t configuration)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || cell_find(t->analysis, metrics[i], labels, configuration);
	if (!any)
		return;
	table_cell(table, TINT_NONE, text_configuration(t->analysis->record, configuration));
	for (size_t i = 0; i < n; i++) {
		const struct cell *cell = cell_find(t->analysis, metrics[i], labels, configuration);
		struct scale scale = t->scales[metrics[i]];

		add_number(table, &scale, cell ? cell->runs.median : NAN);
	}
}

/* The metrics without a verdict, one column each. */
static void print_others(const struct text *t, const char *labels)
{
	const struct record *x = t->analysis->record;
	struct strata one = { .labels = &labels, .n = 1 };
	_cleanup_free_ const char **heads = calloc(x->n_metrics + 1, sizeof(*heads));
	_cleanup_free_ size_t *metrics = calloc(x->n_metrics + 1, sizeof(*metrics));
	_cleanup_strv_ char **names = calloc(x->n_metrics + 1, sizeof(*names));
	_cleanup_table_ struct table table = { 0 };
	size_t n = 0;

	if (!heads || !metrics || !names)
		return;
	heads[0] = "<configuration";
	for (size_t m = 0; m < x->n_metrics; m++) {
		struct scale scale = t->scales[m];

		if (x->metrics[m].primary || !has_cells(t->analysis, m, &one, false))
			continue;
		if (asprintf(&names[n], "%s%s%s", x->metrics[m].name, *scale.unit ? " " : "",
			     scale.unit) < 0) {
			names[n] = NULL;
			return;
		}
		metrics[n] = m;
		heads[n + 1] = names[n];
		n++;
	}
	if (!n)
		return;
	table_init(&table, heads, n + 1, 1);
	for (size_t c = 0; c < x->n_configurations; c++)
		add_other_row(&table, t, metrics, n, labels, c);
	fprintf(t->out, "\nother metrics, median of the runs\n");
	table_print(&table, t->out, &t->style);
}

/* Numbers that are not there are said to be missing. */
static void print_gaps(const struct text *t)
{
	const struct analysis *a = t->analysis;

	for (size_t i = 0; i < a->n_cells; i++) {
		const struct cell *cell = &a->cells[i];
		const struct metric *m = &a->record->metrics[cell->metric];
		size_t all = m->per_block ? a->n_blocks : a->runs[cell->configuration];
		_cleanup_free_ char *labels = text_labels(cell->labels), *words = NULL;
		const char *name = text_configuration(a->record, cell->configuration);

		if (!m->primary || !labels || (cell->runs.n >= all && !cell->runs.n_infinite))
			continue;
		if (cell->runs.n < all
			    ? asprintf(&words, "%s of %s%s%s: no number from %zu of %zu %s",
				       m->name, name, *labels ? ", " : "", labels,
				       all - cell->runs.n, all, m->per_block ? "blocks" : "runs")
			    : asprintf(
				      &words,
				      "%s of %s%s%s: not reached within the window in %zu of %zu runs, which rank "
				      "as the longest",
				      m->name, name, *labels ? ", " : "", labels,
				      cell->runs.n_infinite, cell->runs.n)) {
			text_wrapped(t, 2, 0, words ? words : "");
		}
	}
}

static void print_each(const struct text *t, const struct strata *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct strata one = { .labels = &all->labels[i], .n = 1 };
		_cleanup_free_ char *words = text_labels(all->labels[i]);

		fputc('\n', t->out);
		if (words && *words) {
			tint_start(t->out, &t->style, TINT_STRONG);
			text_wrapped(t, 2, 0, words);
			tint_end(t->out, &t->style, TINT_STRONG);
		}
		print_primary(t, &one);
		print_others(t, all->labels[i]);
	}
}

static void print_long(const struct text *t)
{
	const struct record *x = t->analysis->record;

	for (size_t m = 0; m < x->n_metrics; m++) {
		struct view v = { .metric = m };

		if (!x->metrics[m].primary)
			continue;
		if (x->metrics[m].per_block) {
			v.metric = SIZE_MAX;
			v.blocks[v.n_blocks++] = m;
		}
		if (strata_find(t->analysis, m, &v.strata) == 0 && v.strata.n) {
			fputc('\n', t->out);
			print_view(t, &v);
		}
		free(v.strata.labels);
	}
	fputc('\n', t->out);
	text_wrapped(
		t, 2, 0,
		"The metrics without verdict are in the JSON form and in the report, for every stratum.");
}

void text_values(const struct text *t)
{
	struct strata all;

	if (strata_find(t->analysis, SIZE_MAX, &all) == 0) {
		if (all.n > MOST_STRATA && !t->style.all)
			print_long(t);
		else
			print_each(t, &all);
		print_gaps(t);
	}
	free(all.labels);
}
