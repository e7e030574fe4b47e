/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Midranks of two merged lists, and the tails of rank statistics. */
#include "stats/ranks.h"

#include <math.h>

#include "stats/dist.h"

/* How many leading values of x equal v. */
static size_t count_equal(const double *x, size_t n, double v)
{
	size_t i = 0;

	while (i < n && x[i] == v)
		i++;
	return i;
}

struct merged_ranks merge_ranks(const double *a, size_t na, const double *b, size_t nb,
				unsigned int *ret_ranks)
{
	struct merged_ranks merged = { 0 };
	size_t i = 0, j = 0;

	while (i < na || j < nb) {
		double v = j == nb || (i < na && a[i] < b[j]) ? a[i] : b[j];
		size_t from_a = count_equal(a + i, na - i, v);
		size_t from_b = count_equal(b + j, nb - j, v);
		size_t before = i + j, t = from_a + from_b;
		size_t rank = 2 * before + t + 1; /* (before + 1) + (before + t) */

		merged.sum += (uint64_t) from_a * rank;
		merged.ties += (double) t * (double) t * (double) t - (double) t;
		for (size_t k = before; ret_ranks && k < before + t; k++)
			ret_ranks[k] = (unsigned int) rank;
		i += from_a;
		j += from_b;
	}
	return merged;
}

static struct tails tails_of(double less, double greater)
{
	return (struct tails) {
		.less = fmin(less, 1),
		.greater = fmin(greater, 1),
		.both = fmin(2 * fmin(less, greater), 1),
	};
}

struct tails tails_exact(const double *prob, size_t len, size_t s)
{
	double below = 0, above = 0;

	for (size_t i = 0; i < s; i++)
		below += prob[i];
	for (size_t i = len; i-- > s + 1;)
		above += prob[i];
	return tails_of(below + prob[s], above + prob[s]);
}

struct tails tails_normal(double value, double mean, double sd, bool half_step)
{
	double half = half_step ? 0.5 : 0;

	if (!(sd > 0))
		return tails_of(1, 1);
	return tails_of(normal_cdf((value - mean + half) / sd),
			normal_cdf(-(value - mean - half) / sd));
}
