/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Attributes of a workload's tasks: scheduling class, nice, uclamp, slice, timer slack, cgroup. Set
 * by the task itself before it starts to work.
 */
#pragma once

#include <stdint.h>

#include "lib/cpus.h"
#include "lib/error.h"

#define TASK_UNSET INT64_MIN

struct task_attr {
	int policy;   /* SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_FIFO, SCHED_RR, SCHED_DEADLINE;
			 -1 as inherited */
	int priority; /* 1..99 of fifo and rr */
	uint64_t runtime_ns, deadline_ns, period_ns; /* of deadline */
	int64_t nice;                                /* -20..19 or TASK_UNSET */
	int64_t uclamp_min, uclamp_max;              /* 0..1024, -1 to reset, or TASK_UNSET */
	uint64_t slice_ns; /* of other and batch, 100 us to 100 ms (kernel/sched/syscalls.c); 0
			      unset */
	uint64_t timer_slack_ns; /* prctl(2) PR_SET_TIMERSLACK; 0 unset */
	const char *cgroup; /* a cgroup v2 folder, absolute or below /sys/fs/cgroup; NULL unset. Not
			       owned. */
	const struct cpus *cpus; /* where it may run; NULL as inherited. Not owned. */
};

void task_attr_init(struct task_attr *attr);

/* `other`, `batch`, `idle`, `fifo:P`, `rr:P`, `deadline:R:D:P` with times. 0 or -EINVAL. */
int task_class_parse(const char *text, struct task_attr *attr, struct error *err);

/*
 * Gives the calling thread ATTR. Returns 0, -EPERM (what privilege is missing is in ERR),
 * -EOPNOTSUPP (the kernel has no such attribute, as uclamp without CONFIG_UCLAMP_TASK), or another
 * negative errno.
 */
int task_apply(const struct task_attr *attr, struct error *err);

/* The bytes that sched_setattr(2) would be called with, for tests. Returns the size of the struct,
 * 0 where no call is needed. */
struct task_sched_attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
	uint32_t util_min, util_max;
};
uint32_t task_sched_bytes(const struct task_attr *attr, struct task_sched_attr *ret);
