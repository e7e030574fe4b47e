/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The run/sleep workload: one task that does a fixed amount of work, sleeps for a fixed time
 * counted from the end of that work, and so on. How long the work takes is what the kernel's choice
 * of frequency shows in.
 */
#pragma once

#include "workload/task.h"

struct runsleep {
	uint64_t work;     /* loops of work_run() an iteration */
	uint64_t sleep_ns; /* from the end of the work to an absolute timer */
	size_t uncounted;  /* iterations before those that are counted */
	size_t counted;
	struct task_attr attr;
	const volatile bool *stop; /* looked at between iterations; may be NULL */
};

struct runsleep_result {
	uint64_t *durations_ns; /* COUNTED of them, the caller's memory: wall time of the work */
	uint64_t cpu_ns;        /* CPU time of the task over the counted work */
	uint64_t waited_ns;     /* time it stood on a run queue, over all iterations
				   (/proc/thread-self/schedstat); UINT64_MAX: unknown */
	uint64_t late_ns;       /* the largest lateness of a wake-up from its sleep */
	size_t done;            /* counted iterations that were finished */
};

/* Runs it to its end in a thread of its own. 0, -EINTR where stop was set or a signal came, or what
 * task_apply() says. */
int runsleep_run(const struct runsleep *w, struct runsleep_result *result, struct error *err);
