/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sched/NAME=VALUE: a value of the scheduler, in debugfs sched/NAME since 5.13, in
 * /proc/sys/kernel/sched_NAME before. */
#include <errno.h>

#include "knob/debugfs.h"

static bool is_safe(const char *name)
{
	return *name && *name != '/' && !strstr(name, "..");
}

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	char path[256], old[256];
	int r;

	if (!is_safe(rq->base) || streq(rq->base, "features"))
		return fail(err, -EINVAL, "`%s` is no name of a value; features are %s", rq->name,
			    "sched_feature/NAME");
	snprintf(path, sizeof(path), SCHED_FOLDER "/%.200s", rq->base);
	snprintf(old, sizeof(old), "/proc/sys/kernel/sched_%.200s", rq->base);
	r = debugfs_probe(rq->root, path);
	if (r < 0 && root_exists(rq->root, "%s", old))
		snprintf(path, sizeof(path), "%s", old);
	else if (r < 0)
		return debugfs_explain(rq->root, rq->name, path, r, err);
	return changes_add(ret, CHANGE_WRITE, rq->name, path) ? 0 : out_of_memory(err);
}

static int available(const struct root *root, struct error *err)
{
	_cleanup_strv_ char **old = NULL;
	int r = debugfs_probe(root, SCHED_FOLDER "/features");

	if (r == 0 || root_list(root, "sched_", &old, "/proc/sys/kernel") > 0)
		return 0;
	return debugfs_explain(root, "sched/NAME", SCHED_FOLDER, r, err);
}

const struct knob knob_sched = {
	.name = "sched/NAME",
	.help = "value of the scheduler, as debugfs sched/ has it",
	.scope = "machine",
	.stage = STAGE_OTHER,
	.verified = "",
	.prefix = "sched/",
	.available = available,
	.find = find,
};
