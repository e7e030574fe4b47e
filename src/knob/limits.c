/* SPDX-License-Identifier: GPL-2.0-or-later */
/* min_freq and max_freq: limits.h says which rule they follow. */
#include "knob/limits.h"

#include <errno.h>

#include "knob/policies.h"
#include "lib/units.h"

/* Types of cooling devices that lower the frequency of CPUs (drivers/thermal/cpufreq_cooling.c,
 * drivers/acpi/processor_thermal.c). */
static bool cools_cpus(const char *type)
{
	return strafter(type, "Processor") || strafter(type, "cpufreq-") ||
	       strafter(type, "thermal-cpufreq-");
}

/*
 * Whether the firmware allows less than the highest frequency. With performance states bios_limit
 * names one of them, so it is never above the highest of the table, although a processor that
 * boosts has a higher cpuinfo_max_freq (drivers/acpi/processor_perflib.c).
 */
static bool firmware_limits(const struct root *root, const char *folder, uint64_t *ret_khz)
{
	uint64_t highest = 0;
	char buf[4096], *rest, *word;

	if (root_read_u64(root, ret_khz, "%s/bios_limit", folder) < 0)
		return false;
	if (root_read(root, buf, sizeof(buf), "%s/scaling_available_frequencies", folder) > 0)
		for (word = strtok_r(buf, " \t\n", &rest); word;
		     word = strtok_r(NULL, " \t\n", &rest))
			highest = MAX(highest, strtoull(word, NULL, 10));
	else if (root_read_u64(root, &highest, "%s/cpuinfo_max_freq", folder) < 0)
		return false;
	return *ret_khz < highest;
}

bool policy_is_capped(const struct root *root, const char *folder, char *reason, size_t size)
{
	_cleanup_strv_ char **devices = NULL;
	uint64_t bios, state;

	reason[0] = '\0';
	if (firmware_limits(root, folder, &bios)) {
		snprintf(reason, size, "the firmware limits it to %llu kHz (bios_limit)",
			 (unsigned long long) bios);
		return true;
	}
	if (root_list(root, "cooling_device", &devices, "/sys/class/thermal") < 0)
		return false;
	for (char **name = devices; *name; name++) {
		char type[64];

		if (root_read(root, type, sizeof(type), "/sys/class/thermal/%s/type", *name) > 0 &&
		    cools_cpus(type) &&
		    root_read_u64(root, &state, "/sys/class/thermal/%s/cur_state", *name) == 0 &&
		    state > 0) {
			snprintf(reason, size, "it is held down to cool (%s, %s)", *name, type);
			return true;
		}
	}
	return false;
}

static bool is_max(const char *path)
{
	return streq(strrchr(path, '/') + 1, "scaling_max_freq");
}

void limit_explain(const struct root *root, const struct change *c, char *buf, size_t size)
{
	int folder = (int) (strrchr(c->path, '/') - c->path);
	char policy[96];
	uint64_t wanted = strtoull(c->new, NULL, 10), bound;
	const char *other = is_max(c->path) ? "scaling_min_freq" : "scaling_max_freq";

	snprintf(policy, sizeof(policy), "%.*s", folder, c->path);
	if (policy_is_capped(root, policy, buf, size))
		return;
	if (root_read_u64(root, &bound, "%s/%s", policy, other) == 0 &&
	    (is_max(c->path) ? wanted < bound : wanted > bound))
		snprintf(buf, size, "%s is %llu", other, (unsigned long long) bound);
	else
		snprintf(buf, size,
			 "something else limits this policy (another request, firmware)");
}

static int read_bounds(const struct request *rq, const char *folder, uint64_t *ret_min,
		       uint64_t *ret_max, struct error *err)
{
	if (root_read_u64(rq->root, ret_min, "%s/cpuinfo_min_freq", folder) < 0 ||
	    root_read_u64(rq->root, ret_max, "%s/cpuinfo_max_freq", folder) < 0)
		return fail(err, -EOPNOTSUPP, "%s: %s does not say its frequencies", rq->name,
			    folder);
	return 0;
}

