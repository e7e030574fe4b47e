/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a number of blocks can show. Effects and margins are in units of the standard deviation
 * of the analysed values (the sd of d for blocks, of one value for two lists).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The power that plans aim at. */
#define POWER_USUAL 0.8

/* No plan is asked for more blocks than this. */
#define BLOCKS_MAX 1000000

/*
 * Power of the two-sided t test to find delta in its own direction, as R's power.t.test(): n (any
 * real >= 2) pairs, or n values a side. NaN for arguments out of range.
 */
double power_t_test(double n, double delta, double alpha, bool paired);

/* The n at which it reaches this power; NaN if that is beyond 10^7. */
double power_t_test_n(double delta, double alpha, double power, bool paired);

/*
 * The smallest effect that the signed-rank test on n blocks finds with this power: the t test's,
 * divided by the square root of the test's asymptotic relative efficiency under normality, 3 / pi
 * (Hodges and Lehmann 1956). INFINITY if no result on n blocks can reach alpha.
 */
double detectable_paired(size_t n, double alpha, double power);

/* The same for the rank sum test on two lists, in units of the sd of one value. */
double detectable_unpaired(size_t n_x, size_t n_y, double alpha, double power);

/*
 * The chance that the interval of error alpha from n blocks lies inside +-margin if there is no
 * difference at all: the t interval's, with the same efficiency.
 */
double same_chance(size_t n, double margin, double alpha);

/*
 * The fewest of blocks with which anything can be significant in c comparisons under Holm: 2 / 2^n
 * <= alpha / c. c = 0 counts as 1.
 */
size_t blocks_minimum(size_t c, double alpha);

/* The blocks needed to find an effect > 0 with this power; 0 if more than BLOCKS_MAX. */
size_t blocks_to_detect(double effect, double alpha, double power);

/* The blocks needed to show sameness within +-margin, with this chance if it is so; 0 as above. */
size_t blocks_to_show_same(double margin, double alpha, double power);
