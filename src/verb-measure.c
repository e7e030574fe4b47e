/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tacho MEASUREMENT: plans it, carries it out into the store, and reports what the store then
 * holds. */
#include <errno.h>
#include <json-c/json.h>

#include "lib/interrupt.h"
#include "lib/log.h"
#include "measurement/measurement.h"
#include "report/report.h"
#include "store/store.h"
#include "verb.h"

static int record_command(struct record *record, int argc, char **argv, struct error *err)
{
	json_object *list = json_object_new_array();

	json_object_array_add(list, json_object_new_string("tacho"));
	for (int i = 0; i < argc; i++)
		json_object_array_add(list, json_object_new_string(argv[i]));
	record->command = strdup(json_object_to_json_string_ext(
		list, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(list);
	return record->command ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int record_machine(struct record *record, const struct machine *m, struct error *err)
{
	json_object *o = machine_json(m);

	record->machine = strdup(json_object_to_json_string_ext(
		o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
	return record->machine ? 0 : fail(err, -ENOMEM, "out of memory");
}

static void print_plan(const struct experiment *x, FILE *out)
{
	_cleanup_free_ size_t *order = calloc(x->n_plan, sizeof(*order));
	double run = x->run_seconds + (double) (x->settle_ns + x->cooldown_ns) / 1e9;

	fprintf(out,
		"%u blocks of %zu configurations, seed %llu, about %.0f s\n\nconfigurations:\n",
		x->blocks, x->n_plan, (unsigned long long) x->record.seed,
		run * x->blocks * (double) x->n_plan);
	for (size_t i = 0; i < x->n_plan; i++) {
		const struct plan_configuration *c = &x->plan[i];
		char id[8];

		configuration_id(i, id, sizeof(id));
		fprintf(out, "  %s  %s%s%s\n     ", id, c->name,
			i == x->record.baseline ? "  (baseline)" : "",
			c->reference ? "  (reference)" : "");
		for (size_t j = 0; j < c->n_settings; j++)
			fprintf(out, " %s=%s", c->settings[j].name, c->settings[j].value);
		fputc('\n', out);
	}
	fprintf(out, "\norder:\n");
	for (unsigned b = 1; b <= x->blocks && order; b++) {
		plan_order(x->record.seed, b, 1, order, x->n_plan);
		fprintf(out, "  %u:", b);
		for (size_t i = 0; i < x->n_plan; i++) {
			char id[8];

			configuration_id(order[i], id, sizeof(id));
			fprintf(out, " %s", id);
		}
		fputc('\n', out);
	}
}

static int print_result(const struct common *common, struct store *store, int64_t id, FILE *out,
			struct error *err)
{
	_cleanup_record_ struct record *record = NULL;
	int r = store_load(store, id, true, &record, err);

	if (r < 0)
		return r;
	if (record->emulated)
		record->id = 0; /* its number is given where the database goes home to */
	if (common->format == FORMAT_JSON)
		return report_json(record, common->samples, out, err);
	return report_text(record, out, common_color(common, out), common_width(out), err);
}

static int measure(const struct common *common, struct job *job, struct experiment *x,
		   struct error *err)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_free_ char *path = NULL;
	struct error printing = { 0 };
	struct sink sink;
	FILE *out;
	int r, p;

	r = common_output(common, &out, err);
	if (r < 0)
		return r;
	if (common->dry_run) {
		print_plan(x, out);
		return common_output_done(common, out, err);
	}
	r = store_default_path(common->db, &path, err);
	if (r == 0)
		r = store_open(path, false, &store, err);
	if (r == 0) {
		store_sink(store, &sink);
		x->sink = &sink;
		r = experiment_run(x, err);
	}
	if (r == 0 && job->measurement->finish)
		r = job->measurement->finish(job, x, err);
	if (x->record.id && r == 0) {
		r = print_result(common, store, x->record.id, out, err);
		if (r == 0 && !x->record.emulated)
			log_note("stored as experiment %lld in %s", (long long) x->record.id, path);
	} else if (x->record.id) {
		log_note("what was finished is stored as experiment %lld in %s",
			 (long long) x->record.id, path);
	}
	p = common_output_done(common, out, &printing);
	return r == 0 && p < 0 ? fail(err, p, "%s", printing.text) : r;
}

static int prepare(const struct common *common, struct job *job, struct experiment *x,
		   struct error *err)
{
	int r;

	r = job->measurement->check(job->root, job->machine, err);
	if (r < 0)
		return r;
	if (!root_is_system(job->root) && !common->dry_run)
		return fail(
			err, -EINVAL,
			"--sysroot is a copy of a machine, and a copy cannot be measured; --dry-run plans for it");
	x->root = job->root;
	x->machine = job->machine;
	x->stop = interrupt_flag();
	x->state_dir = common->state;
	x->wait = common->wait;
	r = job_plan(job, x, err);
	return r == 0 ? record_machine(&x->record, job->machine, err) : r;
}

int verb_measure(int argc, char **argv)
{
	const struct measurement *it = measurement_find(argv[0]);
	struct verb verb = { .name = it->name, .arguments = "", .help = it->help };
	_cleanup_machine_ struct machine *machine = NULL;
	_cleanup_root_ struct root *root = NULL;
	struct error err = { 0 };
	struct common common = { 0 };
	struct experiment x = { 0 };
	struct job job;
	int words = 0, r = job_init(&job, it, &err);
	const struct opt_group groups[] = {
		{ "Options", it->opts, job.base.own },
		{ "The workload's tasks", task_opts, &job.base.task },
		{ "The plan", plan_opts, &job.plan },
	};

	if (r == 0)
		r = record_command(&x.record, argc, argv, &err);
	if (r == 0)
		r = common_parse(&common, &verb, groups, ARRAY_SIZE(groups), argc, argv, &words,
				 &err);
	if (r == 1)
		printf("\nExample:\n  tacho %s %s\n", it->name, it->example);
	if (r == 0 && words)
		r = fail(&err, -EINVAL, "%s takes no argument, but got `%s`", it->name, argv[1]);
	if (r == 0)
		r = common_machine(&common, &root, &machine, &err);
	if (r == 0) {
		job.root = root;
		job.machine = machine;
		r = prepare(&common, &job, &x, &err);
	}
	if (r == 0)
		r = measure(&common, &job, &x, &err);
	experiment_done(&x);
	job_done(&job);
	common_done(&common);
	return verb_end(r, &err);
}
