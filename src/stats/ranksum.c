/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mann-Whitney test, Hodges-Lehmann shift and interval. */
#include "stats/ranksum.h"

#include <errno.h>
#include <math.h>

#include "stats/alloc.h"
#include "stats/describe.h"
#include "stats/dist.h"
#include "stats/ranks.h"

static struct tails normal_tails(double u, size_t n_x, size_t n_y, double ties, bool continuity)
{
	double x = (double) n_x, y = (double) n_y, n = x + y;
	double variance = x * y / 12 * (n + 1 - ties / (n * (n - 1)));

	return tails_normal(u, x * y / 2, sqrt(fmax(variance, 0)), continuity);
}

double ranksum_p_normal(double u, size_t n_x, size_t n_y, double ties, bool continuity)
{
	return normal_tails(u, n_x, n_y, ties, continuity).both;
}

/*
 * Exact tails of the doubled rank sum of m of the n ranked values. Ranks are first made as small as
 * they can be: only their differences matter, and without odd ones among those half is enough.
 */
static int exact_tails(unsigned int *ranks, size_t n, size_t m, uint64_t sum,
		       struct tails *ret_tails)
{
	stats_cleanup_free double *prob = NULL;
	unsigned int least = ranks[0], odd = 0;
	size_t len;
	int r;

	for (size_t i = 0; i < n; i++) {
		ranks[i] -= least;
		odd |= ranks[i] & 1;
	}
	sum -= (uint64_t) m * least;
	for (size_t i = 0; !odd && i < n; i++)
		ranks[i] /= 2;
	if (!odd)
		sum /= 2;
	r = chosen_sum_distribution(ranks, n, m, &prob, &len);
	if (r < 0)
		return r;
	*ret_tails = tails_exact(prob, len, sum);
	return 0;
}

static int test(const double *x, const double *y, struct ranksum *result)
{
	size_t n_x = result->n_x, n_y = result->n_y;
	unsigned int ranks[2 * RANKS_EXACT_MAX];
	struct merged_ranks merged = merge_ranks(x, n_x, y, n_y, result->exact ? ranks : NULL);
	struct tails tails;
	int r;

	result->u = ((double) merged.sum - (double) n_x * ((double) n_x + 1)) / 2;
	if (result->exact) {
		r = exact_tails(ranks, n_x + n_y, n_x, merged.sum, &tails);
		if (r < 0)
			return r;
	} else {
		tails = normal_tails(result->u, n_x, n_y, merged.ties, true);
	}
	result->p = tails.both;
	result->p_less = tails.less;
	result->p_greater = tails.greater;
	return 0;
}

/* y: ascending, negated and reversed in place, so that the differences are sums of two ascending
 * lists. */
static int estimate(const double *x, double *y, double alpha, struct ranksum *result)
{
	size_t n_y = result->n_y, k;
	struct pair_sums sums = { .a = x, .na = result->n_x, .b = y, .nb = n_y };
	double error;
	int r;

	for (size_t i = 0; i < (n_y + 1) / 2; i++) {
		size_t j = n_y - 1 - i;
		double kept = y[i];

		y[i] = -y[j];
		y[j] = -kept;
	}
	r = wilcox_bound(result->n_x, n_y, alpha, &k, &error);
	if (r < 0)
		return r;
	r = pair_sums_median(&sums, &result->shift);
	if (r < 0)
		return r;
	r = pair_sums_interval(&sums, k, &result->low, &result->high);
	if (r < 0)
		return r;
	result->level = 1 - error;
	return 0;
}

int ranksum(const double *x, size_t n_x, const double *y, size_t n_y, double alpha,
	    struct ranksum *ret_result)
{
	stats_cleanup_free double *sorted_x = NULL, *sorted_y = NULL;
	struct ranksum result = {
		.n_x = n_x,
		.n_y = n_y,
		.p = 1,
		.p_less = 1,
		.p_greater = 1,
		.shift = NAN,
		.low = -INFINITY,
		.high = INFINITY,
		.level = 1,
		.exact = n_x <= RANKS_EXACT_MAX && n_y <= RANKS_EXACT_MAX,
	};
	int r;

	if (!(alpha > 0 && alpha < 1))
		return -EINVAL;
	r = stats_sorted_copy(x, n_x, &sorted_x);
	if (r < 0)
		return r;
	r = stats_sorted_copy(y, n_y, &sorted_y);
	if (r < 0)
		return r;
	if (n_x && n_y) {
		r = test(sorted_x, sorted_y, &result);
		if (r < 0)
			return r;
		r = estimate(sorted_x, sorted_y, alpha, &result);
		if (r < 0)
			return r;
	}
	*ret_result = result;
	return 0;
}
