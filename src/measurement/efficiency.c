/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How close a governor comes to the performance governor on work that starts and stops. A
 * calibrated amount of work, then sleep for a fixed time; under `performance` it takes T_high, at
 * the lowest frequency T_low, and a governor that needs T has the efficiency (T_low - T) / (T_low -
 * T_high) x 100. All three come from the same block.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>

#include "lib/log.h"
#include "measurement/efficiency.h"
#include "workload/runsleep.h"

/* Work that takes less than this much longer at the lowest frequency than at the highest shows no
 * effect of frequency. */
#define NO_EFFECT 1.01
/* A run whose task stood on a run queue for more than this share of its work was disturbed by
 * others. The governor's own worker on that CPU, which is part of what is measured, takes up to 3
 * to 5 % of it. */
#define WAITED_SHARE 0.05

#define FIELD(field) offsetof(struct efficiency_conf, field)
static const struct opt opts[] = {
	{ "run", 0, OPT_TIME, FIELD(run_ns), 10e3, 3600e9, "100ms", .arg = "TIME",
	  .help = "work of one loop, as its time at the highest frequency" },
	{ "sleep", 0, OPT_TIME, FIELD(sleep_ns), 1e3, 3600e9, "1s", .arg = "TIME",
	  .help = "sleep after the work" },
	{ "loops", 'l', OPT_UINT, FIELD(loops), 1, 1e6, "5", .arg = "N",
	  .help = "counted loops a run, after one uncounted" },
	{ "governor", 0, OPT_STRING, FIELD(governor), .arg = "LIST",
	  .help = "governors to compare: all (default), or a list with commas" },
	{ 0 },
};

enum { WORK_DURATION, EFFICIENCY, OVERRUNS };

static const struct metric metrics[] = {
	[WORK_DURATION] = { "work_duration", "s",
			    "time that the work took, mean over a run's loops", BETTER_LOWER,
			    EFFECT_RATIO, .primary = true },
	[EFFICIENCY] = { "efficiency", "%",
			 "100 as fast as performance, 0 as slow as the lowest frequency",
			 BETTER_HIGHER, EFFECT_DIFFERENCE, .primary = true, .per_block = true,
			 .per_work = true, .margin = 1 },
	[OVERRUNS] = { "overruns", "", "loops whose work took longer than run and sleep together",
		       BETTER_LOWER, EFFECT_DIFFERENCE },
};

static int check(const struct root *root, const struct machine *m, struct error *err)
{
	(void) root;
	if (m->n_policies == 0)
		return fail(
			err, -EOPNOTSUPP,
			"this machine has no cpufreq policies, so there is no governor to measure (usual in virtual "
			"machines); `tacho lab -- efficiency` measures in an emulated machine");
	return 0;
}

static int prepare(struct experiment *x, struct error *err)
{
	struct job *job = x->context;
	struct efficiency_state *state = job->state;
	struct setting fastest_setting = { .name = (char[]) { "governor" },
					   .value = (char[]) { "performance" } };
	json_object *facts = json_object_new_object(), *list = json_object_new_array();
	int r;

	json_object_object_add(facts, "calibration", list);
	r = session_apply(x->session, &fastest_setting, 1, err);
	if (r == 0)
		r = experiment_pause(x, x->settle_ns, err);
	if (r == 0)
		r = places_calibrate(&state->places, x->machine, x->stop, list, err);
	free(x->record.facts);
	x->record.facts = strdup(json_object_to_json_string_ext(facts, JSON_C_TO_STRING_PLAIN));
	json_object_put(facts);
	return r == 0 && !x->record.facts ? fail(err, -ENOMEM, "out of memory") : r;
}

static struct value *add_value(struct run *run, size_t metric, const char *labels, double number,
			       struct error *err)
{
	struct value *v = array_add(&run->values, &run->n_values, sizeof(*v));

	if (!v || !(v->labels = strdup(labels))) {
		fail(err, -ENOMEM, "out of memory");
		return NULL;
	}
	v->metric = metric;
	v->number = number;
	return v;
}

static int report_durations(struct run *run, const struct place *place, const struct runsleep *w,
			    const struct runsleep_result *result, uint64_t run_ns,
			    struct error *err)
{
	double sum = 0, overruns = 0;
	struct value *v = add_value(run, WORK_DURATION, place->labels, NAN, err);

	if (!v || !(v->samples = calloc(w->counted, sizeof(*v->samples))))
		return fail(err, -ENOMEM, "out of memory");
	v->n_samples = w->counted;
	for (size_t i = 0; i < w->counted; i++) {
		v->samples[i] = (double) result->durations_ns[i] / 1e9;
		sum += v->samples[i];
		overruns += result->durations_ns[i] > run_ns + w->sleep_ns;
	}
	v->number = sum / (double) w->counted;
	return add_value(run, OVERRUNS, place->labels, overruns, err) ? 0 : err->code;
}

