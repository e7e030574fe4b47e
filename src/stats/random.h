/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers for resampling: the state belongs to the caller, so the same seed gives the same
 * interval. Generator xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64 (Steele, Lea and
 * Flood 2014).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct stats_random {
	uint64_t s[4];
};

void stats_random_init(struct stats_random *random, uint64_t seed);

/* 64 random bits. */
uint64_t stats_random_next(struct stats_random *random);

/* Evenly from 0 .. n - 1, n > 0, without the bias of a remainder. */
size_t stats_random_below(struct stats_random *random, size_t n);

/* Evenly from (0, 1), never either end. */
double stats_random_unit(struct stats_random *random);
