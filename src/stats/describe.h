/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Descriptions of one list of numbers.
 *
 * NaN is never a value: every function here answers -EINVAL (or NaN, where it returns a double)
 * when one is in the list. +INFINITY is a censored value, "longer than the window": it sorts as the
 * largest, so quantiles and extremes stay right, while mean and sd become NaN, for the caller to
 * print as "no number".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct summary {
	size_t n;
	size_t n_infinite; /* censored values among them */
	double mean, sd;   /* sd with n - 1; NaN for n < 2 */
	double min, p5, median, p95, max;
};

/*
 * Everything that a report shows of a list. Quantiles are of type 7. An empty list gives n = 0 and
 * NaN elsewhere. Returns 0, -EINVAL (NaN in the list) or -ENOMEM.
 */
int describe(const double *x, size_t n, struct summary *ret_summary);

/* Mean, corrected by a second pass over the residuals. NaN if n = 0 or any is not finite. */
double stats_mean(const double *x, size_t n);

/*
 * Standard deviation (n - 1) in two passes, since the textbook sum of squares loses every digit of,
 * say, 10000000.2 +- 0.1. NaN if n < 2 or any is not finite.
 */
double stats_sd(const double *x, size_t n);

/*
 * Autocorrelation at lag 1 as R's acf() and NIST StRD define it: the lagged products over the whole
 * sum of squares. NaN if n < 2, if all values are equal or if any is not finite.
 */
double stats_autocorrelation(const double *x, size_t n);

/* Ascending, -0 and 0 alike; no NaN may be in x. */
void stats_sort(double *x, size_t n);

/* An ascending copy, to be freed by the caller. Returns 0, -EINVAL (NaN in x) or -ENOMEM. */
int stats_sorted_copy(const double *x, size_t n, double **ret_sorted);

/*
 * The p-quantile (0 <= p <= 1) of ascending values, Hyndman and Fan (1996) type 7: linear between
 * the order statistics around 1 + (n - 1) p. NaN if n = 0 or p is out of range.
 */
double stats_quantile(const double *sorted, size_t n, double p);

/* As above, type 1 (nearest rank): the smallest value with at least n p values up to it. */
double stats_quantile_nearest(const double *sorted, size_t n, double p);

/* The mean of the middle one or two of ascending values; -INFINITY and +INFINITY meet at 0. */
double stats_median(const double *sorted, size_t n);

/*
 * Median absolute deviation from the median, times 1.4826, so that it estimates the sd of a normal
 * distribution. x in any order. NaN if n = 0 or the median is infinite. Returns as
 * stats_sorted_copy().
 */
int stats_mad(const double *x, size_t n, double *ret_mad);

/* Whether n values can carry the p-quantile: at least 10 of them are expected beyond it. */
bool stats_quantile_supported(size_t n, double p);
