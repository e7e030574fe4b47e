/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as JSON (DESIGN, section 4): SI base units, frequencies in kHz under names in _khz,
 * null where unknown. */
#include "machine/internal.h"

#include <inttypes.h>

static void add_text(json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, text ? json_object_new_string(text) : NULL);
}

static void add_number(json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, n == UNKNOWN ? NULL : json_object_new_uint64(n));
}

static void add_truth(json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, n == UNKNOWN ? NULL : json_object_new_boolean(n != 0));
}

/* N units of which a second has PER_SECOND, with no more digits than it takes. */
static void add_seconds(json_object *o, const char *key, uint64_t n, double per_second)
{
	char text[32];
	double seconds = (double) n / per_second;

	snprintf(text, sizeof(text), "%.15g", seconds);
	json_object_object_add(o, key,
			       n == UNKNOWN ? NULL : json_object_new_double_s(seconds, text));
}

static void add_texts(json_object *o, const char *key, char **texts)
{
	json_object *list = texts ? json_object_new_array() : NULL;

	for (char **text = texts; text && *text; text++)
		json_object_array_add(list, json_object_new_string(*text));
	json_object_object_add(o, key, list);
}

static void add_numbers(json_object *o, const char *key, const uint64_t *numbers, size_t n)
{
	json_object *list = numbers ? json_object_new_array_ext((int) n) : NULL;

	for (size_t i = 0; numbers && i < n; i++)
		json_object_array_add(list, json_object_new_uint64(numbers[i]));
	json_object_object_add(o, key, list);
}

static void add_cpus(json_object *o, const char *key, const struct cpus *cpus)
{
	json_object *list = json_object_new_array_ext(cpus_count(cpus) + 1);

	for_each_cpu (cpu, cpus)
		json_object_array_add(list, json_object_new_int(cpu));
	json_object_object_add(o, key, list);
}

static json_object *policy_json(const struct policy *p)
{
	json_object *o = json_object_new_object(),
		    *tunables = p->tunables_folder ? json_object_new_object() : NULL;

	json_object_object_add(o, "number", json_object_new_int(p->number));
	add_text(o, "folder", p->folder);
	add_cpus(o, "related_cpus", &p->related);
	add_cpus(o, "online_cpus", &p->online);
	add_text(o, "driver", p->driver);
	add_text(o, "governor", p->governor);
	add_texts(o, "available_governors", p->governors);
	add_number(o, "min_khz", p->min_khz);
	add_number(o, "max_khz", p->max_khz);
	add_number(o, "hw_min_khz", p->hw_min_khz);
	add_number(o, "hw_max_khz", p->hw_max_khz);
	add_number(o, "current_khz", p->current_khz);
	add_numbers(o, "frequencies_khz", p->frequencies, p->n_frequencies);
	add_numbers(o, "boost_frequencies_khz", p->boost_frequencies, p->n_boost_frequencies);
	add_seconds(o, "transition_latency", p->latency_ns, 1e9);
	add_text(o, "epp", p->epp);
	add_texts(o, "available_epps", p->epps);
	add_truth(o, "boost", p->boost);
	add_text(o, "tunables_folder", p->tunables_folder);
	for (size_t i = 0; tunables && i < p->n_tunables; i++)
		add_text(tunables, p->tunables[i].name, p->tunables[i].value);
	json_object_object_add(o, "tunables", tunables);
	return o;
}

static json_object *type_json(const struct cpu_type *type)
{
	json_object *o = json_object_new_object();
	char midr[32];

	snprintf(midr, sizeof(midr), "0x%08" PRIx64, type->midr);
	add_text(o, "name", type->name);
	add_text(o, "size", type->size);
	add_cpus(o, "cpus", &type->cpus);
	add_text(o, "model", type->model);
	add_text(o, "midr", type->midr == UNKNOWN ? NULL : midr);
	add_number(o, "capacity", type->capacity);
	add_number(o, "max_khz", type->max_khz);
	return o;
}

static json_object *idle_json(const struct idle_state *state)
{
	json_object *o = json_object_new_object();

	add_text(o, "name", state->name);
	add_text(o, "description", state->description);
	add_seconds(o, "latency", state->latency_us, 1e6);
	add_seconds(o, "residency", state->residency_us, 1e6);
	add_truth(o, "disabled", state->disabled);
	add_cpus(o, "cpus", &state->cpus);
	add_cpus(o, "disabled_cpus", &state->disabled_cpus);
	return o;
}

static void add_reasons(json_object *o, const char *key, const struct missing *list, size_t n)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < n; i++) {
		json_object *entry = json_object_new_object();

		add_text(entry, "what", list[i].what);
		add_text(entry, "reason", list[i].reason);
		json_object_array_add(array, entry);
	}
	json_object_object_add(o, key, array);
}

static void add_identity(json_object *o, const struct machine *m)
{
	add_text(o, "kernel", m->kernel);
	add_text(o, "kernel_build", m->kernel_build);
	add_text(o, "architecture", m->architecture);
	add_text(o, "cmdline", m->command_line);
	add_text(o, "cpu_model", m->model);
	add_text(o, "board", m->board);
	add_text(o, "microcode", m->microcode);
	add_text(o, "hypervisor", m->hypervisor);
	add_text(o, "hostname", m->hostname);
	add_text(o, "clocksource", m->clocksource);
	json_object_object_add(o, "memory_bytes",
			       m->memory_kb > UINT64_MAX / 1024
				       ? NULL
				       : json_object_new_uint64(m->memory_kb * 1024));
	json_object_object_add(o, "emulated", json_object_new_boolean(m->emulated));
	add_number(o, "hz", m->hz);
	add_text(o, "preemption", m->preemption);
	add_text(o, "config_source", m->config_source);
	add_texts(o, "distorting", m->distorting);
	add_text(o, "sched_ext", m->sched_ext);
}

static void add_cpu_facts(json_object *o, const struct machine *m)
{
	json_object *cpus = json_object_new_object();

	add_cpus(cpus, "present", &m->present);
	add_cpus(cpus, "online", &m->online);
	if (cpus_count(&m->allowed))
		add_cpus(cpus, "allowed", &m->allowed);
	else
		json_object_object_add(cpus, "allowed", NULL);
	json_object_object_add(o, "cpus", cpus);
	add_truth(o, "smt", m->smt);
	add_truth(o, "boost", m->boost);
	add_text(o, "driver_mode", m->driver_mode);
	add_text(o, "energy_model", m->energy_model);
	add_truth(o, "energy_aware", m->energy_aware);
	add_text(o, "idle_driver", m->idle_driver);
	add_text(o, "idle_governor", m->idle_governor);
}

json_object *machine_json(const struct machine *m)
{
	json_object *o = json_object_new_object(), *list;

	add_identity(o, m);
	add_cpu_facts(o, m);
	list = json_object_new_array();
	for (size_t i = 0; i < m->n_policies; i++)
		json_object_array_add(list, policy_json(&m->policies[i]));
	json_object_object_add(o, "policies", list);
	list = json_object_new_array();
	for (size_t i = 0; i < m->n_types; i++)
		json_object_array_add(list, type_json(&m->types[i]));
	json_object_object_add(o, "cpu_types", list);
	list = json_object_new_array();
	for (size_t i = 0; i < m->n_idle_states; i++)
		json_object_array_add(list, idle_json(&m->idle_states[i]));
	json_object_object_add(o, "idle_states", list);
	add_reasons(o, "missing", m->missing, m->n_missing);
	add_reasons(o, "cannot", m->cannot, m->n_cannot);
	return o;
}
