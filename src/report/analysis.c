/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All values that count are put in one list, sorted by metric, labels, configuration and block:
 * each stretch of it is then a cell, and two stretches are walked side by side for the pairs of a
 * comparison.
 */
#include "report/analysis.h"

#include <errno.h>
#include <math.h>

#include "report/counts.h"
#include "stats/signedrank.h"

#define INTERVAL_ALPHA 0.05

struct item {
	size_t metric, configuration;
	const char *labels;
	unsigned block;
	size_t sequence; /* in the record */
	const struct value *value;
};

struct items {
	struct item *items;
	size_t n;
};

static int add_item(struct items *list, unsigned block, size_t configuration,
		    const struct value *value)
{
	struct item *item = array_add(&list->items, &list->n, sizeof(*item));

	if (!item)
		return -ENOMEM;
	*item = (struct item) {
		.metric = value->metric,
		.configuration = configuration,
		.labels = value->labels ? value->labels : "{}",
		.block = block,
		.sequence = list->n,
		.value = value,
	};
	return 0;
}

static int collect(const struct analysis *a, struct items *list)
{
	const struct record *x = a->record;
	int r = 0;

	for (size_t i = 0; i < x->n_runs; i++) {
		const struct run *run = &x->runs[i];

		for (size_t j = 0; a->counts[i] && r == 0 && j < run->n_values; j++)
			if (!x->metrics[run->values[j].metric].per_block)
				r = add_item(list, run->block, run->configuration, &run->values[j]);
	}
	for (size_t i = 0; r == 0 && i < x->n_block_values; i++)
		r = add_item(list, x->block_values[i].block, x->block_values[i].configuration,
			     &x->block_values[i].value);
	return r;
}

static int order(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int stratum_order(const struct item *a, const struct item *b)
{
	int r = order(a->metric, b->metric);

	if (r)
		return r;
	r = strverscmp(a->labels, b->labels);
	return r ? r : strcmp(a->labels, b->labels);
}

static int item_order(const void *x, const void *y)
{
	const struct item *a = x, *b = y;
	int r = stratum_order(a, b);

	if (r == 0)
		r = order(a->configuration, b->configuration);
	if (r == 0)
		r = order(a->block, b->block);
	return r ? r : order(a->sequence, b->sequence);
}

/* The numbers of N items without those that are none. */
static size_t numbers(const struct item *items, size_t n, double *out)
{
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(items[i].value->number))
			out[used++] = items[i].value->number;
	return used;
}

static int describe_iterations(const struct item *items, size_t n, struct summary *ret)
{
	_cleanup_free_ double *x = NULL;
	size_t total = 0, used = 0;

	for (size_t i = 0; i < n; i++)
		total += items[i].value->n_samples;
	x = calloc(total ? total : 1, sizeof(*x));
	if (!x)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < items[i].value->n_samples; j++)
			if (!isnan(items[i].value->samples[j]))
				x[used++] = items[i].value->samples[j];
	return describe(x, used, ret);
}

static int fill_cell(struct cell *cell, const struct item *items, size_t n)
{
	_cleanup_free_ double *x = calloc(n, sizeof(*x));
	struct signedrank rank;
	size_t used;
	int r;

	if (!x)
		return -ENOMEM;
	cell->metric = items->metric;
	cell->configuration = items->configuration;
	cell->labels = items->labels;
	used = numbers(items, n, x);
	r = describe(x, used, &cell->runs);
	if (r == 0)
		r = signedrank(x, used, INTERVAL_ALPHA, &rank);
	if (r < 0)
		return r;
	cell->estimate = rank.estimate;
	cell->low = isfinite(rank.low) && isfinite(rank.high) ? rank.low : NAN;
	cell->high = isfinite(rank.low) && isfinite(rank.high) ? rank.high : NAN;
	return describe_iterations(items, n, &cell->iterations);
}

/* How many items from the first one on are of the same cell. */
static size_t cell_length(const struct item *items, size_t n)
{
	size_t i = 1;

	while (i < n && items[i].configuration == items->configuration &&
	       stratum_order(items, &items[i]) == 0)
		i++;
	return i;
}

static size_t stratum_length(const struct item *items, size_t n)
{
	size_t i = 1;

	while (i < n && stratum_order(items, &items[i]) == 0)
		i++;
	return i;
}

static int make_cells(struct analysis *a, const struct items *list)
{
	int r = 0;

	for (size_t i = 0, n; r == 0 && i < list->n; i += n) {
		struct cell *cell = array_add(&a->cells, &a->n_cells, sizeof(*cell));

		n = cell_length(&list->items[i], list->n - i);
		r = cell ? fill_cell(cell, &list->items[i], n) : -ENOMEM;
	}
	return r;
}

struct inputs {
	struct judge_input *inputs;
	size_t n;
};

/* One value a block: of several, the first. */
static int pair_up(const struct item *base, size_t n_base, const struct item *new, size_t n_new,
		   struct judge_input *in)
{
	size_t i = 0, j = 0, n = 0;

