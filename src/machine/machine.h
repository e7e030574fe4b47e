/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine is, read once from /sys and /proc below a root. Reading never fails because of
 * one file: what could not be read stays unknown (NULL, UNKNOWN, an empty set) and is listed in
 * `missing` with the reason.
 */
#pragma once

#include <json-c/json.h>

#include "lib/cpus.h"
#include "lib/root.h"

#define UNKNOWN UINT64_MAX /* no number */

struct tunable {
	char *name, *value;
};

/* A cpufreq policy: the CPUs that share one frequency request
 * (Documentation/admin-guide/pm/cpufreq.rst). */
struct policy {
	int number;   /* N of policyN; in trees without policyN the first of related_cpus */
	char *folder; /* absolute path below the root, without a slash at its end */
	struct cpus related, online; /* related_cpus, affected_cpus */
	char *driver, *governor;
	char **governors;                /* scaling_available_governors, NULL-terminated */
	uint64_t min_khz, max_khz;       /* scaling_min_freq, scaling_max_freq: effective limits */
	uint64_t hw_min_khz, hw_max_khz; /* cpuinfo_min_freq, cpuinfo_max_freq */
	uint64_t current_khz;            /* scaling_cur_freq: often the request, see FACTS */
	uint64_t latency_ns;   /* cpuinfo_transition_latency; UNKNOWN where the kernel says it does
				  not know */
	uint64_t *frequencies; /* scaling_available_frequencies, ascending, kHz */
	size_t n_frequencies;
	uint64_t *boost_frequencies;
	size_t n_boost_frequencies;
	char *tunables_folder; /* where the governor in force keeps its tunables, or NULL */
	struct tunable *tunables;
	size_t n_tunables;
	char *epp;
	char **epps;    /* energy_performance_available_preferences */
	uint64_t boost; /* policyN/boost: 0, 1 or UNKNOWN */
};

/*
 * CPUs of one make: same MIDR, or cpu_core/cpu_atom, and same capacity (and, on amd-pstate with
 * prefcore, no finer).
 *
 * NAME is what --cpus calls them: `cpu`, `little`, `middle`, `big`, `core`, `atom`, numbered
 * (`middle1`) where several types are of one KIND; KIND names all of those. SIZE is `little`,
 * `middle` or `big` also for core and atom, and NULL where all CPUs are alike.
 */
struct cpu_type {
	char *name;
	const char *kind, *size;
	char *model; /* `Cortex-A510` where the MIDR is known, or NULL */
	uint64_t midr;
	uint64_t capacity; /* cpu_capacity, 1..1024 */
	uint64_t max_khz;  /* the highest cpuinfo_max_freq among them */
	struct cpus cpus;
};

struct idle_state {
	char *name, *description;
	uint64_t latency_us, residency_us;
	uint64_t disabled;         /* of the first CPU: 0, 1 or UNKNOWN */
	struct cpus cpus;          /* that have it with these numbers */
	struct cpus disabled_cpus; /* of these, where it is switched off */
};

struct missing {
	char *what;   /* a file, or an item as `energy model` */
	char *reason; /* a sentence without full stop */
};

struct machine {
	struct cpus present, online;
	struct cpus allowed; /* sched_getaffinity, only on the real root */
	struct policy *policies;
	size_t n_policies;
	struct cpu_type *types;
	size_t n_types;
	struct idle_state *idle_states;
	size_t n_idle_states;
	char *idle_driver, *idle_governor;
	uint64_t smt;          /* smt/active, or derived from thread siblings: 0, 1 or UNKNOWN */
	uint64_t energy_aware; /* sched_energy_aware: 0, 1 or UNKNOWN */
	uint64_t boost;        /* global boost (for intel_pstate: not no_turbo) */
	char *driver_mode;     /* intel_pstate/status or amd_pstate/status */
	char *energy_model;    /* `2 performance domains`, or NULL */
	char *kernel, *kernel_build, *architecture, *command_line;
	char *model, *microcode, *clocksource, *hypervisor, *hostname;
	char *board; /* the device tree's model, or the product name of the firmware */
	uint64_t hz; /* CONFIG_HZ */
	char *preemption;
	char **distorting;   /* its options that distort results, as `CONFIG_PROVE_LOCKING` */
	char *config_source; /* where the configuration was read, or NULL */
	char *sched_ext;     /* the loaded sched_ext scheduler, or NULL */
	uint64_t memory_kb;
	bool emulated; /* inside tacho's lab: /etc/tacho-lab exists */
	struct missing *missing;
	size_t n_missing;
	struct missing *cannot; /* what it cannot do (`frequency`, `energy`, `idle`, ...) and why */
	size_t n_cannot;
};

/* Reads all. Returns 0, or -ENOMEM. The machine is freed with machine_free(). */
int machine_read(const struct root *root, struct machine **ret, struct error *err);
void machine_free(struct machine *machine);
static inline void machine_freep(struct machine **m)
{
	machine_free(*m);
}
#define _cleanup_machine_ _cleanup_(machine_freep)

/* The policy that CPU belongs to, or NULL. */
const struct policy *machine_policy_of(const struct machine *m, int cpu);

/* The index of the type of CPU, or -1. */
int machine_type_of(const struct machine *m, int cpu);

/*
 * Turns a --cpus value into sets of CPUs: each set is one place to pin to. LIST (`0-3,8`, `0-3+8`)
 * and `policyN`, `little`, `middle`, `big` give one set; `each-type` and `each-policy` one set
 * each, holding the last online CPU of each; `any` one set of all online CPUs; NULL the default:
 * the last online CPU of each type, never CPU 0 where there is another. Unknown, absent and offline
 * CPUs: -EINVAL with ERR set (it says which CPUs there are). The caller frees *RET.
 */
int machine_select_cpus(const struct machine *m, const char *text, struct cpus **ret, size_t *ret_n,
			struct error *err);

/* The machine as a JSON object (DESIGN §4, `machine`): null where unknown, `missing` with reasons.
 * Owned by the caller. */
json_object *machine_json(const struct machine *m);

/* The same for people, on OUT. */
void machine_print(const struct machine *m, FILE *out);
