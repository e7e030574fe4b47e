/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From options to a plan: what all measurements share. */
#include <errno.h>
#include <json-c/json.h>

#include "lib/log.h"
#include "lib/rng.h"
#include "lib/units.h"
#include "measurement/measurement.h"

#define EXTERN(name) extern const struct measurement measurement_##name;
MEASUREMENTS(EXTERN)
#undef EXTERN

#define ENTRY(name) &measurement_##name,
static const struct measurement *const table[] = { MEASUREMENTS(ENTRY) };
#undef ENTRY

#define TASK(field) offsetof(struct task_conf, field)
const struct opt task_opts[] = {
	{ "cpus", 0, OPT_STRING, TASK(cpus), .arg = "LIST",
	  .help = "CPUs: 0-3,8, policyN, little, big, each-type, each-policy, any" },
	{ "class", 0, OPT_STRING, TASK(class), .arg = "CLASS",
	  .help = "other, batch, idle, fifo:P, rr:P or deadline:R:D:P" },
	{ "nice", 0, OPT_INT, TASK(nice), -20, 19, "0", .arg = "N",
	  .help = "nice value, -20 to 19" },
	{ "uclamp-min", 0, OPT_INT, TASK(uclamp_min), -1, 1024, "-1", .arg = "N",
	  .help = "lowest utilisation the governor sees, 0 to 1024; -1 none" },
	{ "uclamp-max", 0, OPT_INT, TASK(uclamp_max), -1, 1024, "-1", .arg = "N",
	  .help = "highest utilisation the governor sees, 0 to 1024; -1 none" },
	{ "slice", 0, OPT_TIME, TASK(slice_ns), .arg = "TIME",
	  .help = "slice of the task, 100us to 100ms" },
	{ "timer-slack", 0, OPT_TIME, TASK(timer_slack_ns), 1, 1e9, "1ns", .arg = "TIME",
	  .help = "timer slack of the task" },
	{ "cgroup", 0, OPT_STRING, TASK(cgroup), .arg = "PATH",
	  .help = "cgroup (v2) to run in, below /sys/fs/cgroup" },
	{ 0 },
};

#define PLAN(field) offsetof(struct plan_conf, field)
const struct opt plan_opts[] = {
	{ "vary", 0, OPT_STRINGS, PLAN(vary), .arg = "NAME=V1,V2,..",
	  .help = "compare values of a knob or option; repeatable, cross product" },
	{ "set", 0, OPT_STRINGS, PLAN(set), .arg = "NAME=VALUE",
	  .help = "set a knob or option in every configuration; repeatable" },
	{ "repeat", 'r', OPT_UINT, PLAN(repeat), 0, 10000, "0", .arg = "N",
	  .help = "blocks, each every configuration once; 0: the default" },
	{ "settle", 0, OPT_TIME, PLAN(settle_ns), 0, 3600e9, "1s", .arg = "TIME",
	  .help = "wait after a change of settings" },
	{ "cooldown", 0, OPT_TIME, PLAN(cooldown_ns), 0, 3600e9, "0s", .arg = "TIME",
	  .help = "wait after each run" },
	{ "seed", 0, OPT_STRING, PLAN(seed), .arg = "N",
	  .help = "draws the order of the runs; a fresh one by default" },
	{ "margin", 0, OPT_NUMBER, PLAN(margin_percent), 0.001, 1000, "1", .arg = "PERCENT",
	  .help = "differences below this do not matter" },
	{ "name", 0, OPT_STRING, PLAN(name), .arg = "TEXT",
	  .help = "name of the experiment in the log", .unrecorded = true },
	{ 0 },
};

size_t measurement_count(void)
{
	return ARRAY_SIZE(table);
}

const struct measurement *measurement_at(size_t index)
{
	return table[index];
}

const struct measurement *measurement_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (streq(table[i]->name, name))
			return table[i];
	return NULL;
}

int job_init(struct job *job, const struct measurement *measurement, struct error *err)
{
	int r;

	*job = (struct job) { .measurement = measurement };
	job->base.own = calloc(1, measurement->conf_size);
	job->base.text = strdup("{}");
	if (!job->base.own || !job->base.text)
		return fail(err, -ENOMEM, "out of memory");
	r = opts_init(plan_opts, &job->plan, err);
	if (r == 0)
		r = opts_init(task_opts, &job->base.task, err);
	if (r == 0)
		r = opts_init(measurement->opts, job->base.own, err);
	return r;
}

