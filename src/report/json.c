/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON form of an experiment: tacho-results(5) documents it, and DESIGN gave it. */
#include "report/report.h"

#include <math.h>

#include "report/value.h"

#define SCHEMA 1

static const char *const better_names[] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
	[BETTER_NONE] = "none",
};

static const char *const effect_names[] = {
	[EFFECT_RATIO] = "ratio",
	[EFFECT_DIFFERENCE] = "difference",
};

static void add_array(json_object *array, json_object *value)
{
	if (json_object_array_add(array, value) < 0)
		json_object_put(value);
}

static json_object *configuration_name(const struct record *record, size_t i)
{
	return i < record->n_configurations ? value_string(record->configurations[i].id) : NULL;
}

/* An object that must be there, as {} where the text holds none. */
static json_object *object_of(const char *text)
{
	json_object *x = value_parsed(text);

	if (json_object_is_type(x, json_type_object))
		return x;
	json_object_put(x);
	return json_object_new_object();
}

static json_object *array_of(const char *text)
{
	json_object *x = value_parsed(text);

	if (json_object_is_type(x, json_type_array))
		return x;
	json_object_put(x);
	return json_object_new_array();
}

static json_object *experiment_json(const struct record *x)
{
	json_object *out = json_object_new_object();

	value_add(out, "id", x->id ? json_object_new_int64(x->id) : NULL);
	value_add(out, "uuid", value_string(x->uuid));
	value_add(out, "name", value_string(x->name));
	value_add(out, "measurement", value_string(x->measurement));
	value_add(out, "status", value_string(x->status));
	value_add(out, "options", object_of(x->options));
	value_add(out, "facts", object_of(x->facts));
	value_add(out, "seed", json_object_new_uint64(x->seed));
	value_add(out, "started", value_time(x->started));
	value_add(out, "finished", value_time(x->finished));
	value_add(out, "command", array_of(x->command));
	value_add(out, "emulated", json_object_new_boolean(x->emulated));
	value_add(out, "margin", value_number(x->margin));
	value_add(out, "baseline", configuration_name(x, x->baseline));
	return out;
}

static json_object *metric_json(const struct metric *m)
{
	json_object *out = json_object_new_object();

	value_add(out, "name", value_string(m->name));
	value_add(out, "unit", value_string(m->unit));
	value_add(out, "help", value_string(m->help));
	value_add(out, "better", value_string(better_names[m->better]));
	value_add(out, "effect", value_string(effect_names[m->effect]));
	value_add(out, "primary", json_object_new_boolean(m->primary));
	value_add(out, "per_block", json_object_new_boolean(m->per_block));
	value_add(out, "per_work", json_object_new_boolean(m->per_work));
	value_add(out, "margin", m->margin > 0 ? value_number(m->margin) : NULL);
	return out;
}

static json_object *metrics_json(const struct record *x)
{
	json_object *out = json_object_new_array();

	for (size_t i = 0; i < x->n_metrics; i++)
		add_array(out, metric_json(&x->metrics[i]));
	return out;
}

static void add_summary(json_object *out, const struct summary *s)
{
	value_add(out, "n", json_object_new_uint64(s->n));
	value_add(out, "mean", value_number(s->mean));
	value_add(out, "median", value_number(s->median));
	value_add(out, "sd", value_number(s->sd));
	value_add(out, "min", value_number(s->min));
	value_add(out, "p5", value_number(s->p5));
	value_add(out, "p95", value_number(s->p95));
	value_add(out, "max", value_number(s->max));
	if (s->n_infinite)
		value_add(out, "censored", json_object_new_uint64(s->n_infinite));
}

static json_object *iterations_json(const struct summary *s)
{
	json_object *out;

	if (!s->n)
		return NULL;
	out = json_object_new_object();
	add_summary(out, s);
	return out;
}

static json_object *cell_json(const struct analysis *a, const struct cell *cell)
{
	const struct metric *m = &a->record->metrics[cell->metric];
	json_object *out = json_object_new_object();

	value_add(out, "name", value_string(m->name));
	value_add(out, "labels", object_of(cell->labels));
	value_add(out, "unit", value_string(m->unit));
	value_add(out, "better", value_string(better_names[m->better]));
	add_summary(out, &cell->runs);
	value_add(out, "estimate", value_number(cell->estimate));
	value_add(out, "low", value_number(cell->low));
	value_add(out, "high", value_number(cell->high));
	value_add(out, "iterations", iterations_json(&cell->iterations));
	return out;
}

