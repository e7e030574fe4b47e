/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Midranks, and selection among all pairs of two lists. Used by signedrank.c and ranksum.c; not for
 * other folders.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What ranking the union of two lists says. Doubled midranks are whole numbers. */
struct merged_ranks {
	uint64_t sum; /* of the doubled midranks of the first list */
	double ties;  /* sum of t^3 - t over the groups of t equal values */
};

/*
 * Ranks the union of two ascending lists; values that are equal share the mean of their ranks.
 * ret_ranks, where not NULL, takes the na + nb doubled midranks in ascending order.
 */
struct merged_ranks merge_ranks(const double *a, size_t na, const double *b, size_t nb,
				unsigned int *ret_ranks);

/* The probabilities of a statistic's being so low, so high, and either. */
struct tails {
	double less, greater, both;
};

/*
 * For whole-numbered statistics: prob[s], 0 <= s < len, observed value s. both = 2 min(less,
 * greater), at most 1.
 */
struct tails tails_exact(const double *prob, size_t len, size_t s);

/* For a normally distributed one that moves in steps of 1; all 1 if sd is 0. */
struct tails tails_normal(double value, double mean, double sd, bool half_step);

/*
 * All sums a[i] + b[j] of two ascending lists, or, where b is NULL, a[i] + a[j] with i <= j. They
 * are never stored: a sum of opposite infinities counts as 0, which keeps rows and columns
 * ascending.
 */
struct pair_sums {
	const double *a, *b;
	size_t na, nb;
};

/* How many pairs there are. */
uint64_t pair_sums_count(const struct pair_sums *sums);

/*
 * The k-th smallest sum, 1 <= k <= count. Each step counts in O(na + nb) the sums up to a pivot
 * that is interpolated between the last bounds (bisected when that does not help); once few remain
 * they are collected and sorted. Returns 0, -EINVAL (k out of range) or -ENOMEM.
 */
int pair_sums_select(const struct pair_sums *sums, uint64_t k, double *ret_sum);

/* The mean of the middle one or two sums; a sum of opposite infinities counts as 0. */
int pair_sums_median(const struct pair_sums *sums, double *ret_median);

/*
 * The k-th smallest and k-th largest sum, -INFINITY and INFINITY for k = 0. Returns as
 * pair_sums_select().
 */
int pair_sums_interval(const struct pair_sums *sums, uint64_t k, double *ret_low, double *ret_high);
