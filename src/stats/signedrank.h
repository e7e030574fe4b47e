/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The default procedure for one list of differences (or log ratios), one per block: Wilcoxon's
 * signed-rank test with the Hodges-Lehmann estimate and its interval (Hollander and Wolfe,
 * Nonparametric Statistical Methods, 3.1-3.3).
 *
 * Exact because of the design, not of the data: without a difference, swapping the labels inside a
 * block changes only the sign of its d, and the order was drawn at random.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct signedrank {
	size_t n;      /* values */
	size_t n_used; /* those that are not 0, which alone enter the test */
	double v;      /* sum of the midranks of |d| of the positive ones */
	double p;      /* two-sided, 2 min(p_less, p_greater), at most 1 */
	double p_less, p_greater;
	double estimate;  /* median of all (d_i + d_j) / 2, i <= j; zeros are in */
	double low, high; /* -INFINITY and INFINITY if n is too small for that level */
	double level;     /* what the interval really covers, >= 1 - alpha; 1 for an infinite one */
	bool exact; /* neither p nor interval used the normal approximation (n > RANKS_EXACT_MAX) */
};

/*
 * alpha: two-sided error of the interval, 0 < alpha < 1, e.g. 0.05 or the level of a look. p is
 * conditional on the midranks of |d| (ties exact, zeros dropped). INFINITY (and -INFINITY) stands
 * for a censored difference and ranks as the largest; estimate and interval can then be infinite.
 * The interval comes from the distribution without ties or zeros, so that it agrees with p except
 * where differences are tied or exactly 0. n = 0 gives p 1, estimate NaN. Returns 0, -EINVAL (NaN
 * in d, or alpha out of range) or -ENOMEM.
 */
int signedrank(const double *d, size_t n, double alpha, struct signedrank *ret_result);