	in->base = calloc(n_base, sizeof(double));
	in->new = calloc(n_base, sizeof(double));
	if (!in->base || !in->new)
		return -ENOMEM;
	while (i < n_base && j < n_new) {
		unsigned block = base[i].block;

		if (block < new[j].block) {
			i++;
			continue;
		}
		if (block > new[j].block) {
			j++;
			continue;
		}
		if (!isnan(base[i].value->number) && !isnan(new[j].value->number)) {
			in->base[n] = base[i].value->number;
			in->new[n++] = new[j].value->number;
		}
		while (i < n_base && base[i].block == block)
			i++;
		while (j < n_new && new[j].block == block)
			j++;
	}
	in->n_base = in->n_new = n;
	return 0;
}

static double margin_of(const struct record *record, const struct metric *m)
{
	double margin = m->margin > 0 ? m->margin : m->effect == EFFECT_RATIO ? record->margin : 0;

	return margin >= 0 && isfinite(margin) ? margin : 0;
}

static int add_contrast(struct analysis *a, struct inputs *inputs, const struct item *base,
			size_t n_base, const struct item *new, size_t n_new)
{
	struct contrast *c = array_add(&a->contrasts, &a->n_contrasts, sizeof(*c));
	struct judge_input *in = array_add(&inputs->inputs, &inputs->n, sizeof(*in));
	const struct metric *m = &a->record->metrics[base->metric];

	if (!c || !in)
		return -ENOMEM;
	c->metric = base->metric;
	c->labels = base->labels;
	c->base = base->configuration;
	c->new = new->configuration;
	in->paired = true;
	in->ratio = m->effect == EFFECT_RATIO;
	in->higher_better = m->better == BETTER_HIGHER;
	in->primary = m->primary && m->better != BETTER_NONE;
	in->margin = margin_of(a->record, m);
	return pair_up(base, n_base, new, n_new, in);
}

/* ITEMS are those of one stratum: the baseline's against those of every other configuration. */
static int compare_stratum(struct analysis *a, struct inputs *inputs, const struct item *items,
			   size_t n)
{
	const struct item *base = NULL;
	size_t n_base = 0;
	int r = 0;

	for (size_t i = 0, length; i < n; i += length) {
		length = cell_length(&items[i], n - i);
		if (items[i].configuration == a->record->baseline) {
			base = &items[i];
			n_base = length;
		}
	}
	for (size_t i = 0, length; base && r == 0 && i < n; i += length) {
		length = cell_length(&items[i], n - i);
		if (&items[i] != base &&
		    !a->record->configurations[items[i].configuration].reference)
			r = add_contrast(a, inputs, base, n_base, &items[i], length);
	}
	return r;
}

static int make_contrasts(struct analysis *a, const struct items *list)
{
	_cleanup_free_ struct judged *judged = NULL;
	struct inputs inputs = { 0 };
	int r = 0;

	for (size_t i = 0, n; r == 0 && i < list->n; i += n) {
		n = stratum_length(&list->items[i], list->n - i);
		r = compare_stratum(a, &inputs, &list->items[i], n);
	}
	if (r == 0) {
		judged = calloc(inputs.n ? inputs.n : 1, sizeof(*judged));
		r = judged ? judge_all(inputs.inputs, inputs.n, a->alpha, judged) : -ENOMEM;
	}
	for (size_t i = 0; r == 0 && i < inputs.n; i++)
		a->contrasts[i].result = judged[i];
	for (size_t i = 0; i < inputs.n; i++) {
		free(inputs.inputs[i].base);
		free(inputs.inputs[i].new);
	}
	free(inputs.inputs);
	return r;
}

static int analyse(struct analysis *a)
{
	struct items list = { 0 };
	int r = counts_make(a->record, &a->counts, &a->n_blocks);

	a->runs = calloc(a->record->n_configurations + 1, sizeof(*a->runs));
	if (r < 0 || !a->runs)
		return -ENOMEM;
	for (size_t i = 0; i < a->record->n_runs; i++)
		a->runs[a->record->runs[i].configuration] += a->counts[i];
	r = collect(a, &list);
	if (list.n)
		qsort(list.items, list.n, sizeof(*list.items), item_order);
	if (r == 0)
		r = make_cells(a, &list);
	if (r == 0)
		r = make_contrasts(a, &list);
	free(list.items);
	return r;
}

int analysis_new(const struct record *record, double alpha, struct analysis **ret,
		 struct error *err)
{
	_cleanup_analysis_ struct analysis *a = calloc(1, sizeof(*a));
	int r = -ENOMEM;

	if (a) {
		a->record = record;
		a->alpha = alpha > 0 ? alpha : JUDGE_ALPHA;
		r = analyse(a);
	}
	if (r == -ENOMEM)
		return fail(err, r, "out of memory");
	if (r < 0)
		return fail(err, r, "experiment %lld cannot be analysed: %s",
			    (long long) record->id, strerror(-r));
	*ret = steal_ptr(a);
	return 0;
}

void analysis_free(struct analysis *analysis)
{
	if (!analysis)
		return;
	free(analysis->cells);
	free(analysis->contrasts);
	free(analysis->runs);
	free(analysis->counts);
	free(analysis);
}

bool analysis_any(const struct analysis *analysis, const char *verdict)
{
	for (size_t i = 0; i < analysis->n_contrasts; i++) {
		const char *given = analysis->contrasts[i].result.verdict;

		if (given && streq(given, verdict))
			return true;
	}
	return false;
}
