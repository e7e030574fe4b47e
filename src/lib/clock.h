/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLOCK_MONOTONIC in nanoseconds: the one clock that durations are taken with. */
#pragma once

#include <stdint.h>
#include <time.h>

#include "lib/macro.h"

static inline uint64_t timespec_ns(const struct timespec *ts)
{
	return (uint64_t) ts->tv_sec * NSEC_PER_SEC + (uint64_t) ts->tv_nsec;
}

static inline struct timespec ns_timespec(uint64_t ns)
{
	return (struct timespec) { .tv_sec = (time_t) (ns / NSEC_PER_SEC),
				   .tv_nsec = (long) (ns % NSEC_PER_SEC) };
}

static inline uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return timespec_ns(&ts);
}

static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Sleeps until the instant (CLOCK_MONOTONIC, ns). Returns 0, or -EINTR where a signal came first:
 * the caller decides whether to go on. */
int sleep_until_ns(uint64_t instant);

/* Wall-clock time now in seconds since the epoch, for records only. */
double wall_time(void);

/* ISO 8601 in UTC with seconds, `2026-01-31T12:00:00Z`. SIZE of 21 suffices. */
void wall_format(double t, char *buf, size_t size);
