/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries a plan out: blocks, in each of them every configuration once in an order drawn from the
 * seed. Sets and puts back what the configurations ask for, watches the environment, discards and
 * repeats blocks by fixed rules, and hands each finished run to a sink. Knows nothing of what is
 * measured.
 */
#pragma once

#include "knob/knob.h"
#include "lib/record.h"

struct plan_configuration {
	char *name;
	struct setting *settings;
	size_t n_settings;
	char *options; /* a JSON object: options of the measurement that differ in this
			  configuration */
	bool reference;
	void *conf; /* the measurement's options for it; belongs to the measurement */
};

struct experiment;

struct experiment_ops {
	/* Once, with the session open: calibrates, decides on loop counts, fills record.facts. May
	 * be NULL. */
	int (*prepare)(struct experiment *x, struct error *err);
	/* The workload once under CONFIGURATION. Fills run->values and *RET_BUSY_NS (CPU time of
	 * the workload). May itself set run->valid to false with a reason. */
	int (*run)(struct experiment *x, size_t configuration, struct run *run,
		   uint64_t *ret_busy_ns, struct error *err);
	/* All runs of a block (by configuration) are valid: what the block gives as a whole. May be
	 * NULL. */
	int (*block)(struct experiment *x, unsigned block, const struct run *runs,
		     struct block_value **ret, size_t *ret_n, struct error *err);
};

struct experiment {
	const struct root *root;
	const struct machine *machine;
	const struct experiment_ops *ops;
	void *context; /* the measurement's */
	struct plan_configuration *plan;
	size_t n_plan;
	unsigned blocks;
	uint64_t settle_ns;   /* after a change of settings, before the run */
	uint64_t cooldown_ns; /* after a run */
	double run_seconds;   /* how long a run is expected to take, for progress; 0 unknown */
	struct cpus watched;  /* the CPUs whose environment counts */
	const char *state_dir;
	bool wait;
	const volatile bool *stop;
	const struct sink *sink;
	struct session *session; /* open while it runs */
	struct record
		record; /* filled as it goes; everything but runs and ids is set by the caller */
};

/*
 * The order of block BLOCK (from 1) at ATTEMPT (from 1): ORDER[i] is the configuration that runs as
 * the i-th. Depends on the seed and these two alone, so that a repeated block changes no other.
 */
void plan_order(uint64_t seed, unsigned block, unsigned attempt, size_t *order, size_t n);

/* Adds a configuration; returns it with its id given, or NULL without memory. Texts are copied. */
struct plan_configuration *plan_add(struct experiment *x, const char *name, bool reference);

/* Adds `NAME=VALUE` to the settings of a configuration. 0 or -ENOMEM. */
int plan_set(struct plan_configuration *c, const char *name, const char *value);

/* Frees plan and record; not the measurement's context. */
void experiment_done(struct experiment *x);

/* Waits NS, for what was set to take hold. 0, or -EINTR where the program is to stop. */
int experiment_pause(struct experiment *x, uint64_t ns, struct error *err);

/*
 * Runs it to the end. Returns 0; -EINTR where it was stopped, with all put back; -ENOTRECOVERABLE
 * where something could not be put back (ERR lists it); or what failed. Settings are put back in
 * every case, and what was finished is stored.
 */
int experiment_run(struct experiment *x, struct error *err);
