/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * governor=NAME, governor=userspace@FREQ. A switch destroys the tunables of the governor that is
 * left (and its driver may change the energy preference), so these are saved before; a governor
 * that is a module is loaded by the kernel, so that is undone too.
 */
#include <errno.h>

#include "knob/policies.h"
#include "lib/units.h"

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	return domains_files(rq, "scaling_governor", RULE_TEXT, "no governors here", ret, err);
}

/* Takes `userspace@FREQ` apart; *RET_SPEED is NULL where there is none. */
static int split_value(const struct request *rq, char *governor, size_t size,
		       const char **ret_speed, struct error *err)
{
	const char *at = strchr(rq->value, '@');

	snprintf(governor, size, "%.*s", (int) strcspn(rq->value, "@"), rq->value);
	*ret_speed = at ? at + 1 : NULL;
	if (at && !streq(governor, "userspace"))
		return fail(err, -EINVAL,
			    "%s=%s: only userspace takes a frequency; narrow to a policy as in "
			    "`governor@policy4=%s`",
			    rq->name, rq->value, governor);
	return 0;
}

/* All that is lost with the governor that is in force now; undone after it is back. */
static int save_others(const struct request *rq, const struct domain *d, const char *now,
		       struct changes *ret, struct error *err)
{
	char path[160];
	int r = save_tunables(rq, d, now, ret, err);

	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "%s/energy_performance_preference", d->folder);
	return save_file(rq, path, RULE_EPP, ret, err);
}

static int add_module(const struct request *rq, const struct domain *d, const char *governor,
		      struct changes *ret, struct error *err)
{
	_cleanup_strv_ char **listed = NULL;
	char module[80];
	long used;

	if (governors_listed(rq->root, d, &listed) < 0)
		return out_of_memory(err);
	for (char **name = listed; *name; name++)
		if (streq(*name, governor))
			return 0;
	snprintf(module, sizeof(module), "cpufreq_%.60s", governor);
	if (module_loaded(rq->root, module, &used) == 1)
		return 0;
	return changes_add(ret, CHANGE_MODULE, rq->name, module) ? 0 : out_of_memory(err);
}

static int add_write(const struct request *rq, const struct domain *d, const char *file,
		     enum rule rule, const char *old, const char *new, struct changes *ret,
		     struct error *err)
{
	struct change *c;
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", d->folder, file);
	c = changes_add(ret, CHANGE_WRITE, rq->name, path);
	if (!c)
		return out_of_memory(err);
	c->rule = rule;
	c->old = old ? strdup(old) : NULL;
	c->new = strdup(new);
	return (!old || c->old) && c->new ? 0 : out_of_memory(err);
}

static int add_speed(const struct request *rq, const struct domain *d, const char *now,
		     const char *text, struct changes *ret, struct error *err)
{
	char speed[64], wanted[32];
	bool in_force = streq(now, "userspace");
	uint64_t khz, min, max;
	int r;

	if (root_read_u64(rq->root, &min, "%s/cpuinfo_min_freq", d->folder) < 0 ||
	    root_read_u64(rq->root, &max, "%s/cpuinfo_max_freq", d->folder) < 0)
		return fail(err, -EOPNOTSUPP, "%s: policy%d does not say its frequencies", rq->name,
			    d->number);
	if (streq(text, "min") || streq(text, "max")) {
		khz = streq(text, "min") ? min : max;
	} else {
		r = parse_khz(rq->name, text, &khz, err);
		if (r < 0)
			return r;
	}
	if (khz < min || khz > max)
		return fail(err, -EINVAL, "%s: %s is outside what policy%d has, %llu to %llu kHz",
			    rq->name, text, d->number, (unsigned long long) min,
			    (unsigned long long) max);
	snprintf(wanted, sizeof(wanted), "%llu", (unsigned long long) khz);
	domain_text(rq->root, d, "scaling_setspeed", speed, sizeof(speed));
	return add_write(rq, d, "scaling_setspeed", RULE_LIMIT,
			 in_force && speed[0] >= '0' && speed[0] <= '9' ? speed : NULL, wanted, ret,
			 err);
}

static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_free_ struct domain *list = NULL;
	_cleanup_changes_ struct changes writes = { 0 }, speeds = { 0 };
	char governor[64], now[64];
	const char *speed;
	size_t n = 0;
	int r = split_value(rq, governor, sizeof(governor), &speed, err);

	if (r == 0)
		r = domains_find(rq, &list, &n, err);
	for (size_t i = 0; i < n && r == 0; i++) {
		r = governor_check(rq, &list[i], governor, err);
		if (r < 0)
			break;
		domain_text(rq->root, &list[i], "scaling_governor", now, sizeof(now));
		if (!now[0])
			return fail(err, -EIO, "%s: %s/scaling_governor cannot be read", rq->name,
				    list[i].folder);
		if (!streq(now, governor)) {
			r = add_module(rq, &list[i], governor, ret, err);
			if (r == 0)
				r = save_others(rq, &list[i], now, ret, err);
		}
		if (r == 0)
			r = add_write(rq, &list[i], "scaling_governor", RULE_TEXT, now, governor,
				      &writes, err);
		if (r == 0 && speed)
			r = add_speed(rq, &list[i], now, speed, &speeds, err);
	}
	if (r == 0)
		r = changes_move(ret, &writes, err);
	return r == 0 ? changes_move(ret, &speeds, err) : r;
}

static int decode(const struct request *rq, const struct change *file, const char *text, char **ret,
		  struct error *err)
{
	int folder = (int) (strrchr(file->path, '/') - file->path);
	char speed[64];
	int n;

	if (streq(text, "userspace") &&
	    root_read(rq->root, speed, sizeof(speed), "%.*s/scaling_setspeed", folder, file->path) >
		    0 &&
	    speed[0] >= '0' && speed[0] <= '9')
		n = asprintf(ret, "userspace@%s", speed);
	else
		n = asprintf(ret, "%s", text);
	return n < 0 ? out_of_memory(err) : 0;
}

const struct knob knob_governor = {
	.name = "governor",
	.help = "cpufreq governor; userspace@FREQ sets its speed",
	.scope = "policy",
	.stage = STAGE_GOVERNOR,
	.verified = "",
	.find = find,
	.decode = decode,
	.plan = plan,
};
