/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this machine cannot do, each with its reason. */
#include "machine/internal.h"

#include <errno.h>

#include "lib/record.h"

static void cannot(struct reader *rd, const char *what, const char *reason)
{
	struct missing *entry = array_add(&rd->m->cannot, &rd->m->n_cannot, sizeof(*entry));

	if (!entry) {
		rd->no_memory = true;
		return;
	}
	entry->what = copy_text(rd, what);
	entry->reason = copy_text(rd, reason);
}

static bool any_governor_but(const struct machine *m, const char *governor)
{
	for (size_t i = 0; i < m->n_policies; i++)
		if (!m->policies[i].governor || !streq(m->policies[i].governor, governor))
			return true;
	return false;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && streq(text + n - k, end);
}

static bool powercap_zone(struct reader *rd)
{
	_cleanup_strv_ char **zones = NULL;

	if (root_list(rd->root, "", &zones, "/sys/class/powercap") < 0)
		return false;
	for (char **zone = zones; *zone; zone++)
		if (root_exists(rd->root, "/sys/class/powercap/%s/energy_uj", *zone) ||
		    root_exists(rd->root, "/sys/class/powercap/%s/power_uw", *zone))
			return true;
	return false;
}

static bool hwmon_sensor(struct reader *rd)
{
	_cleanup_strv_ char **devices = NULL;

	if (root_list(rd->root, "hwmon", &devices, "/sys/class/hwmon") < 0)
		return false;
	for (char **device = devices; *device; device++) {
		_cleanup_strv_ char **files = NULL;

		if (root_list(rd->root, "", &files, "/sys/class/hwmon/%s", *device) < 0)
			continue;
		for (char **file = files; *file; file++)
			if ((strafter(*file, "energy") && ends_with(*file, "_input")) ||
			    (strafter(*file, "power") &&
			     (ends_with(*file, "_input") || ends_with(*file, "_average"))))
				return true;
	}
	return false;
}

static bool tables_everywhere(const struct machine *m)
{
	for (size_t i = 0; i < m->n_policies; i++)
		if (!m->policies[i].n_frequencies)
			return false;
	return true;
}

static void find_frequency(struct reader *rd)
{
	const struct machine *m = rd->m;

	if (m->n_policies == 0)
		cannot(rd, "frequency",
		       "no cpufreq policies: governors, limits and frequencies can neither be seen nor set, "
		       "which is typical of virtual machines");
	else if (!tables_everywhere(m))
		cannot(rd, "frequency table",
		       "the driver lists no frequencies, only its limits are known");
	if (m->n_policies && m->boost == UNKNOWN)
		cannot(rd, "boost",
		       "no switch for it: neither cpufreq/boost nor intel_pstate/no_turbo");
}

/* The conditions of Linux 6.12's sched_is_eas_possible(), those that can be seen from here. */
static void find_energy_aware(struct reader *rd)
{
	const struct machine *m = rd->m;
	uint64_t least = UNKNOWN, most = 0;
	char reason[256] = "";
	const char *parts[5];
	size_t n = 0, used = 0;

	for (size_t i = 0; i < m->n_types; i++)
		if (m->types[i].capacity != UNKNOWN) {
			least = MIN(least, m->types[i].capacity);
			most = MAX(most, m->types[i].capacity);
		}
	if (least == UNKNOWN)
		parts[n++] = "the CPUs' capacities are unknown";
	else if (least == most)
		parts[n++] = "all CPUs have the same capacity";
	if (m->smt == 1)
		parts[n++] = "SMT is on";
	if (m->n_policies == 0)
		parts[n++] = "there is no cpufreq";
	else if (any_governor_but(m, "schedutil"))
		parts[n++] = "not every policy has the governor schedutil";
	if (m->energy_aware == 0)
		parts[n++] = "sched_energy_aware is 0";
	for (size_t i = 0; i < n; i++)
		used += (size_t) snprintf(reason + used, sizeof(reason) - used, "%s%s",
					  i ? "; " : "", parts[i]);
	if (n)
		cannot(rd, "energy-aware scheduling", reason);
}

void limits_find(struct reader *rd)
{
	const struct machine *m = rd->m;

	find_frequency(rd);
	if (!powercap_zone(rd) && !hwmon_sensor(rd))
		cannot(rd, "energy", "no powercap zone and no hwmon energy or power sensor");
	if (m->n_idle_states == 0)
		cannot(rd, "idle",
		       m->idle_driver && !streq(m->idle_driver, "none")
			       ? "no cpuidle states below any CPU"
			       : "no cpuidle states: the kernel has no driver for them here");
	find_energy_aware(rd);
	if (cpus_count(&m->online) == 1)
		cannot(rd, "several CPUs", "only one CPU is online");
}
