/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long one loop of work_run() takes on a CPU at the frequency that it has now, as a fraction of
 * a nanosecond. The caller sees to it that this is the highest one.
 */
#pragma once

#include <stdint.h>

#include "lib/error.h"

struct calibration {
	int cpu;
	double ns_per_loop;
	double spread;    /* (25th - 5th percentile) / 5th of the windows: what is not known about
			     ns_per_loop */
	unsigned windows; /* how many were timed */
	uint64_t took_ns;
};

/*
 * Times windows of about 1 ms on CPU for at least 200 ms and at most 900 ms, until the fast quarter
 * of them agrees within 0.2 %, and takes their 5th percentile: interruptions and stolen time only
 * ever make a window longer. Returns 0, -EINTR, or a negative errno with ERR set.
 */
int calibrate(int cpu, const volatile bool *stop, struct calibration *ret, struct error *err);

/* The loops that take DURATION: round(duration / cost), at least 1. */
uint64_t calibration_loops(const struct calibration *c, uint64_t duration_ns);
