/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "experiment/experiment.h"

#include <errno.h>
#include <json-c/json.h>

#include "experiment/environment.h"
#include "lib/clock.h"
#include "lib/log.h"

/* How often one block is tried, and by how much all repetitions together may lengthen an
 * experiment. */
#define MOST_ATTEMPTS 5
#define MOST_REPEATS(blocks) ((blocks) / 2 + 3)

int experiment_pause(struct experiment *x, uint64_t ns, struct error *err)
{
	uint64_t end = now_ns() + ns;

	while (ns && sleep_until_ns(end) == -EINTR)
		if (x->stop && *x->stop)
			break;
	return x->stop && *x->stop ? fail(err, -EINTR, "stopped by a signal") : 0;
}

static int record_configurations(struct experiment *x, struct error *err)
{
	for (size_t i = 0; i < x->n_plan; i++) {
		const struct plan_configuration *c = &x->plan[i];
		struct configuration *out = array_add(&x->record.configurations,
						      &x->record.n_configurations, sizeof(*out));
		json_object *knobs = json_object_new_object();
		char id[8];

		configuration_id(i, id, sizeof(id));
		for (size_t j = 0; j < c->n_settings; j++)
			json_object_object_add(knobs, c->settings[j].name,
					       json_object_new_string(c->settings[j].value));
		if (out) {
			out->id = strdup(id);
			out->name = strdup(c->name);
			out->knobs = strdup(
				json_object_to_json_string_ext(knobs, JSON_C_TO_STRING_PLAIN));
			out->options = strdup(c->options);
			out->reference = c->reference;
		}
		json_object_put(knobs);
		if (!out || !out->id || !out->name || !out->knobs || !out->options)
			return fail(err, -ENOMEM, "out of memory");
	}
	return 0;
}

static int mark_invalid(struct run *run, char *reason)
{
	run->valid = false;
	if (run->reason)
		free(reason); /* the first one is kept */
	else
		run->reason = reason;
	return 0;
}

/* Whether a configuration changes limits, by itself or by re-creating the policies. */
static bool sets_limits(const struct plan_configuration *c)
{
	static const char *const knobs[] = { "min_freq",    "max_freq", "boost",
					     "driver_mode", "file:",    "command:" };

	for (size_t i = 0; i < c->n_settings; i++)
		for (size_t j = 0; j < ARRAY_SIZE(knobs); j++)
			if (strafter(c->settings[i].name, knobs[j]))
				return true;
	return false;
}

static int observe(struct experiment *x, size_t configuration, struct run *run, struct error *err)
{
	struct environment *environment;
	json_object *json = NULL;
	struct error stale = { 0 };
	uint64_t busy_ns = 0;
	char *reason = NULL;
	int r;

	r = environment_begin(x->root, x->machine, &x->watched,
			      sets_limits(&x->plan[configuration]), &environment);
	if (r < 0)
		return fail(err, r, "out of memory");
	r = x->ops->run(x, configuration, run, &busy_ns, err);
	if (r < 0) {
		environment_free(environment);
		return r;
	}
	r = environment_end(environment, busy_ns, &json, &reason);
	if (json)
		run->environment =
			strdup(json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN));
	json_object_put(json);
	if (r < 0 || !run->environment) {
		free(reason);
		return fail(err, -ENOMEM, "out of memory");
	}
	if (reason)
		mark_invalid(run, reason);
	if (session_verify(x->session, &stale) < 0)
		mark_invalid(run, strdup(stale.text));
	return 0;
}

static int one_run(struct experiment *x, size_t configuration, struct run *run, struct error *err)
{
	const struct plan_configuration *c = &x->plan[configuration];
	uint64_t start = now_ns();
	int r;

	run->configuration = configuration;
	run->started = wall_time();
	run->valid = true;
	r = session_apply(x->session, c->settings, c->n_settings, err);
	if (r < 0)
		return fail_prefix(err, r, "configuration %s", c->name);
	r = experiment_pause(x, x->settle_ns, err);
	if (r < 0)
		return r;
	r = observe(x, configuration, run, err);
	if (r < 0)
		return r;
	run->seconds = (double) (now_ns() - start) / 1e9;
	return experiment_pause(x, x->cooldown_ns, err);
}

static int store_discard(struct experiment *x, unsigned block, unsigned attempt, const char *reason,
			 struct error *err)
{
	struct discard *d = array_add(&x->record.discards, &x->record.n_discards, sizeof(*d));

	if (!d)
		return fail(err, -ENOMEM, "out of memory");
	d->block = block;
	d->attempt = attempt;
	d->reason = strdup(reason);
	if (!d->reason)
		return fail(err, -ENOMEM, "out of memory");
	log_note("block %u discarded and repeated: %s", block, reason);
	return x->sink->discard(x->sink->context, &x->record, d, err);
}

