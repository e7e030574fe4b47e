/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variance components of runs and iterations, and the ratio of two means. */
#include "stats/variance.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "stats/alloc.h"
#include "stats/describe.h"
#include "stats/dist.h"

static bool level_ok(double alpha)
{
	return alpha > 0 && alpha < 1;
}

/* Half the interval of a mean from n values. */
static double half_width(const double *x, size_t n, double alpha)
{
	return t_quantile(1 - alpha / 2, (double) n - 1) * stats_sd(x, n) / sqrt((double) n);
}

int variance_components(const double *x, size_t n_runs, size_t n_iterations, double alpha,
			struct variance *ret_variance)
{
	stats_cleanup_free double *means = stats_doubles(n_runs);
	double n = (double) n_runs, m = (double) n_iterations, half, within = 0;
	struct variance v = { .n_runs = n_runs, .n_iterations = n_iterations };

	if (!means)
		return -ENOMEM;
	if (n_runs < 2 || !n_iterations || !level_ok(alpha))
		return -EINVAL;
	for (size_t run = 0; run < n_runs; run++) {
		const double *values = x + run * n_iterations;

		means[run] = stats_mean(values, n_iterations);
		within += n_iterations > 1 ? pow(stats_sd(values, n_iterations), 2) : NAN;
	}
	v.mean = stats_mean(means, n_runs);
	if (isnan(v.mean))
		return -EINVAL;
	half = half_width(means, n_runs, alpha);
	v.low = v.mean - half;
	v.high = v.mean + half;
	v.ms_between = m * pow(stats_sd(means, n_runs), 2);
	v.ms_within = within / n;
	v.f = v.ms_between / v.ms_within;
	v.p = f_upper(v.f, n - 1, n * (m - 1));
	v.sd_within = sqrt(v.ms_within);
	v.sd_between = isnan(v.ms_within) ? NAN : sqrt(fmax(v.ms_between - v.ms_within, 0) / m);
	*ret_variance = v;
	return 0;
}

double iterations_worth(double cost_run, double cost_iteration, double sd_within, double sd_between)
{
	return sqrt(cost_run / cost_iteration) * sd_within / sd_between;
}

int fieller_ratio(const double *new, size_t n_new, const double *base, size_t n_base, double alpha,
		  double *ret_ratio, double *ret_low, double *ret_high)
{
	double a, b, half_a, half_b, product, root, below;

	if (n_new < 2 || n_base < 2 || !level_ok(alpha))
		return -EINVAL;
	a = stats_mean(new, n_new);
	b = stats_mean(base, n_base);
	if (isnan(a) || isnan(b))
		return -EINVAL;
	half_a = half_width(new, n_new, alpha);
	half_b = half_width(base, n_base, alpha);
	*ret_ratio = a / b;
	*ret_low = -INFINITY;
	*ret_high = INFINITY;
	below = b * b - half_b * half_b;
	if (!(below > 0))
		return 0;
	product = a * b;
	root = sqrt(fmax(product * product - below * (a * a - half_a * half_a), 0));
	*ret_low = (product - root) / below;
	*ret_high = (product + root) / below;
	return 0;
}
