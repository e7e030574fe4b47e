/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A record made up for tests, every field of it filled, and the comparison of two of them. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/record.h"

/* Last: its macro fail() has the name of our function. */
#include <cmocka.h>

static inline char *made_text(const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (text)
		assert_non_null(copy);
	return copy;
}

static inline void made_samples(struct value *value, size_t n, double around)
{
	value->samples = calloc(n, sizeof(double));
	assert_non_null(value->samples);
	value->n_samples = n;
	for (size_t i = 0; i < n; i++)
		value->samples[i] = around * (1 + 0.01 * sin((double) i * 1.7));
}

static inline void made_value(struct value *value, size_t metric, const char *labels, double number)
{
	value->metric = metric;
	value->labels = made_text(labels);
	value->number = number;
}

static const struct metric made_metrics[] = {
	{ .name = "work_duration",
	  .unit = "s",
	  .help = "time for the work",
	  .better = BETTER_LOWER,
	  .effect = EFFECT_RATIO,
	  .primary = true },
	{ .name = "efficiency",
	  .unit = "%",
	  .help = "share of the way to performance",
	  .better = BETTER_HIGHER,
	  .effect = EFFECT_DIFFERENCE,
	  .primary = true,
	  .per_block = true,
	  .per_work = true,
	  .margin = 1 },
	{ .name = "energy",
	  .unit = "J",
	  .help = "energy",
	  .better = BETTER_LOWER,
	  .effect = EFFECT_RATIO },
	{ .name = "overruns",
	  .unit = "",
	  .help = "",
	  .better = BETTER_NONE,
	  .effect = EFFECT_DIFFERENCE },
};

static inline void made_configuration(struct record *record, const char *name, bool reference)
{
	struct configuration *c =
		array_add(&record->configurations, &record->n_configurations, sizeof(*c));
	char id[8], *knobs;

	assert_non_null(c);
	configuration_id(record->n_configurations - 1, id, sizeof(id));
	c->id = made_text(id);
	c->name = made_text(name);
	assert_true(asprintf(&knobs, "{\"governor\":\"%s\"}", name) > 0);
	c->knobs = knobs;
	c->options = made_text("{}");
	c->reference = reference;
}

/* Everything but runs: schedutil (the baseline), ondemand, and two references. */
static inline struct record *made_head(const char *uuid)
{
	struct record *record = calloc(1, sizeof(*record));

	assert_non_null(record);
	record->uuid = made_text(uuid);
	record->name = made_text("made up");
	record->measurement = made_text("efficiency");
	record->options = made_text("{\"loops\":5,\"run\":0.01}");
	record->command = made_text("[\"tacho\",\"efficiency\",\"--name\",\"made up\"]");
	record->machine =
		made_text("{\"kernel\":\"6.1.0-test\",\"cpu_model\":\"Test CPU\",\"policies\":"
			  "[{\"driver\":\"test\",\"governor\":\"schedutil\",\"min_khz\":300000}]}");
	record->facts = made_text("{\"loops\":[{\"cpu\":3,\"count\":123456}]}");
	record->status = made_text("finished");
	record->seed = (1ULL << 53) - 1;
	record->started = 1700000000.25;
	record->finished = 1700000600.5;
	record->margin = 0.01;
	record->metrics = calloc(ARRAY_SIZE(made_metrics), sizeof(struct metric));
	assert_non_null(record->metrics);
	memcpy(record->metrics, made_metrics, sizeof(made_metrics));
	record->n_metrics = ARRAY_SIZE(made_metrics);
	made_configuration(record, "schedutil", false);
	made_configuration(record, "ondemand", false);
	made_configuration(record, "performance", true);
	made_configuration(record, "lowest (300 MHz)", true);
	return record;
}

static inline double made_duration(size_t configuration, unsigned block)
{
	static const double base[] = { 0.020, 0.016, 0.010, 0.050 };

	/* A little different in every block, and never the same twice. */
	return base[configuration] * (1 + 0.004 * sin(block * 2.3 + (double) configuration));
}

static inline void made_run(struct run *run, unsigned block, unsigned attempt, size_t configuration,
			    unsigned order)
{
	double t = made_duration(configuration, block);

	*run = (struct run) {
		.block = block,
		.attempt = attempt,
		.order = order,
		.configuration = configuration,
		.started = 1700000000.25 + block * 10.0 + order,
		.seconds = 0.75,
		.valid = true,
		.environment = made_text("{\"steal\":0.001,\"hottest\":51.5}"),
	};
	for (size_t metric = 0; metric < 4; metric++) {
		struct value *value;

		if (metric == 1)
			continue;
		value = array_add(&run->values, &run->n_values, sizeof(*value));
		assert_non_null(value);
		made_value(value, metric, "{\"cpu\":3}", metric == 0 ? t : metric == 2 ? 3 * t : 0);
		if (metric == 0)
			made_samples(value, 7, t);
	}
}

