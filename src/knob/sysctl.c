/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysctl/NAME=VALUE: a file below /proc/sys, its name with dots or slashes. As sysctl(8) has it,
 * the first separator decides what separates. */
#include <errno.h>

#include "knob/knob-internal.h"

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	char path[256] = "/proc/sys/";
	size_t used = strlen(path), n = strlen(rq->base);
	bool slashes = rq->base[strcspn(rq->base, "./")] == '/';

	if (n == 0 || used + n >= sizeof(path) || rq->base[0] == '/' || strstr(rq->base, ".."))
		return fail(
			err, -EINVAL,
			"`%s` is no name of a sysctl: expected one as sysctl/kernel.sched_rt_runtime_us",
			rq->name);
	for (const char *p = rq->base; *p; p++)
		path[used++] = slashes || (*p != '.' && *p != '/') ? *p : *p == '.' ? '/' : '.';
	path[used] = '\0';
	if (!root_exists(rq->root, "%s", path))
		return fail(err, -EOPNOTSUPP, "%s: %s is not there: this kernel has no such sysctl",
			    rq->name, path);
	return changes_add(ret, CHANGE_WRITE, rq->name, path) ? 0 : out_of_memory(err);
}

static int available(const struct root *root, struct error *err)
{
	if (root_exists(root, "/proc/sys/kernel"))
		return 0;
	return fail(err, -EOPNOTSUPP, "sysctl/NAME: /proc/sys/kernel is not there");
}

const struct knob knob_sysctl = {
	.name = "sysctl/NAME",
	.help = "kernel variable below /proc/sys, its name with dots or slashes",
	.scope = "machine",
	.stage = STAGE_OTHER,
	.verified = "",
	.prefix = "sysctl/",
	.available = available,
	.find = find,
};
