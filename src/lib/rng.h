/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generator that plans are drawn from: splitmix64 (Steele, Lea, Flood 2014). Small, seedable
 * with any number, and the same on every machine, so that a recorded seed gives the same order
 * everywhere.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

void rng_init(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);

/* A number in 0 .. bound-1, without bias; bound > 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

/* A number in [0, 1). */
double rng_unit(struct rng *rng);

/* Puts 0 .. n-1 in random order (Fisher-Yates). */
void rng_permutation(struct rng *rng, size_t *order, size_t n);

/* A seed from the kernel, at most 2^53 so that JSON readers keep it exact. */
uint64_t rng_fresh_seed(void);
