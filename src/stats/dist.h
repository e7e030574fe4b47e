/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distribution functions and quantiles. Arguments outside their range give NaN. Continuous ones are
 * good to about 1e-12 relative, in the tails too; t and F beyond 1e5 degrees of freedom to 1e-8.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Beyond this many values (of each side) ranks are treated as normally distributed. */
#define RANKS_EXACT_MAX 60

/* Normal: P(Z <= x) through erfc(), so that tails keep their digits. */
double normal_cdf(double x);

/* Its quantile, algorithm AS 241 PPND16 (Wichura 1988); -INFINITY at p = 0, INFINITY at 1. */
double normal_quantile(double p);

/* ln B(a, b), a and b > 0; accurate for a large one beside 1/2, as t needs it. */
double ln_beta(double a, double b);

/*
 * The regularised incomplete beta function I_x(a, b), a and b > 0, 0 <= x <= 1, and y = 1 - x given
 * apart, so that neither loses its digits. Continued fraction DLMF 8.17.22, evaluated by Lentz's
 * method.
 */
double beta_cdf(double x, double y, double a, double b);

/* Student's t, df > 0 real: P(T <= t) = I(df / (df + t^2); df/2, 1/2) / 2 for t < 0. */
double t_cdf(double t, double df);

/* Its quantile, 0 < p < 1, by Newton steps kept inside a bracket. */
double t_quantile(double p, double df);

/*
 * Mean of f(s) over s = sqrt(chi^2_df / df), the ratio of an estimated standard deviation to the
 * true one: the integral behind the power of every t-like procedure. Trapezoids over ln s, which
 * converge exponentially for smooth f.
 */
double sd_ratio_mean(double df, double (*f)(double s, const void *arg), const void *arg);

/* Noncentral t: P(T <= t), T = (Z + shift) / s, s as above. */
double t_cdf_shifted(double t, double df, double shift);

/* F: P(F > f). */
double f_upper(double f, double df1, double df2);

/*
 * The null distribution of a sum of weights, each taken with probability 1/2 (Wilcoxon's signed
 * ranks): prob[s], 0 <= s <= sum of weights, has room for all of them.
 */
void signed_sum_distribution(const unsigned int *weights, size_t n, double *prob);

/*
 * The null distribution of the sum of m of n ascending weights (Wilcoxon's rank sum), every choice
 * equally likely. *ret_prob[s], s < *ret_len, is to be freed. Returns 0, -EINVAL (m > n, or weights
 * not ascending) or -ENOMEM.
 */
int chosen_sum_distribution(const unsigned int *weights, size_t n, size_t m, double **ret_prob,
			    size_t *ret_len);

/* Wilcoxon signed rank without ties: P(V <= v), n <= RANKS_EXACT_MAX, as R's psignrank(). */
double psignrank(double v, size_t n);

/* Smallest v with P(V <= v) >= p, as R's qsignrank(). */
double qsignrank(double p, size_t n);

/*
 * Mann-Whitney without ties: P(U <= u) for m and n values, both <= RANKS_EXACT_MAX, as R's
 * pwilcox(). Returns 0, -EINVAL or -ENOMEM.
 */
int pwilcox(double u, size_t m, size_t n, double *ret_p);

/*
 * The order statistic that bounds a two-sided interval of error alpha: the largest k with 2 P(V <=
 * k - 1) <= alpha, 0 where there is none; *ret_error is the error that it has. Exact up to
 * RANKS_EXACT_MAX, else normal with continuity correction.
 */
size_t signrank_bound(size_t n, double alpha, double *ret_error);
int wilcox_bound(size_t m, size_t n, double alpha, size_t *ret_k, double *ret_error);
