/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A permutation test of spread within blocks. */
#include "stats/spread.h"

#include <errno.h>
#include <math.h>

#include "stats/alloc.h"
#include "stats/bootstrap.h"
#include "stats/describe.h"

#define ALPHA 0.05

/* Sums that differ only by rounding are equal. */
#define ROUNDING 1e-12

/* ret_distances[i] = |x[i] - median of x| */
static int distances(const double *x, size_t n, double *ret_distances)
{
	stats_cleanup_free double *sorted = NULL;
	double middle;
	int r;

	r = stats_sorted_copy(x, n, &sorted);
	if (r < 0)
		return r;
	if (isinf(sorted[0]) || isinf(sorted[n - 1]))
		return -EDOM;
	middle = stats_median(sorted, n);
	for (size_t i = 0; i < n; i++)
		ret_distances[i] = fabs(x[i] - middle);
	return 0;
}

/* The share of all sign patterns of d that give a sum of at least this size. */
static double exact_p(const double *d, size_t n, double size)
{
	size_t patterns = (size_t) 1 << n, as_large = 0;

	for (size_t signs = 0; signs < patterns; signs++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += signs >> i & 1 ? -d[i] : d[i];
		as_large += fabs(sum) >= size;
	}
	return (double) as_large / (double) patterns;
}

static double sampled_p(const double *d, size_t n, double size, size_t resamples,
			struct stats_random *random)
{
	size_t as_large = 0;

	for (size_t r = 0; r < resamples; r++) {
		uint64_t signs = 0;
		double sum = 0;

		for (size_t i = 0; i < n; i++) {
			if (i % 64 == 0)
				signs = stats_random_next(random);
			sum += signs & 1 ? -d[i] : d[i];
			signs >>= 1;
		}
		as_large += fabs(sum) >= size;
	}
	return ((double) as_large + 1) / ((double) resamples + 1);
}

struct both {
	const double *base, *new; /* the values */
	double *x, *y;            /* those of the blocks drawn */
};

/* NaN where the base does not scatter at all, and when memory runs out. */
static double spread_ratio(const size_t *index, size_t n, void *arg)
{
	struct both *both = arg;
	double base, new;

	for (size_t i = 0; i < n; i++) {
		both->x[i] = both->base[index[i]];
		both->y[i] = both->new[index[i]];
	}
	if (distances(both->x, n, both->x) < 0 || distances(both->y, n, both->y) < 0)
		return NAN;
	base = stats_mean(both->x, n);
	new = stats_mean(both->y, n);
	return base > 0 ? new / base - 1 : NAN;
}

int spread_compare(const double *base, const double *new, size_t n, size_t resamples,
		   struct stats_random *random, struct spread *ret_spread)
{
	stats_cleanup_free double *x = stats_doubles(n), *y = stats_doubles(n);
	struct both both = { .base = base, .new = new, .x = x, .y = y };
	struct spread spread = { .n = n, .exact = n <= SPREAD_EXACT_MAX };
	struct bootstrap interval;
	double sum = 0, scale = 0;
	int r;

	if (!x || !y)
		return -ENOMEM;
	if (n < 2 || !resamples)
		return -EINVAL;
	r = distances(base, n, x);
	if (r == 0)
		r = distances(new, n, y);
	if (r < 0)
		return r;
	spread.base = stats_mean(x, n);
	spread.new = stats_mean(y, n);
	spread.ratio = spread.base == 0 && spread.new == 0 ? NAN : spread.new / spread.base - 1;
	for (size_t i = 0; i < n; i++) {
		y[i] -= x[i];
		sum += y[i];
		scale += fabs(y[i]);
	}
	sum = fabs(sum) - ROUNDING * scale;
	spread.p = spread.exact ? exact_p(y, n, sum) : sampled_p(y, n, sum, resamples, random);

	spread.low = -INFINITY;
	spread.high = INFINITY;
	if (spread.base > 0) {
		r = bootstrap(n, spread_ratio, &both, resamples, ALPHA, random, &interval);
		if (r < 0)
			return r;
		spread.low = interval.low;
		spread.high = interval.high;
	}
	*ret_spread = spread;
	return 0;
}
