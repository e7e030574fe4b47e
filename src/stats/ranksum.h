/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two lists that were not paired: the Mann-Whitney (Wilcoxon rank sum) test with the Hodges-Lehmann
 * shift and its interval (Hollander and Wolfe, 4.1-4.3). For saved results of two separate
 * experiments; it does not control drift.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct ranksum {
	size_t n_x, n_y;
	double u;                 /* pairs with x > y, plus half of those that are equal */
	double p;                 /* two-sided, 2 min(p_less, p_greater), at most 1 */
	double p_less, p_greater; /* x tends to be the smaller, the larger */
	double shift;             /* median of x_i - y_j */
	double low, high; /* its interval; infinite if the lists are too short for that level */
	double level;     /* what the interval really covers, >= 1 - alpha; 1 for an infinite one */
	bool exact;       /* false: normal, as either list is longer than RANKS_EXACT_MAX */
};

/*
 * alpha: two-sided error of the interval, 0 < alpha < 1. p is exact given the ties up to
 * RANKS_EXACT_MAX values a side and normal with corrections for ties and continuity beyond.
 * +INFINITY is censored and ranks as the largest; two censored values differ by 0. Takes O((n_x +
 * n_y) log) time and O(n_x + n_y) memory: a million a side is under a second. An empty list
 * gives p 1, shift NaN. Returns 0, -EINVAL (NaN in a list, or alpha out of range) or -ENOMEM.
 */
int ranksum(const double *x, size_t n_x, const double *y, size_t n_y, double alpha,
	    struct ranksum *ret_result);

/*
 * The normal approximation of the two-sided p alone, as R's wilcox.test(exact = FALSE): ties is the
 * sum of t^3 - t over the groups of t equal values.
 */
double ranksum_p_normal(double u, size_t n_x, size_t n_y, double ties, bool continuity);
