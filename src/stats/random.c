/* SPDX-License-Identifier: GPL-2.0-or-later */
/* xoshiro256** with its state in the caller's hands. */
#include "stats/random.h"

static uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

void stats_random_init(struct stats_random *random, uint64_t seed)
{
	for (size_t i = 0; i < 4; i++)
		random->s[i] = splitmix64(&seed);
}

uint64_t stats_random_next(struct stats_random *random)
{
	uint64_t *s = random->s, result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate(s[3], 45);
	return result;
}

size_t stats_random_below(struct stats_random *random, size_t n)
{
	uint64_t reject = (UINT64_MAX - n + 1) % n; /* 2^64 mod n */
	uint64_t x;

	do {
		x = stats_random_next(random);
	} while (x < reject);
	return (size_t) (x % n);
}

double stats_random_unit(struct stats_random *random)
{
	return ((double) (stats_random_next(random) >> 12) + 0.5) * 0x1p-52;
}
