/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads everything about a machine, part after part, and frees it. */
#include "machine/machine.h"

#include <errno.h>

#include "machine/internal.h"

static const struct place cpu_folder = { .folder = CPU_FOLDER };

static const struct item online_file = { "online" };
static const struct item present_file = { "present" };

/* The cpuN folders that there are. */
static struct cpus list_folders(struct reader *rd)
{
	_cleanup_strv_ char **names = NULL;
	struct cpus set = { 0 };
	int r = root_list(rd->root, "cpu", &names, CPU_FOLDER);

	if (r < 0) {
		note_text(rd, CPU_FOLDER,
			  r == -ENOENT ? "no such folder: not a copy of /sys" : strerror(-r), NULL,
			  0);
		return set;
	}
	for (char **name = names; *name; name++)
		cpus_add(&set, name_number(*name, "cpu"));
	return set;
}

/* Where the list of online CPUs cannot be read: those whose own switch is not off. CPU 0 often has
 * none. */
static struct cpus online_by_switch(struct reader *rd)
{
	struct cpus set = rd->m->present;

	for_each_cpu (cpu, &rd->m->present) {
		uint64_t on;

		if (root_read_u64(rd->root, &on, CPU_FOLDER "/cpu%d/online", cpu) == 0 && on == 0)
			set.bits[cpu / 64] &= ~(1ULL << (cpu % 64));
	}
	return set;
}

static void read_cpus(struct reader *rd)
{
	struct machine *m = rd->m;
	struct cpus folders = list_folders(rd);

	if (!place_cpus(rd, &cpu_folder, &present_file, &m->present) ||
	    cpus_count(&m->present) == 0)
		m->present = cpus_count(&folders) ? folders : rd->info.processors;
	rd->cpus = m->present;
	cpus_and(&rd->cpus, &folders);
	if (!place_cpus(rd, &cpu_folder, &online_file, &m->online) || cpus_count(&m->online) == 0)
		m->online = online_by_switch(rd);
	if (!cpus_subset(&m->online, &m->present)) {
		note_text(rd, CPU_FOLDER "/online", "names CPUs that are not present", NULL, 0);
		cpus_and(&m->online, &m->present);
	}
	if (root_is_system(rd->root) && cpus_allowed(&m->allowed) < 0)
		note_text(rd, "allowed CPUs", "sched_getaffinity(2) failed", NULL, 0);
}

int machine_read(const struct root *root, struct machine **ret, struct error *err)
{
	struct reader rd = { .root = root, .m = calloc(1, sizeof(*rd.m)) };

	if (!rd.m)
		return fail(err, -ENOMEM, "out of memory");
	cpuinfo_read(&rd);
	read_cpus(&rd);
	identity_read(&rd);
	kernel_config_read(&rd);
	policies_read(&rd);
	types_read(&rd);
	model_read(&rd);
	idle_read(&rd);
	energy_model_read(&rd);
	limits_find(&rd);
	notes_finish(&rd);
	notes_done(&rd);
	cpuinfo_done(&rd.info);
	if (rd.no_memory) {
		machine_free(rd.m);
		return fail(err, -ENOMEM, "out of memory while reading what this machine is");
	}
	*ret = rd.m;
	return 0;
}

static void missing_free(struct missing *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].what);
		free(list[i].reason);
	}
	free(list);
}

static void texts_free(struct machine *m)
{
	char *texts[] = { m->idle_driver, m->idle_governor, m->driver_mode,  m->energy_model,
			  m->kernel,      m->kernel_build,  m->architecture, m->command_line,
			  m->model,       m->microcode,     m->clocksource,  m->hypervisor,
			  m->hostname,    m->board,         m->preemption,   m->config_source,
			  m->sched_ext };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(texts[i]);
	strv_free(m->distorting);
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n_policies; i++)
		policy_done(&m->policies[i]);
	free(m->policies);
	for (size_t i = 0; i < m->n_types; i++) {
		free(m->types[i].name);
		free(m->types[i].model);
	}
	free(m->types);
	for (size_t i = 0; i < m->n_idle_states; i++) {
		free(m->idle_states[i].name);
		free(m->idle_states[i].description);
	}
	free(m->idle_states);
	missing_free(m->missing, m->n_missing);
	missing_free(m->cannot, m->n_cannot);
	texts_free(m);
	free(m);
}

const struct policy *machine_policy_of(const struct machine *m, int cpu)
{
	for (size_t i = 0; i < m->n_policies; i++)
		if (cpus_has(&m->policies[i].related, cpu))
			return &m->policies[i];
	return NULL;
}

int machine_type_of(const struct machine *m, int cpu)
{
	for (size_t i = 0; i < m->n_types; i++)
		if (cpus_has(&m->types[i].cpus, cpu))
			return (int) i;
	return -1;
}

bool machine_is_x86(const struct machine *m)
{
	return m->architecture && (streq(m->architecture, "x86_64") ||
				   (m->architecture[0] == 'i' && strstr(m->architecture, "86")));
}
