/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/rng.h"

#include <sys/random.h>

#include "lib/clock.h"

void rng_init(struct rng *rng, uint64_t seed)
{
	rng->state = seed;
}

uint64_t rng_next(struct rng *rng)
{
	uint64_t z = (rng->state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
	uint64_t reject = -bound % bound, x;

	do
		x = rng_next(rng);
	while (x < reject);
	return x % bound;
}

double rng_unit(struct rng *rng)
{
	return (double) (rng_next(rng) >> 11) * 0x1p-53;
}

void rng_permutation(struct rng *rng, size_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t) rng_below(rng, i), t = order[i - 1];

		order[i - 1] = order[j];
		order[j] = t;
	}
}

uint64_t rng_fresh_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = clock_ns(CLOCK_REALTIME) * 0x9e3779b97f4a7c15ULL;
	return seed >> 33; /* short enough to retype */
}
