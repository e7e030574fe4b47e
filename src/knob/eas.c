/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * eas=0|1: energy aware scheduling (Documentation/admin-guide/sysctl/kernel.rst,
 * sched_energy_aware). Newer kernels show an empty file where the platform cannot do it.
 */
#include <errno.h>

#include "knob/knob-internal.h"

#define SWITCH "/proc/sys/kernel/sched_energy_aware"

static int available(const struct root *root, struct error *err)
{
	char buf[16];
	int r = root_read(root, buf, sizeof(buf), SWITCH);

	if (r == -ENODATA)
		return fail(err, -EOPNOTSUPP,
			    "eas: " SWITCH
			    " is empty: not possible here (it needs CPUs of different "
			    "capacity without SMT, an energy model, and schedutil on all of them)");
	if (r == -ENOENT)
		return fail(err, -EOPNOTSUPP,
			    "eas: " SWITCH " is not there: this kernel was built without it");
	return r < 0 ? fail(err, r, "eas: " SWITCH ": %s", strerror(-r)) : 0;
}

static bool sets_schedutil(const struct request *rq)
{
	for (size_t i = 0; i < rq->n_batch; i++)
		if (rq->batch[i].knob == &knob_governor && rq->batch[i].value &&
		    streq(rq->batch[i].value, "schedutil"))
			return true;
	return false;
}

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	int r = available(rq->root, err);

	if (r < 0)
		return r;
	return changes_add(ret, CHANGE_WRITE, rq->name, SWITCH) ? 0 : out_of_memory(err);
}

/* The switch may appear only with the governor that the same batch sets. */
static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_free_ char *value = NULL;
	int r = encode_switch(rq, NULL, &value, err);

	if (r == 0 && rq->dry && sets_schedutil(rq) && root_exists(rq->root, SWITCH) &&
	    available(rq->root, NULL) < 0)
		return 0;
	return r == 0 ? plan_files(rq, ret, err) : r;
}

const struct knob knob_eas = {
	.name = "eas",
	.help = "energy aware scheduling, 0 or 1",
	.scope = "machine",
	.stage = STAGE_OTHER,
	.verified = "",
	.available = available,
	.find = find,
	.encode = encode_switch,
	.plan = plan,
};
