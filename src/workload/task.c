/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/task.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "lib/file.h"
#include "lib/units.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

/* include/uapi/linux/sched.h */
enum {
	FLAG_KEEP_POLICY = 0x08,
	FLAG_KEEP_PARAMS = 0x10,
	FLAG_UTIL_CLAMP_MIN = 0x20,
	FLAG_UTIL_CLAMP_MAX = 0x40,
};

_Static_assert(sizeof(struct task_sched_attr) == 56, "struct sched_attr, version 1");

static const struct {
	const char *name;
	int policy;
} classes[] = {
	{ "other", SCHED_OTHER }, { "batch", SCHED_BATCH }, { "idle", SCHED_IDLE },
	{ "fifo", SCHED_FIFO },   { "rr", SCHED_RR },       { "deadline", SCHED_DEADLINE },
};

void task_attr_init(struct task_attr *attr)
{
	*attr = (struct task_attr) {
		.policy = -1,
		.nice = TASK_UNSET,
		.uclamp_min = TASK_UNSET,
		.uclamp_max = TASK_UNSET,
	};
}

static int parse_deadline(const char *text, struct task_attr *attr, struct error *err)
{
	uint64_t *fields[] = { &attr->runtime_ns, &attr->deadline_ns, &attr->period_ns };
	char copy[96], *rest = copy;

	if (strlen(text) >= sizeof(copy))
		return fail(err, -EINVAL, "--class deadline: `%.80s` is too long", text);
	strcpy(copy, text);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		char *part = strsep(&rest, ":");
		int r;

		if (!part || !*part)
			return fail(err, -EINVAL,
				    "--class deadline needs deadline:RUNTIME:DEADLINE:PERIOD, as "
				    "deadline:2ms:10ms:10ms");
		r = parse_time("--class deadline", part, fields[i], err);
		if (r < 0)
			return r;
	}
	if (rest || attr->runtime_ns < 1024 || attr->runtime_ns > attr->deadline_ns ||
	    attr->deadline_ns > attr->period_ns)
		return fail(
			err, -EINVAL,
			"--class deadline:%s: expected 1024 ns <= RUNTIME <= DEADLINE <= PERIOD",
			text);
	return 0;
}

int task_class_parse(const char *text, struct task_attr *attr, struct error *err)
{
	const char *colon = strchrnul(text, ':');
	size_t length = (size_t) (colon - text), i;
	uint64_t priority;
	int r;

	for (i = 0; i < ARRAY_SIZE(classes); i++)
		if (strlen(classes[i].name) == length &&
		    strncmp(classes[i].name, text, length) == 0)
			break;
	if (i == ARRAY_SIZE(classes))
		return fail(
			err, -EINVAL,
			"--class: `%s` is none of other, batch, idle, fifo:P, rr:P, deadline:R:D:P",
			text);
	attr->policy = classes[i].policy;
	if (attr->policy == SCHED_DEADLINE)
		return parse_deadline(*colon ? colon + 1 : "", attr, err);
	if (attr->policy != SCHED_FIFO && attr->policy != SCHED_RR)
		return *colon ? fail(err, -EINVAL, "--class: %s takes no parameter",
				     classes[i].name)
			      : 0;
	if (!*colon)
		return fail(err, -EINVAL, "--class: %s needs a priority, as %s:50", text, text);
	r = parse_u64_text("--class", colon + 1, &priority, err);
	if (r < 0)
		return r;
	if (priority < 1 || priority > 99)
		return fail(err, -EINVAL,
			    "--class: priority `%s` is out of range, expected 1 to 99", colon + 1);
	attr->priority = (int) priority;
	return 0;
}