static void show_progress(const struct experiment *x, unsigned block, size_t order,
			  size_t configuration)
{
	double left = (double) ((size_t) (x->blocks - block + 1) * x->n_plan - order) *
		      (x->run_seconds + (double) (x->settle_ns + x->cooldown_ns) / 1e9);

	log_progress("block %u of %u, run %zu of %zu: %s%s%.0f s left", block, x->blocks, order + 1,
		     x->n_plan, x->plan[configuration].name,
		     x->run_seconds > 0 ? ", about " : ", at least ", left);
}

/* One attempt at a block. RUNS (by configuration, emptied before) belongs to the caller.
 * *RET_REASON: why it does not count. */
static int attempt_block(struct experiment *x, unsigned block, unsigned attempt, struct run *runs,
			 size_t *order, const char **ret_reason, struct error *err)
{
	*ret_reason = NULL;
	plan_order(x->record.seed, block, attempt, order, x->n_plan);
	for (size_t i = 0; i < x->n_plan; i++) {
		struct run *run = &runs[order[i]];
		int r;

		run->block = block;
		run->attempt = attempt;
		run->order = (unsigned) i + 1;
		show_progress(x, block, i, order[i]);
		r = one_run(x, order[i], run, err);
		if (r == 0)
			r = x->sink->run(x->sink->context, &x->record, run, err);
		if (r < 0)
			return r;
		if (!run->valid) { /* the rest of the block would be thrown away with it */
			*ret_reason = run->reason;
			return 0;
		}
	}
	return 0;
}

static int finish_block(struct experiment *x, unsigned block, const struct run *runs,
			struct error *err)
{
	struct block_value *values = NULL;
	size_t n = 0;
	int r = 0;

	if (x->ops->block)
		r = x->ops->block(x, block, runs, &values, &n, err);
	if (r == 0)
		r = x->sink->block(x->sink->context, &x->record, block, values, n, err);
	for (size_t i = 0; i < n; i++)
		value_done(&values[i].value);
	free(values);
	return r;
}

static void empty_runs(struct run *runs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		run_done(&runs[i]);
}

static int one_block(struct experiment *x, unsigned block, struct run *runs, size_t *order,
		     unsigned *repeats, struct error *err)
{
	for (unsigned attempt = 1;; attempt++) {
		const char *reason;
		int r;

		empty_runs(runs, x->n_plan);
		r = attempt_block(x, block, attempt, runs, order, &reason, err);
		if (r == 0 && !reason)
			return finish_block(x, block, runs, err);
		if (r == 0)
			r = store_discard(x, block, attempt, reason, err);
		if (r < 0)
			return r;
		if (attempt == MOST_ATTEMPTS || ++*repeats > MOST_REPEATS(x->blocks))
			return fail(
				err, -EIO,
				"the machine is not quiet enough to measure: block %u was discarded for the %u. time (%s)",
				block, attempt, reason);
	}
}

static int all_blocks(struct experiment *x, struct error *err)
{
	_cleanup_free_ struct run *runs = calloc(x->n_plan, sizeof(*runs));
	_cleanup_free_ size_t *order = calloc(x->n_plan, sizeof(*order));
	unsigned repeats = 0;
	int r = 0;

	if (!runs || !order)
		return fail(err, -ENOMEM, "out of memory");
	for (unsigned block = 1; block <= x->blocks && r == 0; block++)
		r = one_block(x, block, runs, order, &repeats, err);
	empty_runs(runs, x->n_plan);
	log_progress_end();
	return r;
}

static int set_status(struct record *record, const char *status, struct error *err)
{
	free(record->status);
	record->status = strdup(status);
	return record->status ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int begin(struct experiment *x, struct error *err)
{
	int r = record_configurations(x, err);

	if (r == 0 && x->ops->prepare)
		r = x->ops->prepare(x, err);
	if (r == 0)
		r = set_status(&x->record, "running", err);
	x->record.started = wall_time();
	return r == 0 ? x->sink->begin(x->sink->context, &x->record, err) : r;
}

static int end(struct experiment *x, int result, struct error *err)
{
	int r = set_status(&x->record,
			   result == 0        ? "finished"
			   : result == -EINTR ? "interrupted"
					      : "failed",
			   err);

	x->record.finished = wall_time();
	return r == 0 ? x->sink->end(x->sink->context, &x->record, err) : r;
}

int experiment_run(struct experiment *x, struct error *err)
{
	struct session_options options = { .state_dir = x->state_dir,
					   .wait = x->wait,
					   .stop = x->stop };
	struct error restore = { 0 }, storing = { 0 };
	bool stored = false;
	int r, put_back;

	r = session_open(x->root, &options, &x->session, err);
	if (r < 0)
		return r;
	r = begin(x, err);
	if (r == 0) {
		stored = true;
		r = all_blocks(x, err);
	}
	if (r == -EINTR)
		log_note("stopped: putting the settings of the machine back");
	put_back = session_close(x->session, &restore);
	x->session = NULL;
	if (stored) {
		int s = end(x, r, &storing);

		r = r == 0 && s < 0 ? fail(err, s, "%s", storing.text) : r;
	}
	if (put_back < 0) {
		if (r < 0)
			log_error("%s", err->text);
		error_clear(err);
		return fail(err, put_back, "%s", restore.text);
	}
	return r;
}