static void conf_done(struct conf *conf, const struct measurement *measurement)
{
	opts_free(task_opts, &conf->task);
	if (conf->own)
		opts_free(measurement->opts, conf->own);
	free(conf->own);
	free(conf->text);
}

void job_done(struct job *job)
{
	if (!job->measurement)
		return;
	if (job->measurement->done)
		job->measurement->done(job);
	for (size_t i = 0; i < job->n_confs; i++) {
		conf_done(job->confs[i], job->measurement);
		free(job->confs[i]);
	}
	free(job->confs);
	conf_done(&job->base, job->measurement);
	opts_free(plan_opts, &job->plan);
	*job = (struct job) { 0 };
}

int task_conf_attr(const struct task_conf *conf, struct task_attr *attr, struct error *err)
{
	int r = 0;

	task_attr_init(attr);
	if (conf->class)
		r = task_class_parse(conf->class, attr, err);
	if (conf->nice)
		attr->nice = conf->nice;
	if (conf->uclamp_min >= 0)
		attr->uclamp_min = conf->uclamp_min;
	if (conf->uclamp_max >= 0)
		attr->uclamp_max = conf->uclamp_max;
	if (r == 0 && conf->slice_ns &&
	    (conf->slice_ns < 100 * NSEC_PER_USEC || conf->slice_ns > 100 * NSEC_PER_MSEC))
		return fail(err, -EINVAL, "--slice: out of range, expected 100us to 100ms");
	attr->slice_ns = conf->slice_ns;
	attr->timer_slack_ns = conf->timer_slack_ns;
	attr->cgroup = conf->cgroup;
	return r;
}

static void add_options(json_object *o, const struct opt *opts, const void *conf)
{
	for (; opts->name; opts++) {
		_cleanup_free_ char *text = NULL;

		if (opts->unrecorded)
			continue;
		text = opt_get(opts, conf);
		json_object_object_add(o, opts->name, text ? json_object_new_string(text) : NULL);
	}
}

static int record_options(const struct job *job, struct record *record, struct error *err)
{
	json_object *o = json_object_new_object();

	add_options(o, job->measurement->opts, job->base.own);
	add_options(o, task_opts, &job->base.task);
	add_options(o, plan_opts, &job->plan);
	record->options = strdup(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	json_object_put(o);
	return record->options ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int fill_record(struct job *job, struct record *record, struct error *err)
{
	const struct measurement *me = job->measurement;
	char uuid[37];
	int r;

	uuid_new(uuid);
	record->uuid = strdup(uuid);
	record->measurement = strdup(me->name);
	record->name = job->plan.name ? strdup(job->plan.name) : NULL;
	record->facts = strdup("{}");
	record->margin = job->plan.margin_percent / 100;
	record->emulated = job->machine->emulated;
	record->metrics = calloc(me->n_metrics, sizeof(*record->metrics));
	if (!record->uuid || !record->measurement || !record->facts || !record->metrics)
		return fail(err, -ENOMEM, "out of memory");
	memcpy(record->metrics, me->metrics, me->n_metrics * sizeof(*record->metrics));
	record->n_metrics = me->n_metrics;
	if (job->plan.seed) {
		r = parse_u64_text("--seed", job->plan.seed, &record->seed, err);
		if (r < 0)
			return r;
		if (record->seed > 1ULL << 53)
			return fail(err, -EINVAL, "--seed: `%s` is too large, at most 2^53",
				    job->plan.seed);
	} else {
		record->seed = rng_fresh_seed();
	}
	return record_options(job, record, err);
}

static int check_settings(const struct job *job, const struct experiment *x, struct error *err)
{
	for (size_t i = 0; i < x->n_plan; i++) {
		int r = knob_check_all(job->root, job->machine, x->plan[i].settings,
				       x->plan[i].n_settings, err);

		if (r < 0)
			return r;
	}
	return 0;
}

int job_plan(struct job *job, struct experiment *x, struct error *err)
{
	int r;

	x->ops = &job->measurement->ops;
	x->context = job;
	x->blocks = job->plan.repeat ? (unsigned) job->plan.repeat : job->measurement->blocks;
	job->plan.repeat = x->blocks;
	x->settle_ns = job->plan.settle_ns;
	x->cooldown_ns = job->plan.cooldown_ns;
	r = fill_record(job, &x->record, err);
	if (r == 0)
		r = job->measurement->configure(job, x, err);
	return r == 0 ? check_settings(job, x, err) : r;
}