static json_object *configuration_json(const struct analysis *a, size_t i)
{
	const struct configuration *c = &a->record->configurations[i];
	json_object *out = json_object_new_object();

	value_add(out, "id", value_string(c->id));
	value_add(out, "name", value_string(c->name));
	value_add(out, "reference", json_object_new_boolean(c->reference));
	value_add(out, "knobs", object_of(c->knobs));
	value_add(out, "options", object_of(c->options));
	value_add(out, "runs", json_object_new_uint64(a->runs[i]));
	value_add(out, "metrics", json_object_new_array());
	return out;
}

static json_object *configurations_json(const struct analysis *a)
{
	json_object *out = json_object_new_array();

	for (size_t i = 0; i < a->record->n_configurations; i++)
		add_array(out, configuration_json(a, i));
	for (size_t i = 0; i < a->n_cells; i++) {
		json_object *c = json_object_array_get_idx(out, a->cells[i].configuration),
			    *metrics = NULL;

		if (json_object_object_get_ex(c, "metrics", &metrics))
			add_array(metrics, cell_json(a, &a->cells[i]));
	}
	return out;
}

static json_object *contrast_json(const struct analysis *a, const struct contrast *c)
{
	const struct metric *m = &a->record->metrics[c->metric];
	const struct judged *j = &c->result;
	json_object *out = json_object_new_object();

	value_add(out, "base", configuration_name(a->record, c->base));
	value_add(out, "new", configuration_name(a->record, c->new));
	value_add(out, "metric", value_string(m->name));
	value_add(out, "labels", object_of(c->labels));
	value_add(out, "kind", value_string(effect_names[m->effect]));
	value_add(out, "unit", value_string(m->effect == EFFECT_DIFFERENCE ? m->unit : ""));
	value_add(out, "effect", value_number(j->effect));
	value_add(out, "low", value_number(j->low));
	value_add(out, "high", value_number(j->high));
	value_add(out, "p", value_number(j->p));
	value_add(out, "p_adjusted", value_number(j->p_adjusted));
	value_add(out, "blocks", json_object_new_uint64(j->blocks));
	value_add(out, "paired", json_object_new_boolean(j->paired));
	value_add(out, "margin", value_number(j->margin));
	value_add(out, "verdict", value_string(j->verdict));
	value_add(out, "small", json_object_new_boolean(j->small));
	value_add(out, "detectable", value_number(j->detectable));
	value_add(out, "blocks_needed",
		  j->blocks_needed ? json_object_new_uint64(j->blocks_needed) : NULL);
	return out;
}

static json_object *contrasts_json(const struct analysis *a)
{
	json_object *out = json_object_new_array();

	for (size_t i = 0; i < a->n_contrasts; i++)
		add_array(out, contrast_json(a, &a->contrasts[i]));
	return out;
}

static json_object *discards_json(const struct record *x)
{
	json_object *out = json_object_new_array();

	for (size_t i = 0; i < x->n_discards; i++) {
		json_object *d = json_object_new_object();

		value_add(d, "block", json_object_new_uint64(x->discards[i].block));
		value_add(d, "attempt", json_object_new_uint64(x->discards[i].attempt));
		value_add(d, "reason", value_string(x->discards[i].reason));
		add_array(out, d);
	}
	return out;
}

static json_object *value_json(const struct record *x, const struct value *v)
{
	json_object *out = json_object_new_object();

	value_add(out, "name", value_string(x->metrics[v->metric].name));
	value_add(out, "labels", object_of(v->labels));
	value_add(out, "value", value_number(v->number));
	if (isinf(v->number))
		value_add(out, "censored", json_object_new_boolean(true));
	return out;
}

static json_object *run_json(const struct analysis *a, size_t i)
{
	const struct run *run = &a->record->runs[i];
	json_object *out = json_object_new_object(), *metrics = json_object_new_array();

	for (size_t j = 0; j < run->n_values; j++)
		add_array(metrics, value_json(a->record, &run->values[j]));
	value_add(out, "order", json_object_new_uint64(run->order));
	value_add(out, "attempt", json_object_new_uint64(run->attempt));
	value_add(out, "configuration", configuration_name(a->record, run->configuration));
	value_add(out, "started", value_number(run->started - a->record->started));
	value_add(out, "seconds", value_number(run->seconds));
	value_add(out, "metrics", metrics);
	value_add(out, "environment", object_of(run->environment));
	value_add(out, "valid", json_object_new_boolean(run->valid));
	value_add(out, "counts", json_object_new_boolean(a->counts[i]));
	value_add(out, "reason", value_string(run->reason));
	return out;
}

