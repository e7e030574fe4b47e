/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boost=0|1: frequencies above the nominal one, wherever this driver has the switch: cpufreq/boost
 * for all, intel_pstate/no_turbo (the other way round), policyN/boost and policyN/cpb. A switch
 * resets the highest frequency of the policies, so the limits are saved before.
 */
#include <errno.h>

#include "knob/policies.h"

#define NO_TURBO CPU_FOLDER "/intel_pstate/no_turbo"

static int add(const struct request *rq, const char *path, struct changes *ret, struct error *err)
{
	return changes_add(ret, CHANGE_WRITE, rq->name, path) ? 0 : out_of_memory(err);
}

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	static const char *const global[] = { CPUFREQ_FOLDER "/boost", NO_TURBO };
	static const char *const own[] = { "boost", "cpb" };

	for (size_t i = 0; i < ARRAY_SIZE(global) && rq->policy < 0 && rq->cpu < 0; i++)
		if (root_exists(rq->root, "%s", global[i]))
			return add(rq, global[i], ret, err);
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		int r = domains_files(rq, own[i], RULE_TEXT, "", ret, NULL);

		if (r == 0 || r == -ENOMEM)
			return r;
		if (r == -EINVAL) /* no such policy: domains_files() says it */
			return domains_files(rq, own[i], RULE_TEXT, "", ret, err);
	}
	return fail(err, -EOPNOTSUPP,
		    "%s: this machine has no such switch: none of " CPUFREQ_FOLDER
		    "/boost, " NO_TURBO ", policyN/boost, policyN/cpb",
		    rq->name);
}

static int invert(const char *text, char **ret, struct error *err)
{
	*ret = strdup(streq(text, "0") ? "1" : "0");
	return *ret ? 0 : out_of_memory(err);
}

static int encode(const struct request *rq, const struct change *file, char **ret,
		  struct error *err)
{
	_cleanup_free_ char *text = NULL;
	int r = encode_switch(rq, file, &text, err);

	if (r == 0 && streq(file->path, NO_TURBO))
		return invert(text, ret, err);
	*ret = steal_ptr(text);
	return r;
}

static int decode(const struct request *rq, const struct change *file, const char *text, char **ret,
		  struct error *err)
{
	if (streq(file->path, NO_TURBO))
		return invert(text, ret, err);
	*ret = strdup(text);
	return *ret ? 0 : out_of_memory(err);
}

static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_changes_ struct changes writes = { 0 };
	bool changes = false;
	int r = plan_files(rq, &writes, err);

	for (size_t i = 0; i < writes.n && r == 0; i++)
		changes |= !change_equal(&writes.list[i], writes.list[i].new, writes.list[i].old);
	if (r == 0 && changes)
		r = save_limits(rq, ret, err);
	return r == 0 ? changes_move(ret, &writes, err) : r;
}

const struct knob knob_boost = {
	.name = "boost",
	.help = "frequencies above the nominal one, 0 or 1",
	.scope = "machine or policy",
	.stage = STAGE_BOOST,
	.verified = "read from its documentation",
	.find = find,
	.encode = encode,
	.decode = decode,
	.plan = plan,
};
