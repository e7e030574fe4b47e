/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Percentile and BCa bootstrap intervals over units given by index. */
#include "stats/bootstrap.h"

#include <errno.h>
#include <math.h>

#include "stats/alloc.h"
#include "stats/describe.h"
#include "stats/dist.h"

/*
 * Acceleration (Efron 1987): the jackknife values' skewness / 6. index has room for n.
 */
static double jackknife_acceleration(size_t n, bootstrap_statistic *statistic, void *arg,
				     size_t *index, double *values)
{
	double mean, squares = 0, cubes = 0;

	for (size_t left_out = 0; left_out < n; left_out++) {
		size_t m = 0;

		for (size_t i = 0; i < n; i++)
			if (i != left_out)
				index[m++] = i;
		values[left_out] = statistic(index, m, arg);
	}
	mean = stats_mean(values, n);
	for (size_t i = 0; i < n; i++) {
		double d = mean - values[i];

		squares += d * d;
		cubes += d * d * d;
	}
	return squares > 0 ? cubes / (6 * pow(squares, 1.5)) : squares == 0 ? 0 : NAN;
}

/* The level at which to read the sorted resamples for the normal quantile z of the wanted one. */
static double bca_level(double z, double bias, double acceleration)
{
	double sum = bias + z;

	return normal_cdf(bias + sum / (1 - acceleration * sum));
}

/* Fills values with the statistic of the resamples, sorted; returns how many had one. */
static size_t resample(size_t n, bootstrap_statistic *statistic, void *arg, size_t resamples,
		       struct stats_random *random, size_t *index, double *values)
{
	size_t m = 0;

	for (size_t r = 0; r < resamples; r++) {
		double value;

		for (size_t i = 0; i < n; i++)
			index[i] = stats_random_below(random, n);
		value = statistic(index, n, arg);
		if (!isnan(value))
			values[m++] = value;
	}
	stats_sort(values, m);
	return m;
}

static void set_intervals(const double *values, double alpha, struct bootstrap *result)
{
	size_t m = result->resamples, below = 0;
	double z = normal_quantile(alpha / 2), share;

	while (below < m && values[below] < result->estimate)
		below++;
	/* All on one side: half a resample from the end, rather than an infinite correction. */
	share = fmin(fmax((double) below, 0.5), (double) m - 0.5) / (double) m;
	result->bias = normal_quantile(share);
	result->low = stats_quantile(values, m, alpha / 2);
	result->high = stats_quantile(values, m, 1 - alpha / 2);
	result->bca_low =
		stats_quantile(values, m, bca_level(z, result->bias, result->acceleration));
	result->bca_high =
		stats_quantile(values, m, bca_level(-z, result->bias, result->acceleration));
}

int bootstrap(size_t n, bootstrap_statistic *statistic, void *arg, size_t resamples, double alpha,
	      struct stats_random *random, struct bootstrap *ret_result)
{
	stats_cleanup_free size_t *index = calloc(n ? n : 1, sizeof(*index));
	stats_cleanup_free double *values = stats_doubles(resamples > n ? resamples : n);
	struct bootstrap result = { 0 };

	if (!n || !resamples || !(alpha > 0 && alpha < 1))
		return -EINVAL;
	if (!index || !values)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		index[i] = i;
	result.estimate = statistic(index, n, arg);
	if (isnan(result.estimate))
		return -EINVAL;
	result.acceleration =
		n > 1 ? jackknife_acceleration(n, statistic, arg, index, values) : NAN;
	result.resamples = resample(n, statistic, arg, resamples, random, index, values);
	if (!result.resamples)
		return -EINVAL;
	set_intervals(values, alpha, &result);
	*ret_result = result;
	return 0;
}

double bootstrap_mean(const size_t *index, size_t n, void *arg)
{
	const struct bootstrap_list *list = arg;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += list->x[index[i]];
	return sum / (double) n;
}

double bootstrap_quantile(const size_t *index, size_t n, void *arg)
{
	const struct bootstrap_list *list = arg;

	for (size_t i = 0; i < n; i++)
		list->scratch[i] = list->x[index[i]];
	stats_sort(list->scratch, n);
	return stats_quantile(list->scratch, n, list->p);
}

int bootstrap_quantile_of(const double *x, size_t n, double p, size_t resamples, double alpha,
			  struct stats_random *random, struct bootstrap *ret_result)
{
	stats_cleanup_free double *scratch = stats_doubles(n);
	struct bootstrap_list list = { .x = x, .p = p, .scratch = scratch };

	if (!scratch)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (isnan(x[i]))
			return -EINVAL;
	return bootstrap(n, bootstrap_quantile, &list, resamples, alpha, random, ret_result);
}
