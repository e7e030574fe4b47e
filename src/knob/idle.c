/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idle/STATE=0|1: whether CPUs may enter an idle state, by its name or its number
 * (cpuN/cpuidle/stateM/disable, Documentation/ABI/testing/sysfs-devices-system-cpu). */
#include <ctype.h>
#include <errno.h>

#include "knob/policies.h"

static int no_states(const struct request *rq, struct error *err)
{
	return fail(err, -EOPNOTSUPP,
		    "%s: " CPU_FOLDER
		    "/cpuN/cpuidle has no states (a virtual machine, or no idle driver)",
		    rq->name);
}

static void add_word(char *list, size_t size, const char *word)
{
	size_t used = strlen(list);

	for (const char *p = list; (p = strstr(p, word)); p++)
		if ((p == list || p[-1] == ' ') && strchr(",", p[strlen(word)]))
			return;
	if (used < size)
		snprintf(list + used, size - used, "%s%s", used ? ", " : "", word);
}

/* Adds the state of one CPU that has the name or number; collects the names of all. */
static int find_in(const struct request *rq, const char *cpu, char *names, size_t size,
		   struct changes *ret, struct error *err)
{
	_cleanup_strv_ char **states = NULL;

	if (root_list(rq->root, "state", &states, CPU_FOLDER "/%s/cpuidle", cpu) < 0)
		return 0;
	for (char **state = states; *state; state++) {
		char name[64], path[256];
		struct change *c;

		if (root_read(rq->root, name, sizeof(name), CPU_FOLDER "/%s/cpuidle/%s/name", cpu,
			      *state) <= 0)
			snprintf(name, sizeof(name), "%.60s", *state + 5);
		add_word(names, size, name);
		if (strcasecmp(rq->base, name) != 0 && !streq(rq->base, *state + 5))
			continue;
		snprintf(path, sizeof(path), CPU_FOLDER "/%.40s/cpuidle/%.40s/disable", cpu,
			 *state);
		if (!root_exists(rq->root, "%s", path))
			return fail(err, -EOPNOTSUPP,
				    "%s: %s is not there: this kernel cannot switch "
				    "idle states off",
				    rq->name, path);
		c = changes_add(ret, CHANGE_WRITE, rq->name, path);
		if (!c)
			return out_of_memory(err);
	}
	return 0;
}

static bool is_cpu(const char *name)
{
	return isdigit((unsigned char) name[3]) && !name[3 + strspn(name + 3, "0123456789")];
}

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_strv_ char **cpus = NULL;
	_cleanup_free_ struct domain *list = NULL;
	char names[400] = "";
	size_t before = ret->n, n = 0;
	int r;

	if (rq->policy >= 0) {
		r = domains_find(rq, &list, &n, err);
		if (r < 0)
			return r;
	}
	if (root_list(rq->root, "cpu", &cpus, CPU_FOLDER) < 0)
		return no_states(rq, err);
	for (char **cpu = cpus; *cpu; cpu++) {
		int number = is_cpu(*cpu) ? atoi(*cpu + 3) : -1;

		if (number < 0 || (rq->cpu >= 0 && number != rq->cpu) ||
		    (list && !cpus_has(&list[0].cpus, number)))
			continue;
		r = find_in(rq, *cpu, names, sizeof(names), ret, err);
		if (r < 0)
			return r;
	}
	if (ret->n > before)
		return 0;
	if (!names[0])
		return no_states(rq, err);
	return fail(err, -EINVAL, "%s: there is no such idle state; there are %s", rq->name, names);
}

static int available(const struct root *root, struct error *err)
{
	if (root_exists(root, CPU_FOLDER "/cpu0/cpuidle/state0"))
		return 0;
	return no_states(&(struct request) { .name = "idle/STATE" }, err);
}

/* The kernel's file says `disable`, the knob's value says whether it may be entered. */
static int encode(const struct request *rq, const struct change *file, char **ret,
		  struct error *err)
{
	bool usable = false;
	int r = parse_switch(rq->name, rq->value, &usable, err);

	if (r < 0)
		return r;
	*ret = strdup(usable ? "0" : "1");
	return *ret ? 0 : out_of_memory(err);
}

static int decode(const struct request *rq, const struct change *file, const char *text, char **ret,
		  struct error *err)
{
	*ret = strdup(streq(text, "0") ? "1" : "0");
	return *ret ? 0 : out_of_memory(err);
}

const struct knob knob_idle = {
	.name = "idle/STATE",
	.help = "idle state by name or number: 1 usable, 0 switched off",
	.scope = "cpu",
	.stage = STAGE_OTHER,
	.verified = "",
	.prefix = "idle/",
	.available = available,
	.find = find,
	.encode = encode,
	.decode = decode,
};