/* A whole experiment of BLOCKS blocks; the first attempt at block 2 was discarded. */
static inline struct record *made_record(const char *uuid, unsigned blocks)
{
	struct record *record = made_head(uuid);

	for (unsigned block = 1; block <= blocks; block++) {
		for (unsigned attempt = block == 2 ? 1 : 2; attempt <= 2; attempt++) {
			for (size_t c = 0; c < 4; c++) {
				struct run *run =
					array_add(&record->runs, &record->n_runs, sizeof(*run));

				assert_non_null(run);
				made_run(run, block, block == 2 ? attempt : 1, c,
					 (unsigned) (c + block) % 4 + 1);
				if (block == 2 && attempt == 1 && c == 1) {
					run->valid = false;
					run->reason = made_text("throttled");
					break;
				}
			}
		}
		for (size_t c = 0; c < 4; c++) {
			struct block_value *v = array_add(&record->block_values,
							  &record->n_block_values, sizeof(*v));
			double low = made_duration(3, block), high = made_duration(2, block);

			assert_non_null(v);
			v->block = block;
			v->configuration = c;
			made_value(&v->value, 1, "{\"cpu\":3}",
				   (low - made_duration(c, block)) / (low - high) * 100);
		}
	}
	if (blocks >= 2) {
		struct discard *d = array_add(&record->discards, &record->n_discards, sizeof(*d));

		assert_non_null(d);
		*d = (struct discard) { .block = 2,
					.attempt = 1,
					.reason = made_text("throttled") };
	}
	return record;
}

static inline void same_text(const char *a, const char *b)
{
	if (!a || !b)
		assert_true(a == b);
	else
		assert_string_equal(a, b);
}

static inline void same_number(double a, double b)
{
	assert_true(isnan(a) ? isnan(b) : a == b);
}

static inline void same_value(const struct value *a, const struct value *b, bool with_samples)
{
	assert_int_equal(a->metric, b->metric);
	same_text(a->labels, b->labels);
	same_number(a->number, b->number);
	if (!with_samples) {
		assert_int_equal(b->n_samples, 0);
		assert_null(b->samples);
		return;
	}
	assert_int_equal(a->n_samples, b->n_samples);
	for (size_t i = 0; i < a->n_samples; i++)
		same_number(a->samples[i], b->samples[i]);
}

static inline void same_run(const struct run *a, const struct run *b, bool with_samples)
{
	assert_int_equal(a->block, b->block);
	assert_int_equal(a->attempt, b->attempt);
	assert_int_equal(a->order, b->order);
	assert_int_equal(a->configuration, b->configuration);
	same_number(a->started, b->started);
	same_number(a->seconds, b->seconds);
	assert_int_equal(a->valid, b->valid);
	same_text(a->reason, b->reason);
	same_text(a->environment, b->environment);
	assert_int_equal(a->n_values, b->n_values);
	for (size_t i = 0; i < a->n_values; i++)
		same_value(&a->values[i], &b->values[i], with_samples);
}

static inline void same_metric(const struct metric *a, const struct metric *b)
{
	same_text(a->name, b->name);
	same_text(a->unit, b->unit);
	same_text(a->help, b->help);
	assert_int_equal(a->better, b->better);
	assert_int_equal(a->effect, b->effect);
	assert_int_equal(a->primary, b->primary);
	assert_int_equal(a->per_block, b->per_block);
	assert_int_equal(a->per_work, b->per_work);
	same_number(a->margin, b->margin);
}

static inline void same_configuration(const struct configuration *a, const struct configuration *b)
{
	same_text(a->id, b->id);
	same_text(a->name, b->name);
	same_text(a->knobs, b->knobs);
	same_text(a->options, b->options);
	assert_int_equal(a->reference, b->reference);
}

/* B was read back from what A was written to. */
static inline void same_record(const struct record *a, const struct record *b, bool with_samples)
{
	const char *const texts[][2] = { { a->uuid, b->uuid },
					 { a->name, b->name },
					 { a->measurement, b->measurement },
					 { a->options, b->options },
					 { a->command, b->command },
					 { a->machine, b->machine },
					 { a->facts, b->facts },
					 { a->status, b->status } };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		same_text(texts[i][0], texts[i][1]);
	assert_true(a->seed == b->seed);
	same_number(a->started, b->started);
	same_number(a->finished, b->finished);
	assert_int_equal(a->emulated, b->emulated);
	same_number(a->margin, b->margin);
	assert_int_equal(a->baseline, b->baseline);
	assert_int_equal(a->n_metrics, b->n_metrics);
	for (size_t i = 0; i < a->n_metrics; i++)
		same_metric(&a->metrics[i], &b->metrics[i]);
	assert_int_equal(a->n_configurations, b->n_configurations);
	for (size_t i = 0; i < a->n_configurations; i++)
		same_configuration(&a->configurations[i], &b->configurations[i]);
	assert_int_equal(a->n_runs, b->n_runs);
	for (size_t i = 0; i < a->n_runs; i++)
		same_run(&a->runs[i], &b->runs[i], with_samples);
	assert_int_equal(a->n_block_values, b->n_block_values);
	for (size_t i = 0; i < a->n_block_values; i++) {
		assert_int_equal(a->block_values[i].block, b->block_values[i].block);
		assert_int_equal(a->block_values[i].configuration,
				 b->block_values[i].configuration);
		same_value(&a->block_values[i].value, &b->block_values[i].value, with_samples);
	}
	assert_int_equal(a->n_discards, b->n_discards);
	for (size_t i = 0; i < a->n_discards; i++) {
		assert_int_equal(a->discards[i].block, b->discards[i].block);
		assert_int_equal(a->discards[i].attempt, b->discards[i].attempt);
		same_text(a->discards[i].reason, b->discards[i].reason);
	}
}

/* A folder for one test, removed with all in it by folder_remove(). */
static inline char *folder_make(void)
{
	char *path = made_text("/tmp/tacho-test-XXXXXX");

	assert_non_null(mkdtemp(path));
	return path;
}

static inline void folder_remove(char *path)
{
	char command[256];

	snprintf(command, sizeof(command), "chmod -R u+rwX '%s' && rm -rf '%s'", path, path);
	assert_int_equal(system(command), 0);
	free(path);
}

static inline char *path_in(const char *folder, const char *name)
{
	char *path;

	assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
	return path;
}
