/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bootstrap intervals, for statistics that have no exact one (a ratio of sums, a quantile, a
 * spread). What is resampled are runs or blocks, never the iterations inside them. They need many:
 * with 10 units a 95 % interval covers .86 to .91; verdicts do not rest on them.
 */
#pragma once

#include <stddef.h>

#include "stats/random.h"

/* A usual number of resamples. */
#define BOOTSTRAP_USUAL 10000

/*
 * A statistic of the units whose indices are given (n of them, repetitions among them); arg is the
 * caller's data. NaN where it does not exist; such resamples are left out.
 */
typedef double bootstrap_statistic(const size_t *index, size_t n, void *arg);

struct bootstrap {
	double estimate;          /* of the units as they are */
	double low, high;         /* percentile interval */
	double bca_low, bca_high; /* bias-corrected, accelerated (Efron 1987); NaN: none */
	double bias; /* z0, the normal quantile of the share of resamples below the estimate */
	double acceleration; /* from the jackknife; 0 if leaving one out changes nothing */
	size_t resamples;    /* that had a value */
};

/*
 * n units, statistic(index, n, arg), `resamples` of them, intervals of two-sided error alpha. Uses
 * and advances random. Returns 0, -EINVAL (n = 0, no resamples, alpha out of range, no value of the
 * statistic for the units as they are or for any resample) or -ENOMEM.
 */
int bootstrap(size_t n, bootstrap_statistic *statistic, void *arg, size_t resamples, double alpha,
	      struct stats_random *random, struct bootstrap *ret_result);

/* What arg points to for the two statistics of one list below. */
struct bootstrap_list {
	const double *x;
	double p;        /* for the quantile */
	double *scratch; /* for the quantile, as many as there are units */
};

/* Its mean, and its p-quantile of type 7. */
bootstrap_statistic bootstrap_mean;
bootstrap_statistic bootstrap_quantile;

/*
 * The p-quantile of n values, e.g. 0.05 and 0.95 of the times of repeated runs, with its interval.
 * Values may be infinite, NaN may not. Returns as bootstrap().
 */
int bootstrap_quantile_of(const double *x, size_t n, double p, size_t resamples, double alpha,
			  struct stats_random *random, struct bootstrap *ret_result);