/* A block's object, made at its first mention: KEYS maps the number to it. */
static json_object *block_json(json_object *blocks, json_object *keys, unsigned block)
{
	char key[16];
	json_object *out = NULL;

	snprintf(key, sizeof(key), "%u", block);
	if (json_object_object_get_ex(keys, key, &out))
		return out;
	out = json_object_new_object();
	value_add(out, "block", json_object_new_uint64(block));
	value_add(out, "runs", json_object_new_array());
	value_add(out, "metrics", json_object_new_array());
	value_add(keys, key, json_object_get(out));
	add_array(blocks, out);
	return out;
}

static json_object *blocks_json(const struct analysis *a)
{
	json_object *out = json_object_new_array(), *keys = json_object_new_object();
	const struct record *x = a->record;

	for (size_t i = 0; i < x->n_runs; i++)
		add_array(json_object_object_get(block_json(out, keys, x->runs[i].block), "runs"),
			  run_json(a, i));
	for (size_t i = 0; i < x->n_block_values; i++) {
		const struct block_value *v = &x->block_values[i];
		json_object *value = value_json(x, &v->value);

		value_add(value, "configuration", configuration_name(x, v->configuration));
		add_array(json_object_object_get(block_json(out, keys, v->block), "metrics"),
			  value);
	}
	json_object_put(keys);
	return out;
}

/* All iterations of one value; ORDER 0: of a whole block. */
static json_object *sample_json(const struct record *x, const struct value *v, unsigned block,
				unsigned attempt, unsigned order, size_t configuration)
{
	json_object *out = json_object_new_object(),
		    *values = json_object_new_array_ext((int) v->n_samples);

	for (size_t i = 0; i < v->n_samples; i++)
		add_array(values, value_number(v->samples[i]));
	value_add(out, "block", json_object_new_uint64(block));
	value_add(out, "attempt", attempt ? json_object_new_uint64(attempt) : NULL);
	value_add(out, "order", order ? json_object_new_uint64(order) : NULL);
	value_add(out, "configuration", configuration_name(x, configuration));
	value_add(out, "name", value_string(x->metrics[v->metric].name));
	value_add(out, "labels", object_of(v->labels));
	value_add(out, "values", values);
	return out;
}

static json_object *samples_json(const struct record *x)
{
	json_object *out = json_object_new_array();

	for (size_t i = 0; i < x->n_runs; i++) {
		const struct run *run = &x->runs[i];

		for (size_t j = 0; j < run->n_values; j++)
			if (run->values[j].n_samples)
				add_array(out,
					  sample_json(x, &run->values[j], run->block, run->attempt,
						      run->order, run->configuration));
	}
	for (size_t i = 0; i < x->n_block_values; i++) {
		const struct block_value *v = &x->block_values[i];

		if (v->value.n_samples)
			add_array(out, sample_json(x, &v->value, v->block, 0, 0, v->configuration));
	}
	return out;
}

json_object *report_analysis_json(const struct analysis *analysis, bool with_samples)
{
	json_object *out = json_object_new_object();
	const struct record *x = analysis->record;

	if (!out)
		return NULL;
	value_add(out, "schema", json_object_new_int(SCHEMA));
	value_add(out, "experiment", experiment_json(x));
	value_add(out, "machine", object_of(x->machine));
	value_add(out, "metrics", metrics_json(x));
	value_add(out, "configurations", configurations_json(analysis));
	value_add(out, "comparisons", contrasts_json(analysis));
	value_add(out, "discarded", discards_json(x));
	value_add(out, "blocks", blocks_json(analysis));
	value_add(out, "samples", with_samples ? samples_json(x) : json_object_new_array());
	return out;
}

int report_json(const struct record *record, bool with_samples, FILE *out, struct error *err)
{
	_cleanup_analysis_ struct analysis *analysis = NULL;
	int r = analysis_new(record, 0, &analysis, err);

	return r == 0 ? value_print(report_analysis_json(analysis, with_samples), out, err) : r;
}
