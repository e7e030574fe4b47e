/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of CPUs by number, as large as Linux allows (CONFIG_NR_CPUS is at most 8192). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"

#define CPUS_MAX 8192

struct cpus {
	uint64_t bits[CPUS_MAX / 64];
};

static inline bool cpus_has(const struct cpus *set, int cpu)
{
	return cpu >= 0 && cpu < CPUS_MAX && (set->bits[cpu / 64] >> (cpu % 64) & 1);
}

static inline void cpus_add(struct cpus *set, int cpu)
{
	if (cpu >= 0 && cpu < CPUS_MAX)
		set->bits[cpu / 64] |= 1ULL << (cpu % 64);
}

static inline void cpus_clear(struct cpus *set)
{
	*set = (struct cpus) { 0 };
}

int cpus_count(const struct cpus *set);
int cpus_first(const struct cpus *set); /* -1 where the set is empty */
int cpus_last(const struct cpus *set);  /* -1 where the set is empty */
int cpus_next(const struct cpus *set,
	      int after); /* first one above AFTER, -1 where there is none */
bool cpus_equal(const struct cpus *a, const struct cpus *b);
bool cpus_subset(const struct cpus *a, const struct cpus *of);
void cpus_and(struct cpus *a, const struct cpus *b);
void cpus_or(struct cpus *a, const struct cpus *b);

#define for_each_cpu(cpu, set) for (int cpu = cpus_first(set); cpu >= 0; cpu = cpus_next(set, cpu))

/*
 * Reads `0-3,8` or `0-3+8` (the form in option values), also `0 1 2` as related_cpus is written,
 * and `0-6:2`. Returns 0, or -EINVAL with what is wrong in ERR (which may be NULL). An empty text
 * gives an empty set.
 */
int cpus_parse(const char *text, struct cpus *ret, struct error *err);

/* Writes `0-3,8`; cut off at SIZE. Returns BUF. */
char *cpus_format(const struct cpus *set, char *buf, size_t size);

/* Pins the calling thread to SET, or returns a negative errno. */
int cpus_pin(const struct cpus *set);

/* The CPUs that the calling thread may run on. Returns 0 or a negative errno. */
int cpus_allowed(struct cpus *ret);
