/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boost, the driver's mode, the energy model and whether the scheduler uses it
 * (Documentation/scheduler/sched-energy.rst). */
#include "machine/internal.h"

#include <errno.h>

#define MODEL_FOLDER "/sys/kernel/debug/energy_model"

static const struct place cpufreq = { CPU_FOLDER "/cpufreq" };
static const struct place intel_pstate = { CPU_FOLDER "/intel_pstate" };
static const struct place amd_pstate = { CPU_FOLDER "/amd_pstate" };
static const struct place proc_kernel = { "/proc/sys/kernel" };

static const struct item boost_file = { "boost", NULL, 0, 1, .quiet = true };
static const struct item no_turbo_file = { "no_turbo", NULL, 0, 1, .quiet = true };
static const struct item status_file = { "status", .quiet = true };

static void read_boost(struct reader *rd)
{
	struct machine *m = rd->m;

	m->boost = place_number(rd, &cpufreq, &boost_file);
	if (m->boost == UNKNOWN) {
		uint64_t no_turbo = place_number(rd, &intel_pstate, &no_turbo_file);

		if (no_turbo != UNKNOWN)
			m->boost = !no_turbo;
	}
	if (m->boost == UNKNOWN)
		note_text(rd, "boost", "neither cpufreq/boost nor intel_pstate/no_turbo", NULL, 0);
	m->driver_mode = place_word(rd, &intel_pstate, &status_file);
	if (!m->driver_mode)
		m->driver_mode = place_word(rd, &amd_pstate, &status_file);
	if (!m->driver_mode)
		note_text(rd, "driver mode", "neither intel_pstate/status nor amd_pstate/status",
			  NULL, 0);
}

/*
 * Linux 6.12 shows nothing where energy-aware scheduling is impossible; earlier ones show the
 * switch (kernel/sched/topology.c).
 */
static void read_energy_aware(struct reader *rd)
{
	uint64_t on;
	int r = root_read_u64(rd->root, &on, "%s/sched_energy_aware", proc_kernel.folder);

	rd->m->energy_aware = r == 0 && on <= 1 ? on : UNKNOWN;
	if (r == -ENODATA)
		note_text(rd, "sched_energy_aware",
			  "empty: the kernel says that this machine cannot do it", NULL, 0);
	else if (r == -ENOENT)
		note_text(rd, "sched_energy_aware",
			  "no such file, as with a kernel built without energy model or schedutil",
			  NULL, 0);
	else if (rd->m->energy_aware == UNKNOWN)
		note_text(rd, "sched_energy_aware", r < 0 ? strerror(-r) : "is neither 0 nor 1",
			  NULL, 0);
}

/*
 * One folder a performance domain: `pdN` before 5.10, the name of a device since, `cpuN` where it
 * is a CPU.
 */
static void read_domains(struct reader *rd)
{
	_cleanup_strv_ char **names = NULL;
	int domains = 0, r = root_list(rd->root, "", &names, MODEL_FOLDER);

	if (r < 0) {
		note_text(rd, "energy model",
			  r == -ENOENT ? MODEL_FOLDER
				  ": no such folder: no debugfs here, or no energy model"
			  : r == -EACCES ? MODEL_FOLDER ": permission denied; try as root"
			  : r == -EPERM  ? MODEL_FOLDER ": not permitted, as under kernel lockdown"
					 : MODEL_FOLDER ": cannot be listed",
			  NULL, 0);
		return;
	}
	for (char **name = names; *name; name++)
		domains += name_number(*name, "cpu") >= 0 || name_number(*name, "pd") >= 0;
	if (domains == 0)
		note_text(rd, "energy model", MODEL_FOLDER " has no performance domain of CPUs",
			  NULL, 0);
	else if (asprintf(&rd->m->energy_model, "%d performance domain%s", domains,
			  domains == 1 ? "" : "s") < 0)
		rd->no_memory = true;
}

void energy_model_read(struct reader *rd)
{
	read_boost(rd);
	read_energy_aware(rd);
	read_domains(rd);
}
