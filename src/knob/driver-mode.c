/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * driver_mode=NAME: intel_pstate/status, amd_pstate/status. A change of mode unregisters the driver
 * and makes new policies, with default limits, tunables, preferences and governor: all of these are
 * saved before, in the reverse of the order that they have to come back in.
 */
#include <errno.h>

#include "knob/policies.h"

#define INTEL CPU_FOLDER "/intel_pstate/status"
#define AMD CPU_FOLDER "/amd_pstate/status"

static const char *const intel_modes[] = { "active", "passive", "off" };
static const char *const amd_modes[] = { "active", "passive", "guided", "disable" };

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	const char *path = root_exists(rq->root, INTEL) ? INTEL
			   : root_exists(rq->root, AMD) ? AMD
							: NULL;

	if (!path)
		return fail(err, -EOPNOTSUPP,
			    "%s: only intel_pstate and amd_pstate have modes: neither " INTEL
			    " nor " AMD " is there",
			    rq->name);
	return changes_add(ret, CHANGE_WRITE, rq->name, path) ? 0 : out_of_memory(err);
}

static int encode(const struct request *rq, const struct change *file, char **ret,
		  struct error *err)
{
	bool amd = streq(file->path, AMD);
	const char *const *modes = amd ? amd_modes : intel_modes;
	size_t n = amd ? ARRAY_SIZE(amd_modes) : ARRAY_SIZE(intel_modes);

	for (size_t i = 0; i < n; i++) {
		if (streq(rq->value, modes[i])) {
			*ret = strdup(rq->value);
			return *ret ? 0 : out_of_memory(err);
		}
	}
	return fail(err, -EINVAL, "%s: `%s` is no mode of %s; there are %s", rq->name, rq->value,
		    amd ? "amd_pstate" : "intel_pstate",
		    amd ? "active, passive, guided, disable" : "active, passive, off");
}

/* One kind of value of every policy, so that all governors are back before the first tunable. */
static int save_each(const struct request *rq, const char *file, enum rule rule,
		     struct changes *ret, struct error *err)
{
	_cleanup_free_ struct domain *list = NULL;
	size_t n = 0;
	int r = domains_find(rq, &list, &n, NULL);

	if (r < 0)
		return r == -ENOMEM ? out_of_memory(err) : 0;
	for (size_t i = 0; i < n && r == 0; i++) {
		char path[160], now[64];

		if (file) {
			snprintf(path, sizeof(path), "%s/%s", list[i].folder, file);
			r = save_file(rq, path, rule, ret, err);
		} else {
			domain_text(rq->root, &list[i], "scaling_governor", now, sizeof(now));
			r = save_tunables(rq, &list[i], now, ret, err);
		}
	}
	return r;
}

static int save_all(const struct request *rq, struct changes *ret, struct error *err)
{
	int r = save_each(rq, "energy_performance_preference", RULE_EPP, ret, err);

	if (r == 0)
		r = save_limits(rq, ret, err);
	if (r == 0)
		r = save_each(rq, NULL, RULE_TEXT, ret, err);
	if (r == 0)
		r = save_each(rq, "scaling_governor", RULE_TEXT, ret, err);
	if (r == 0)
		r = save_each(rq, "boost", RULE_TEXT, ret, err);
	if (r == 0)
		r = save_file(rq, CPU_FOLDER "/intel_pstate/no_turbo", RULE_TEXT, ret, err);
	return r == 0 ? save_file(rq, CPUFREQ_FOLDER "/boost", RULE_TEXT, ret, err) : r;
}

static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_changes_ struct changes writes = { 0 };
	int r = plan_files(rq, &writes, err);

	if (r == 0 && !change_equal(&writes.list[0], writes.list[0].new, writes.list[0].old))
		r = save_all(rq, ret, err);
	return r == 0 ? changes_move(ret, &writes, err) : r;
}

const struct knob knob_driver_mode = {
	.name = "driver_mode",
	.help = "mode of intel_pstate or amd_pstate: active, passive, ...",
	.scope = "machine",
	.stage = STAGE_MODE,
	.verified = "read from its documentation",
	.find = find,
	.encode = encode,
	.plan = plan,
};
