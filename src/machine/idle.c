/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Idle states of all CPUs (Documentation/admin-guide/pm/cpuidle.rst), those that are the same told
 * once. */
#include "machine/internal.h"

#include <errno.h>

#include "lib/record.h"

#define STATES_MAX 64 /* of one CPU; CPUIDLE_STATE_MAX is 10 */
#define DISTINCT_MAX 512

static const struct place idle_folder = { CPU_FOLDER "/cpuidle" };
static const struct item driver_file = { "current_driver" };
static const struct item governor_file = { "current_governor", .quiet = true };
static const struct item governor_ro_file = { "current_governor_ro" };

static const struct item name_file = { "name" };
static const struct item description_file = { "desc" };
static const struct item latency_file = { "latency" };
static const struct item residency_file = { "residency", "this kernel is too old to tell" };
static const struct item disable_file = { "disable" };

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && streq(a, b));
}

static struct idle_state *find_state(struct machine *m, const struct idle_state *like)
{
	for (size_t i = 0; i < m->n_idle_states; i++) {
		struct idle_state *s = &m->idle_states[i];

		if (s->latency_us == like->latency_us && s->residency_us == like->residency_us &&
		    same_text(s->name, like->name) && same_text(s->description, like->description))
			return s;
	}
	return NULL;
}

static void read_state(struct reader *rd, int cpu, const char *name)
{
	struct idle_state state = { 0 }, *known;
	struct machine *m = rd->m;
	char folder[128];
	struct place place = { folder, "cpuN/cpuidle/stateN", "CPUs", cpu };

	snprintf(folder, sizeof(folder), CPU_FOLDER "/cpu%d/cpuidle/%s", cpu, name);
	state.name = place_line(rd, &place, &name_file);
	state.description = place_line(rd, &place, &description_file);
	state.latency_us = place_number(rd, &place, &latency_file);
	state.residency_us = place_number(rd, &place, &residency_file);
	state.disabled = place_number(rd, &place, &disable_file);
	if (state.disabled != UNKNOWN && state.disabled)
		state.disabled = 1;
	known = find_state(m, &state);
	if (known || m->n_idle_states >= DISTINCT_MAX) {
		free(state.name);
		free(state.description);
	} else {
		known = array_add(&m->idle_states, &m->n_idle_states, sizeof(*known));
		if (!known) {
			free(state.name);
			free(state.description);
			rd->no_memory = true;
			return;
		}
		*known = state;
	}
	if (known) {
		cpus_add(&known->cpus, cpu);
		if (state.disabled == 1)
			cpus_add(&known->disabled_cpus, cpu);
	}
}

static void read_cpu(struct reader *rd, int cpu)
{
	_cleanup_strv_ char **names = NULL;
	int r = root_list(rd->root, "state", &names, CPU_FOLDER "/cpu%d/cpuidle", cpu);
	size_t n = 0;

	if (r < 0) {
		if (rd->m->idle_driver && !streq(rd->m->idle_driver, "none"))
			note_text(rd, "cpuN/cpuidle",
				  r == -ENOENT ? "no such folder" : strerror(-r), "CPUs", cpu);
		return;
	}
	for (char **name = names; *name && n < STATES_MAX; name++)
		if (name_number(*name, "state") >= 0) {
			read_state(rd, cpu, *name);
			n++;
		}
}

void idle_read(struct reader *rd)
{
	struct machine *m = rd->m;

	m->idle_driver = place_line(rd, &idle_folder, &driver_file);
	m->idle_governor = place_word(rd, &idle_folder, &governor_file);
	if (!m->idle_governor)
		m->idle_governor = place_word(rd, &idle_folder, &governor_ro_file);
	for_each_cpu (cpu, &rd->cpus)
		read_cpu(rd, cpu);
}
