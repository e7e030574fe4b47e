/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holm's and Benjamini-Hochberg's adjustments: one walk over the sorted p-values each. */
#include "stats/adjust.h"

#include <errno.h>
#include <math.h>

#include "stats/alloc.h"

struct ranked_p {
	double p;
	size_t index;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked_p *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

static int rank_p(const double *p, size_t n, struct ranked_p **ret_ranked)
{
	struct ranked_p *ranked;

	for (size_t i = 0; i < n; i++)
		if (!(p[i] >= 0 && p[i] <= 1))
			return -EINVAL;
	ranked = calloc(n ? n : 1, sizeof(*ranked));
	if (!ranked)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked_p) { .p = p[i], .index = i };
	qsort(ranked, n, sizeof(*ranked), compare_ranked);
	*ret_ranked = ranked;
	return 0;
}

int adjust_holm(const double *p, size_t n, double *ret_adjusted)
{
	stats_cleanup_free struct ranked_p *ranked = NULL;
	double so_far = 0;
	int r;

	r = rank_p(p, n, &ranked);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		so_far = fmax(so_far, fmin(ranked[i].p * (double) (n - i), 1));
		ret_adjusted[ranked[i].index] = so_far;
	}
	return 0;
}

int adjust_bh(const double *p, size_t n, double *ret_adjusted)
{
	stats_cleanup_free struct ranked_p *ranked = NULL;
	double so_far = 1;
	int r;

	r = rank_p(p, n, &ranked);
	if (r < 0)
		return r;
	for (size_t i = n; i-- > 0;) {
		so_far = fmin(so_far, ranked[i].p * ((double) n / (double) (i + 1)));
		ret_adjusted[ranked[i].index] = so_far;
	}
	return 0;
}