uint32_t task_sched_bytes(const struct task_attr *attr, struct task_sched_attr *ret)
{
	bool policy_set = attr->policy >= 0 || attr->nice != TASK_UNSET || attr->slice_ns;

	*ret = (struct task_sched_attr) { .size = sizeof(*ret) };
	if (policy_set) {
		ret->policy = (uint32_t) MAX(attr->policy, SCHED_OTHER);
		ret->nice = attr->nice == TASK_UNSET ? 0 : (int32_t) attr->nice;
		ret->priority = (uint32_t) attr->priority;
		ret->runtime = attr->policy == SCHED_DEADLINE ? attr->runtime_ns : attr->slice_ns;
		ret->deadline = attr->deadline_ns;
		ret->period = attr->period_ns;
	} else {
		ret->flags = FLAG_KEEP_POLICY | FLAG_KEEP_PARAMS;
	}
	if (attr->uclamp_min != TASK_UNSET) {
		ret->flags |= FLAG_UTIL_CLAMP_MIN;
		ret->util_min = (uint32_t) attr->uclamp_min;
	}
	if (attr->uclamp_max != TASK_UNSET) {
		ret->flags |= FLAG_UTIL_CLAMP_MAX;
		ret->util_max = (uint32_t) attr->uclamp_max;
	}
	return policy_set || ret->flags & (FLAG_UTIL_CLAMP_MIN | FLAG_UTIL_CLAMP_MAX) ? ret->size
										      : 0;
}

static int apply_sched(const struct task_attr *attr, struct error *err)
{
	bool clamps = attr->uclamp_min != TASK_UNSET || attr->uclamp_max != TASK_UNSET;
	struct task_sched_attr bytes;
	int r;

	if (!task_sched_bytes(attr, &bytes) || syscall(SYS_sched_setattr, 0, &bytes, 0) == 0)
		return 0;
	r = -errno;
	if (r == -EPERM)
		return fail(
			err, r,
			"the kernel refuses this scheduling class, nice value or clamp to this user; needs "
			"CAP_SYS_NICE (root), and for deadline a task that may run on all CPUs");
	if (clamps && (r == -EOPNOTSUPP || r == -E2BIG))
		return fail(err, -EOPNOTSUPP,
			    "this kernel has no utilisation clamps (CONFIG_UCLAMP_TASK)");
	if (r == -EBUSY)
		return fail(
			err, r,
			"the kernel admits no such deadline task: its CPUs' bandwidth is taken (EBUSY)");
	return fail(err, r, "sched_setattr: %s", strerror(-r));
}

static int apply_cgroup(const char *cgroup, struct error *err)
{
	char path[PATH_MAX];
	_cleanup_close_ int fd = -1;
	int n, r;

	n = snprintf(path, sizeof(path), "%s%s/cgroup.threads",
		     cgroup[0] == '/' ? "" : "/sys/fs/cgroup/", cgroup);
	if (n < 0 || (size_t) n >= sizeof(path))
		return fail(err, -EINVAL, "--cgroup %.80s...: the path is too long", cgroup);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	r = fd < 0 ? -errno : file_write_all(fd, "0", 1);
	if (r == -EOPNOTSUPP || r == -EBUSY ||
	    r == -EINVAL) { /* not threaded: move the whole process */
		close(fd);
		strcpy(strrchr(path, '/'), "/cgroup.procs");
		fd = open(path, O_WRONLY | O_CLOEXEC);
		r = fd < 0 ? -errno : file_write_all(fd, "0", 1);
	}
	if (r == -ENOENT)
		return fail(err, -EINVAL,
			    "--cgroup %s: %s is not there; make the cgroup (v2) first", cgroup,
			    path);
	return r < 0 ? fail(err, r, "--cgroup %s: %s: %s", cgroup, path, strerror(-r)) : 0;
}

int task_apply(const struct task_attr *attr, struct error *err)
{
	char list[128];
	int r = 0;

	if (attr->cgroup)
		r = apply_cgroup(attr->cgroup, err);
	if (r == 0 && attr->cpus) {
		r = cpus_pin(attr->cpus);
		if (r < 0)
			return fail(err, r, "cannot run on CPUs %s: %s",
				    cpus_format(attr->cpus, list, sizeof(list)), strerror(-r));
	}
	if (r == 0)
		r = apply_sched(attr, err);
	if (r == 0 && attr->timer_slack_ns &&
	    prctl(PR_SET_TIMERSLACK, attr->timer_slack_ns, 0, 0, 0) < 0)
		r = fail(err, -errno, "timer slack: %s", strerror(errno));
	return r;
}
