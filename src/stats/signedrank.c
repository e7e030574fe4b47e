/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wilcoxon's signed-rank test, Hodges-Lehmann estimate and interval. */
#include "stats/signedrank.h"

#include <errno.h>
#include <math.h>

#include "stats/alloc.h"
#include "stats/describe.h"
#include "stats/dist.h"
#include "stats/ranks.h"

#define DOUBLED_SUM_MAX (RANKS_EXACT_MAX * (RANKS_EXACT_MAX + 1))

static struct tails signed_tails(const unsigned int *ranks, size_t n, struct merged_ranks merged)
{
	double prob[DOUBLED_SUM_MAX + 1], x = (double) n;

	if (n > RANKS_EXACT_MAX)
		return tails_normal((double) merged.sum / 2, x * (x + 1) / 4,
				    sqrt(x * (x + 1) * (2 * x + 1) / 24 - merged.ties / 48), true);
	signed_sum_distribution(ranks, n, prob);
	return tails_exact(prob, n * (n + 1) + 1, merged.sum);
}

/* sorted: ascending, so that the negative ones, read backwards, ascend in size too. */
static int test(const double *sorted, size_t n, struct signedrank *result)
{
	stats_cleanup_free double *sizes = stats_doubles(n);
	unsigned int ranks[RANKS_EXACT_MAX];
	struct merged_ranks merged;
	struct tails tails;
	size_t n_neg = 0, n_pos = 0;

	if (!sizes)
		return -ENOMEM;
	while (n_neg < n && sorted[n_neg] < 0)
		n_neg++;
	while (n_pos < n && sorted[n - 1 - n_pos] > 0)
		n_pos++;
	for (size_t i = 0; i < n_neg; i++)
		sizes[i] = -sorted[n_neg - 1 - i];

	result->n_used = n_neg + n_pos;
	merged = merge_ranks(sorted + n - n_pos, n_pos, sizes, n_neg,
			     result->n_used > RANKS_EXACT_MAX ? NULL : ranks);
	tails = signed_tails(ranks, result->n_used, merged);
	result->v = (double) merged.sum / 2;
	result->p = tails.both;
	result->p_less = tails.less;
	result->p_greater = tails.greater;
	return 0;
}

static int estimate(const double *sorted, size_t n, double alpha, struct signedrank *result)
{
	struct pair_sums sums = { .a = sorted, .na = n };
	double error;
	size_t k;
	int r;

	k = signrank_bound(n, alpha, &error);
	r = pair_sums_median(&sums, &result->estimate);
	if (r < 0)
		return r;
	r = pair_sums_interval(&sums, k, &result->low, &result->high);
	if (r < 0)
		return r;
	result->estimate /= 2;
	result->low /= 2;
	result->high /= 2;
	result->level = 1 - error;
	return 0;
}

int signedrank(const double *d, size_t n, double alpha, struct signedrank *ret_result)
{
	stats_cleanup_free double *sorted = NULL;
	struct signedrank result = {
		.n = n,
		.p = 1,
		.p_less = 1,
		.p_greater = 1,
		.estimate = NAN,
		.low = -INFINITY,
		.high = INFINITY,
		.level = 1,
		.exact = n <= RANKS_EXACT_MAX,
	};
	int r;

	if (!(alpha > 0 && alpha < 1))
		return -EINVAL;
	r = stats_sorted_copy(d, n, &sorted);
	if (r < 0)
		return r;
	r = n ? test(sorted, n, &result) : 0;
	if (r < 0)
		return r;
	r = n ? estimate(sorted, n, alpha, &result) : 0;
	if (r < 0)
		return r;
	*ret_result = result;
	return 0;
}