static int run_place(struct experiment *x, const struct conf *conf, const struct place *place,
		     struct run *run, uint64_t *busy_ns, struct error *err)
{
	const struct efficiency_conf *own = conf->own;
	struct runsleep w = {
		.work = calibration_loops(&place->calibration, own->run_ns),
		.sleep_ns = own->sleep_ns,
		.uncounted = 1,
		.counted = own->loops,
		.stop = x->stop,
	};
	_cleanup_free_ uint64_t *durations = calloc(own->loops, sizeof(*durations));
	struct runsleep_result result = { .durations_ns = durations };
	int r = durations ? task_conf_attr(&conf->task, &w.attr, err)
			  : fail(err, -ENOMEM, "out of memory");

	if (r < 0)
		return r;
	w.attr.cpus = &place->cpus;
	r = runsleep_run(&w, &result, err);
	if (r < 0)
		return r;
	*busy_ns += result.cpu_ns;
	if (run->valid && result.waited_ns != UINT64_MAX &&
	    (double) result.waited_ns > WAITED_SHARE * (double) result.cpu_ns) {
		run->valid = false;
		if (asprintf(&run->reason,
			     "other tasks kept the work waiting for %.1f ms beside %.0f ms of work",
			     (double) result.waited_ns / 1e6, (double) result.cpu_ns / 1e6) < 0)
			return fail(err, -ENOMEM, "out of memory");
	}
	return report_durations(run, place, &w, &result, own->run_ns, err);
}

static int run(struct experiment *x, size_t configuration, struct run *run, uint64_t *ret_busy_ns,
	       struct error *err)
{
	const struct job *job = x->context;
	const struct efficiency_state *state = job->state;
	const struct conf *conf = x->plan[configuration].conf;
	_cleanup_free_ struct cpus *sets = NULL;
	size_t n;
	int r = machine_select_cpus(job->machine, conf->task.cpus, &sets, &n, err);

	*ret_busy_ns = 0;
	for (size_t i = 0; i < n && r == 0; i++)
		r = run_place(x, conf, places_find(&state->places, &sets[i]), run, ret_busy_ns,
			      err);
	return r;
}

/* The mean duration in RUN at the place that LABELS names, NAN where it has none. */
static double duration(const struct run *run, const char *labels)
{
	for (size_t i = 0; i < run->n_values; i++)
		if (run->values[i].metric == WORK_DURATION && streq(run->values[i].labels, labels))
			return run->values[i].number;
	return NAN;
}

static double efficiency_of(struct experiment *x, const struct run *runs, size_t i,
			    const char *labels)
{
	struct job *job = x->context;
	struct efficiency_state *state = job->state;
	double high = duration(&runs[efficiency_reference(x, i, true)], labels);
	double low = duration(&runs[efficiency_reference(x, i, false)], labels),
	       t = duration(&runs[i], labels);

	if (!(low > high * NO_EFFECT)) {
		if (!state->warned)
			log_warning(
				"no effect of the frequency seen: the work took %.4g s at the highest and %.4g s at the lowest "
				"frequency; no efficiency can be given",
				high, low);
		state->warned = true;
		return NAN;
	}
	state->any_efficiency = true;
	return (low - t) / (low - high) * 100;
}

static int block(struct experiment *x, unsigned number, const struct run *runs,
		 struct block_value **ret, size_t *ret_n, struct error *err)
{
	for (size_t i = 0; i < x->n_plan; i++) {
		for (size_t j = 0; j < runs[i].n_values; j++) {
			const struct value *v = &runs[i].values[j];
			struct block_value *out;

			if (v->metric != WORK_DURATION)
				continue;
			out = array_add(ret, ret_n, sizeof(*out));
			if (!out)
				return fail(err, -ENOMEM, "out of memory");
			*out = (struct block_value) { .block = number, .configuration = i };
			out->value.metric = EFFICIENCY;
			out->value.number = efficiency_of(x, runs, i, v->labels);
			out->value.labels = strdup(v->labels);
			if (!out->value.labels)
				return fail(err, -ENOMEM, "out of memory");
		}
	}
	return 0;
}

static int finish(struct job *job, const struct experiment *x, struct error *err)
{
	const struct efficiency_state *state = job->state;

	(void) x;
	if (!state->any_efficiency)
		return fail(
			err, -EIO,
			"the lowest frequency slowed the work down in no block, so there is no efficiency to give: is the "
			"frequency really set by this kernel (a hypervisor may ignore it)?");
	return 0;
}

static void done(struct job *job)
{
	struct efficiency_state *state = job->state;

	if (!state)
		return;
	places_done(&state->places);
	free(state);
}

extern const struct measurement measurement_efficiency;
const struct measurement measurement_efficiency = {
	.name = "efficiency",
	.help = "how close each governor comes to the performance governor on work that starts and stops",
	.example = "--run 100ms --sleep 1s --loops 5 --repeat 6",
	.opts = opts,
	.conf_size = sizeof(struct efficiency_conf),
	.blocks = 10,
	.metrics = metrics,
	.n_metrics = ARRAY_SIZE(metrics),
	.check = check,
	.configure = efficiency_configure,
	.finish = finish,
	.done = done,
	.ops = { .prepare = prepare, .run = run, .block = block },
};
