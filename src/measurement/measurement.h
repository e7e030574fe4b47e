/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user asks for by name: a workload, the configurations that it needs by itself, and the
 * metrics it makes of them. A new measurement is one file, one line in MEASUREMENTS and one in
 * meson.build.
 */
#pragma once

#include "experiment/experiment.h"
#include "lib/opt.h"
#include "workload/task.h"

/* Options that give the workload's tasks their attributes; each can be compared with --vary. */
struct task_conf {
	char *cpus, *class, *cgroup;
	int64_t nice, uclamp_min, uclamp_max;
	uint64_t slice_ns, timer_slack_ns;
};
extern const struct opt task_opts[];

/* Options of the plan, the same for every measurement. */
struct plan_conf {
	char **vary, **set;
	uint64_t repeat; /* blocks; 0: the measurement's default */
	uint64_t settle_ns, cooldown_ns;
	char *seed;
	double margin_percent;
	char *name;
};
extern const struct opt plan_opts[];

/* The options of one configuration. */
struct conf {
	struct task_conf task;
	void *own;  /* of the measurement's conf_size */
	char *text; /* the options that were varied, as a JSON object: configurations with the same
		       text are comparable */
};

struct measurement;

/* A measurement on its way to be carried out. */
struct job {
	const struct measurement *measurement;
	const struct root *root;
	const struct machine *machine;
	struct plan_conf plan;
	struct conf base;    /* as given on the command line */
	struct conf **confs; /* of the configurations, in no order; owned */
	size_t n_confs;
	void *state; /* the measurement's own, freed with its done() */
};

struct measurement {
	const char *name, *help;
	const char *example; /* a command line for --help, without `tacho NAME` */
	const struct opt *opts;
	size_t conf_size;
	unsigned blocks; /* default of --repeat */
	const struct metric *metrics;
	size_t n_metrics;
	/* 0 where this machine can do it, else -EOPNOTSUPP with the reason in ERR. */
	int (*check)(const struct root *root, const struct machine *m, struct error *err);
	/* Makes the plan: adds configurations to X and sets watched, baseline, run_seconds. */
	int (*configure)(struct job *job, struct experiment *x, struct error *err);
	/* After the last block: -EIO where nothing could be measured. May be NULL. */
	int (*finish)(struct job *job, const struct experiment *x, struct error *err);
	void (*done)(struct job *job); /* may be NULL */
	struct experiment_ops ops;
};

/* One line each, sorted. */
#define MEASUREMENTS(X) X(efficiency)

size_t measurement_count(void);
const struct measurement *measurement_at(size_t index);
const struct measurement *measurement_find(const char *name);

/* Gives options their defaults. Freed with job_done(). */
int job_init(struct job *job, const struct measurement *measurement, struct error *err);
void job_done(struct job *job);

/*
 * Fills X from the job: options, seed and metrics of the record, then the measurement's own
 * configurations, each setting of which is checked. X must be zeroed but for root and machine; its
 * context becomes RQ.
 */
int job_plan(struct job *job, struct experiment *x, struct error *err);

/* Turns the attributes of CONF into those of a task; ATTR->cgroup stays CONF's, ATTR->cpus is left
 * alone. */
int task_conf_attr(const struct task_conf *conf, struct task_attr *attr, struct error *err);
