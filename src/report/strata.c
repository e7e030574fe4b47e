/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/strata.h"

#include <errno.h>
#include <math.h>

static int labels_order(const void *x, const void *y)
{
	const char *const *a = x, *const *b = y;

	return strverscmp(*a, *b);
}

/* The different labels among the cells that have the metric (SIZE_MAX: any metric). */
int strata_find(const struct analysis *a, size_t metric, struct strata *ret)
{
	size_t n = 0, kept = 0;

	*ret = (struct strata) { 0 };
	for (size_t i = 0; i < a->n_cells; i++) {
		const char **label;

		if ((metric != SIZE_MAX && a->cells[i].metric != metric) ||
		    (n && streq(ret->labels[n - 1], a->cells[i].labels)))
			continue;
		label = array_add(&ret->labels, &n, sizeof(*label));
		if (!label)
			return -ENOMEM;
		*label = a->cells[i].labels;
	}
	if (n)
		qsort(ret->labels, n, sizeof(*ret->labels), labels_order);
	for (size_t i = 0; i < n; i++)
		if (!i || !streq(ret->labels[i], ret->labels[kept - 1]))
			ret->labels[kept++] = ret->labels[i];
	ret->n = kept;
	return 0;
}

static int cell_order(const struct analysis *a, const struct cell *cell, size_t metric,
		      const char *labels, size_t configuration)
{
	int r;

	if (cell->metric != metric)
		return cell->metric < metric ? -1 : 1;
	r = strverscmp(cell->labels, labels);
	if (r)
		return r;
	return cell->configuration < configuration ? -1 : cell->configuration > configuration;
}

const struct cell *cell_find(const struct analysis *a, size_t metric, const char *labels,
			     size_t configuration)
{
	size_t low = 0, high = a->n_cells;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int r = cell_order(a, &a->cells[middle], metric, labels, configuration);

		if (r == 0)
			return &a->cells[middle];
		if (r < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* By the smallest of the medians: the unit in which none of them is below 1. */
static struct scale metric_scale(const struct analysis *a, size_t metric)
{
	double typical = NAN;

	for (size_t i = 0; i < a->n_cells; i++) {
		double x = fabs(a->cells[i].runs.median);

		if (a->cells[i].metric == metric && isfinite(x) && x > 0 && !(typical < x))
			typical = x;
	}
	return scale_for(a->record->metrics[metric].unit, typical);
}

struct scale *strata_scales(const struct analysis *a)
{
	struct scale *scales = calloc(a->record->n_metrics + 1, sizeof(*scales));

	for (size_t i = 0; scales && i < a->record->n_metrics; i++)
		scales[i] = metric_scale(a, i);
	return scales;
}
