/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking at results before the last block, without paying for it in false alarms. */
#pragma once

#include <stddef.h>

#define LOOKS_MAX 3

/*
 * The two-sided level of look 1 .. looks, looks 1 .. LOOKS_MAX, such that all looks together keep
 * 0.05: O'Brien and Fleming's boundaries z = c sqrt(looks / look), c of Jennison and Turnbull
 * (Group Sequential Methods, table 2.3). NaN for arguments out of range.
 */
double looks_level(unsigned int look, unsigned int looks);

/* How many of n blocks are complete at that look: n look / looks, rounded up. */
size_t looks_blocks(size_t n, unsigned int look, unsigned int looks);

/*
 * The sign martingale, for watching without a plan: 2^n B(k + 1, n - k + 1), k of n differences
 * (zeros left out) being positive. Whenever it reaches 1 / alpha one may stop, and has kept alpha
 * (Ville's inequality). INFINITY if too large for a double; NaN for k > n.
 */
double sign_martingale(size_t k, size_t n);
