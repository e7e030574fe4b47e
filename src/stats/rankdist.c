/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Null distributions of rank statistics by dynamic programming over the ranks: a sum of signed
 * ranks is a sum of weights each taken or not, a rank sum is a choice of m weights. Ties need
 * nothing special when the weights are doubled midranks, which are whole numbers.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "stats/alloc.h"
#include "stats/dist.h"

#define SIGNRANK_SUM_MAX (RANKS_EXACT_MAX * (RANKS_EXACT_MAX + 1) / 2)

void signed_sum_distribution(const unsigned int *weights, size_t n, double *prob)
{
	size_t top = 0;

	prob[0] = 1;
	for (size_t i = 0; i < n; i++) {
		size_t w = weights[i];

		for (size_t s = top + w + 1; s-- > 0;) {
			double without = s <= top ? prob[s] : 0;
			double with = s >= w ? prob[s - w] : 0;

			prob[s] = 0.5 * (without + with);
		}
		top += w;
	}
}

/*
 * Adds weights[i] to the ways of choosing: ways[c * len + s] counts choices of c of the weights
 * before it with sum s, which lie between the sums of the c least and the c greatest of these.
 */
static void choose_one_more(double *ways, size_t len, size_t m, const unsigned int *weights,
			    size_t i)
{
	size_t least = 0, greatest = 0, most = i + 1 < m ? i + 1 : m;

	for (size_t c = 0; c + 1 < most; c++) {
		least += weights[c];
		greatest += weights[i - 1 - c];
	}
	/* From the most choices down, so that what is read does not hold this weight yet. */
	for (size_t c = most; c > 0; c--) {
		const double *from = ways + (c - 1) * len;
		double *to = ways + c * len + weights[i];

		for (size_t s = least; s <= greatest; s++)
			to[s] += from[s];
		if (c > 1) {
			least -= weights[c - 2];
			greatest -= weights[i - (c - 1)];
		}
	}
}

int chosen_sum_distribution(const unsigned int *weights, size_t n, size_t m, double **ret_prob,
			    size_t *ret_len)
{
	stats_cleanup_free double *ways = NULL;
	double total = 0, *prob;
	size_t len = 1;

	if (m > n)
		return -EINVAL;
	for (size_t i = 1; i < n; i++)
		if (weights[i] < weights[i - 1])
			return -EINVAL;
	for (size_t i = n - m; i < n; i++)
		len += weights[i];
	ways = stats_doubles((m + 1) * len);
	prob = stats_doubles(len);
	if (!ways || !prob) {
		free(prob);
		return -ENOMEM;
	}
	ways[0] = 1;
	for (size_t i = 0; i < n; i++)
		choose_one_more(ways, len, m, weights, i);
	memcpy(prob, ways + m * len, len * sizeof(*prob));
	for (size_t s = 0; s < len; s++)
		total += prob[s];
	for (size_t s = 0; s < len; s++)
		prob[s] /= total;
	*ret_prob = prob;
	*ret_len = len;
	return 0;
}

/* prob[v] of V without ties, n <= RANKS_EXACT_MAX; returns n (n + 1) / 2. */
static size_t signrank_distribution(size_t n, double *prob)
{
	unsigned int ranks[RANKS_EXACT_MAX];

	for (unsigned int i = 0; i < RANKS_EXACT_MAX; i++)
		ranks[i] = i + 1;
	signed_sum_distribution(ranks, n, prob);
	return n * (n + 1) / 2;
}

double psignrank(double v, size_t n)
{
	double prob[SIGNRANK_SUM_MAX + 1], sum = 0;
	size_t top;

	if (isnan(v) || n > RANKS_EXACT_MAX)
		return NAN;
	top = signrank_distribution(n, prob);
	if (v >= (double) top)
		return 1;
	for (size_t s = 0; (double) s <= v; s++)
		sum += prob[s];
	return sum;
}

double qsignrank(double p, size_t n)
{
	double prob[SIGNRANK_SUM_MAX + 1], sum;
	size_t top, v = 0;

	if (isnan(p) || p < 0 || p > 1 || n > RANKS_EXACT_MAX)
		return NAN;
	top = signrank_distribution(n, prob);
	sum = prob[0];
	while (v < top && sum < p)
		sum += prob[++v];
	return (double) v;
}

/* U without ties is a choice of m of the weights 0 .. m + n - 1, above the smallest such sum. */
static int wilcox_distribution(size_t m, size_t n, double **ret_prob, double **ret_first)
{
	unsigned int weights[2 * RANKS_EXACT_MAX];
	size_t len;
	int r;

	if (m > RANKS_EXACT_MAX || n > RANKS_EXACT_MAX)
		return -EINVAL;
	for (size_t i = 0; i < m + n; i++)
		weights[i] = (unsigned int) i;
	r = chosen_sum_distribution(weights, m + n, m, ret_prob, &len);
	if (r < 0)
		return r;
	*ret_first = *ret_prob + (m ? m * (m - 1) / 2 : 0);
	return 0;
}

int pwilcox(double u, size_t m, size_t n, double *ret_p)
{
	stats_cleanup_free double *prob = NULL;
	double *first, sum = 0;
	int r;

	if (isnan(u))
		return -EINVAL;
	r = wilcox_distribution(m, n, &prob, &first);
	if (r < 0)
		return r;
	for (size_t s = 0; s <= m * n && (double) s <= u; s++)
		sum += first[s];
	*ret_p = u >= (double) (m * n) ? 1 : sum;
	return 0;
}

/* The largest k with 2 P(V <= k - 1) <= alpha, among 0 .. top values of prob. */
static size_t bound_of(const double *prob, size_t top, double alpha, double *ret_error)
{
	double sum = 0;
	size_t k = 0;

	while (k < top && 2 * (sum + prob[k]) <= alpha)
		sum += prob[k++];
	*ret_error = 2 * sum;
	return k;
}

/* The same for a normal V of this mean and sd, with the usual half step. */
static size_t bound_of_normal(double mean, double sd, double alpha, double *ret_error)
{
	double k = floor(mean + 0.5 + sd * normal_quantile(alpha / 2));

	*ret_error = 0;
	if (k < 1)
		return 0;
	*ret_error = 2 * normal_cdf((k - 0.5 - mean) / sd);
	return (size_t) k;
}

size_t signrank_bound(size_t n, double alpha, double *ret_error)
{
	double prob[SIGNRANK_SUM_MAX + 1], x = (double) n;
	size_t top;

	if (n > RANKS_EXACT_MAX)
		return bound_of_normal(x * (x + 1) / 4, sqrt(x * (x + 1) * (2 * x + 1) / 24), alpha,
				       ret_error);
	top = signrank_distribution(n, prob);
	return bound_of(prob, top, alpha, ret_error);
}

int wilcox_bound(size_t m, size_t n, double alpha, size_t *ret_k, double *ret_error)
{
	stats_cleanup_free double *prob = NULL;
	double x = (double) m, y = (double) n, *first;
	int r;

	if (m > RANKS_EXACT_MAX || n > RANKS_EXACT_MAX) {
		*ret_k = bound_of_normal(x * y / 2, sqrt(x * y * (x + y + 1) / 12), alpha,
					 ret_error);
		return 0;
	}
	r = wilcox_distribution(m, n, &prob, &first);
	if (r < 0)
		return r;
	*ret_k = bound_of(first, m * n, alpha, ret_error);
	return 0;
}
