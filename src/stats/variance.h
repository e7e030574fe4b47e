/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where scatter comes from, between runs or inside them, and what that means for plans (Kalibera
 * and Jones 2013; Georges, Buytaert and Eeckhout 2007). The highest level that is drawn at random
 * is the unit: intervals come from run means.
 */
#pragma once

#include <stddef.h>

struct variance {
	size_t n_runs, n_iterations; /* iterations of each run */
	double mean;                 /* of the run means */
	double low, high;            /* its interval, t with n_runs - 1 degrees of freedom */
	double ms_between, ms_within;
	double f, p;       /* whether runs differ by more than their iterations do */
	double sd_between; /* sqrt((ms_between - ms_within) / n_iterations), at least 0 */
	double sd_within;
};

/*
 * x[run * n_iterations + iteration], balanced. alpha: two-sided error of the interval. n_iterations
 * = 1 gives NaN where iterations would be needed. Returns 0, -EINVAL (NaN or infinite values,
 * n_runs < 2, no iterations, alpha) or -ENOMEM.
 */
int variance_components(const double *x, size_t n_runs, size_t n_iterations, double alpha,
			struct variance *ret_variance);

/*
 * How many iterations a run is worth: sqrt(cost of starting a run / cost of an iteration *
 * sd_within^2 / sd_between^2), which minimises the variance of the mean at a given total cost.
 * INFINITY if runs do not differ.
 */
double iterations_worth(double cost_run, double cost_iteration, double sd_within,
			double sd_between);

/*
 * Interval of mean_new / mean_base from two independent lists (Fieller 1954), with t quantiles of
 * n_new - 1 and n_base - 1 degrees of freedom as Kalibera and Jones have it. If the base's interval
 * includes 0 the ratio is unbounded: -INFINITY and INFINITY. Returns 0 or -EINVAL (NaN or infinite
 * values, fewer than 2 a list, alpha).
 */
int fieller_ratio(const double *new, size_t n_new, const double *base, size_t n_base, double alpha,
		  double *ret_ratio, double *ret_low, double *ret_high);
