/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Adjustment of p-values for the number of questions asked. */
#pragma once

#include <stddef.h>

/*
 * Holm (1979), for the primary metrics: the i-th smallest p times n - i + 1, never below an earlier
 * one, at most 1. Keeps the chance of any false verdict. ret_adjusted (n values, may be p itself)
 * keeps p's order. Returns 0, -EINVAL (a p outside [0, 1]) or -ENOMEM.
 */
int adjust_holm(const double *p, size_t n, double *ret_adjusted);

/*
 * Benjamini and Hochberg (1995), for all others: the i-th smallest p times n / i, never above a
 * later one. Keeps the share of false ones among those that are called. Arguments and results as
 * above.
 */
int adjust_bh(const double *p, size_t n, double *ret_adjusted);
