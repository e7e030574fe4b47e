/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Descriptions of one list of numbers: moments by two passes, order statistics by sorting. */
#include "stats/describe.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "stats/alloc.h"

/* n p of 0.7 * 10 is a little above 7: the same allowance that R gives. */
#define QUANTILE_FUZZ (4 * DBL_EPSILON)

/* A normal distribution's sd over its median absolute deviation, 1 / qnorm(3/4). */
#define MAD_TO_SD 1.4826

#define BEYOND_QUANTILE 10

int stats_sorted_copy(const double *x, size_t n, double **ret_sorted)
{
	double *sorted;

	for (size_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return -EINVAL;
	sorted = stats_doubles(n);
	if (!sorted)
		return -ENOMEM;
	if (n)
		memcpy(sorted, x, n * sizeof(*x));
	stats_sort(sorted, n);
	*ret_sorted = sorted;
	return 0;
}

double stats_mean(const double *x, size_t n)
{
	double sum = 0, rest = 0, mean;

	if (!n)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	mean = sum / (double) n;
	if (!isfinite(mean))
		return NAN;
	for (size_t i = 0; i < n; i++)
		rest += x[i] - mean;
	return mean + rest / (double) n;
}

static double sum_of_squares(const double *x, size_t n, double mean)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	return squares;
}

double stats_sd(const double *x, size_t n)
{
	double mean = stats_mean(x, n);

	if (n < 2 || isnan(mean))
		return NAN;
	return sqrt(sum_of_squares(x, n, mean) / (double) (n - 1));
}

double stats_autocorrelation(const double *x, size_t n)
{
	double mean = stats_mean(x, n), products = 0, squares;

	if (n < 2 || isnan(mean))
		return NAN;
	squares = sum_of_squares(x, n, mean);
	if (!(squares > 0))
		return NAN;
	for (size_t i = 1; i < n; i++)
		products += (x[i] - mean) * (x[i - 1] - mean);
	return products / squares;
}

double stats_quantile(const double *sorted, size_t n, double p)
{
	double place, part, low, high;
	size_t i;

	if (!n || !(p >= 0 && p <= 1))
		return NAN;
	place = (double) (n - 1) * p;
	i = (size_t) floor(place);
	part = place - (double) i;
	low = sorted[i];
	high = sorted[i + 1 < n ? i + 1 : i];
	if (part <= 0 || low >= high)
		return low;
	if (isinf(low) && isinf(high))
		return part < 0.5 ? low : part > 0.5 ? high : 0;
	if (isinf(low) || isinf(high))
		return isinf(low) ? low : high;
	return (1 - part) * low + part * high;
}

double stats_quantile_nearest(const double *sorted, size_t n, double p)
{
	double place, whole;
	size_t i;

	if (!n || !(p >= 0 && p <= 1))
		return NAN;
	place = (double) n * p;
	whole = floor(place + QUANTILE_FUZZ * fmax(1, place));
	i = (size_t) whole;
	if (place > whole + QUANTILE_FUZZ * fmax(1, place))
		i++;
	if (i < 1)
		i = 1;
	return sorted[(i > n ? n : i) - 1];
}

double stats_median(const double *sorted, size_t n)
{
	return stats_quantile(sorted, n, 0.5);
}

int stats_mad(const double *x, size_t n, double *ret_mad)
{
	stats_cleanup_free double *values = NULL;
	double middle;
	int r;

	r = stats_sorted_copy(x, n, &values);
	if (r < 0)
		return r;
	middle = stats_median(values, n);
	*ret_mad = NAN;
	if (!isfinite(middle))
		return 0;
	for (size_t i = 0; i < n; i++)
		values[i] = fabs(values[i] - middle);
	stats_sort(values, n);
	*ret_mad = MAD_TO_SD * stats_median(values, n);
	return 0;
}

bool stats_quantile_supported(size_t n, double p)
{
	return (double) n * (1 - p) * (1 + QUANTILE_FUZZ * (double) n) >= BEYOND_QUANTILE;
}

int describe(const double *x, size_t n, struct summary *ret_summary)
{
	stats_cleanup_free double *sorted = NULL;
	int r;

	r = stats_sorted_copy(x, n, &sorted);
	if (r < 0)
		return r;
	*ret_summary = (struct summary) {
		.n = n,
		.mean = stats_mean(x, n),
		.sd = stats_sd(x, n),
		.min = n ? sorted[0] : NAN,
		.p5 = stats_quantile(sorted, n, 0.05),
		.median = stats_median(sorted, n),
		.p95 = stats_quantile(sorted, n, 0.95),
		.max = n ? sorted[n - 1] : NAN,
	};
	for (size_t i = 0; i < n; i++)
		ret_summary->n_infinite += isinf(x[i]) ? 1 : 0;
	return 0;
}
