/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Student's and Welch's t tests. Not part of any verdict: they check the default procedure in
 * simulations.
 */
#pragma once

#include <stddef.h>

struct ttest {
	double difference; /* of the means, first minus second */
	double error;      /* its standard error */
	double t, df;
	double p;         /* two-sided */
	double low, high; /* interval of the difference */
};

/*
 * alpha: two-sided error of the interval. No value may be NaN or infinite, each list needs two
 * values, and these must not all be equal. Returns 0, -EINVAL for lists that fail this, or -ENOMEM.
 */
int ttest_one(const double *x, size_t n, double alpha, struct ttest *ret_test);
int ttest_paired(const double *x, const double *y, size_t n, double alpha, struct ttest *ret_test);
int ttest_welch(const double *x, size_t n_x, const double *y, size_t n_y, double alpha,
		struct ttest *ret_test);
int ttest_pooled(const double *x, size_t n_x, const double *y, size_t n_y, double alpha,
		 struct ttest *ret_test);

/*
 * Two one-sided tests of equivalence: the p-values for "difference <= -margin" and "difference >=
 * margin" being refuted. Both below alpha is the same as the interval of error 2 alpha lying inside
 * the margin.
 */
void ttest_equivalence(const struct ttest *test, double margin, double *ret_lower,
		       double *ret_upper);