/* Refuses where putting back what is read now would lower the user's own request. */
static int check_start(const struct request *rq, const struct change *file, const char *folder,
		       uint64_t bound, struct error *err)
{
	char reason[128];
	uint64_t now;

	if (root_read_u64(rq->root, &now, "%s", file->path) < 0 || now == bound ||
	    !policy_is_capped(rq->root, folder, reason, sizeof(reason)))
		return 0;
	return fail(err, -EAGAIN,
		    "%s: %s reads %llu instead of %llu kHz while %s, so it cannot be known what to "
		    "put back; try again when that is over",
		    rq->name, file->path, (unsigned long long) now, (unsigned long long) bound,
		    reason);
}

static int encode(const struct request *rq, const struct change *file, char **ret,
		  struct error *err)
{
	bool upper = is_max(file->path);
	uint64_t khz, min, max;
	char folder[160];
	int r;

	snprintf(folder, sizeof(folder), "%.*s", (int) (strrchr(file->path, '/') - file->path),
		 file->path);
	r = read_bounds(rq, folder, &min, &max, err);
	if (r < 0)
		return r;
	if (streq(rq->value, "min") || streq(rq->value, "max")) {
		khz = streq(rq->value, "min") ? min : max;
	} else {
		r = parse_khz(rq->name, rq->value, &khz, err);
		if (r < 0)
			return r;
	}
	/* a mode or the boost, set in the same batch, may have other bounds */
	if (!rq->dry && (khz < min || khz > max))
		return fail(err, -EINVAL, "%s: %s is outside what %s has, %llu to %llu kHz",
			    rq->name, rq->value, folder, (unsigned long long) min,
			    (unsigned long long) max);
	r = check_start(rq, file, folder, upper ? max : min, err);
	if (r < 0)
		return r;
	return asprintf(ret, "%llu", (unsigned long long) khz) < 0 ? out_of_memory(err) : 0;
}

static bool batch_moves_bounds(const struct request *rq)
{
	for (size_t i = 0; i < rq->n_batch; i++)
		if (rq->batch[i].knob->stage < STAGE_GOVERNOR)
			return true;
	return false;
}

static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	struct request sure = *rq;

	sure.dry = rq->dry && batch_moves_bounds(rq);
	return plan_files(&sure, ret, err);
}

static int find_min(const struct request *rq, struct changes *ret, struct error *err)
{
	return domains_files(rq, "scaling_min_freq", RULE_LIMIT, "no limits here", ret, err);
}

static int find_max(const struct request *rq, struct changes *ret, struct error *err)
{
	return domains_files(rq, "scaling_max_freq", RULE_LIMIT, "no limits here", ret, err);
}

static bool widens(const struct change *c)
{
	uint64_t old = c->old ? strtoull(c->old, NULL, 10) : 0, new = strtoull(c->new, NULL, 10);

	return is_max(c->path) ? new > old : new < old;
}

void limits_order(struct changes *changes, size_t from)
{
	size_t place = from;

	for (size_t i = from; i < changes->n; i++) {
		struct change c = changes->list[i];

		if (c.kind != CHANGE_WRITE || c.stage != STAGE_LIMIT || !widens(&c))
			continue;
		memmove(&changes->list[place + 1], &changes->list[place], (i - place) * sizeof(c));
		changes->list[place++] = c;
	}
}

const struct knob knob_min_freq = {
	.name = "min_freq",
	.help = "lowest frequency: kHz, a number with a unit, min or max",
	.scope = "policy",
	.stage = STAGE_LIMIT,
	.verified = "",
	.find = find_min,
	.encode = encode,
	.plan = plan,
};

const struct knob knob_max_freq = {
	.name = "max_freq",
	.help = "highest frequency: kHz, a number with a unit, min or max",
	.scope = "policy",
	.stage = STAGE_LIMIT,
	.verified = "",
	.find = find_max,
	.encode = encode,
	.plan = plan,
};
