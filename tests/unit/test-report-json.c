/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON form: what is in it, that it is JSON whatever the record holds, and what the analysis
 * behind it says. */
#include "test-store-record.h"

#include "report/report.h"

static struct analysis *analysed(const struct record *record)
{
	struct analysis *analysis = NULL;
	struct error err = { 0 };

	if (analysis_new(record, 0, &analysis, &err) < 0)
		fail_msg("%s", err.text);
	return analysis;
}

/* Outside of strings, no NaN and no Infinity. */
static void only_json_words(const char *text)
{
	bool inside = false;

	for (; *text; text++) {
		if (inside && *text == '\\')
			text++;
		else if (*text == '"')
			inside = !inside;
		else if (!inside && (*text == 'N' || *text == 'I'))
			fail_msg("%.40s", text);
	}
	assert_false(inside);
}

static void only_finite(json_object *x)
{
	if (json_object_is_type(x, json_type_double))
		assert_true(isfinite(json_object_get_double(x)));
	for (size_t i = 0;
	     json_object_is_type(x, json_type_array) && i < json_object_array_length(x); i++)
		only_finite(json_object_array_get_idx(x, i));
	if (json_object_is_type(x, json_type_object)) {
		json_object_object_foreach(x, key, value)
		{
			assert_non_null(key);
			only_finite(value);
		}
	}
}

/* Through text and back, by a parser that takes nothing but JSON. */
static json_object *json_of(const struct record *record, bool with_samples)
{
	struct analysis *analysis = analysed(record);
	json_object *out = report_analysis_json(analysis, with_samples), *back;
	json_tokener *tokener = json_tokener_new();
	const char *text = json_object_to_json_string_ext(out, JSON_C_TO_STRING_PLAIN);

	only_json_words(text);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	back = json_tokener_parse_ex(tokener, text, (int) strlen(text) + 1);
	assert_int_equal(json_tokener_get_error(tokener), json_tokener_success);
	only_finite(back);
	json_tokener_free(tokener);
	json_object_put(out);
	analysis_free(analysis);
	return back;
}

/* The member at a path as `configurations.0.metrics.1.n`. */
static json_object *at(json_object *x, const char *path)
{
	char copy[128], *rest = NULL;

	snprintf(copy, sizeof(copy), "%s", path);
	for (char *word = strtok_r(copy, ".", &rest); word; word = strtok_r(NULL, ".", &rest)) {
		if (json_object_is_type(x, json_type_array)) {
			assert_true((size_t) atoi(word) < json_object_array_length(x));
			x = json_object_array_get_idx(x, (size_t) atoi(word));
		} else if (!json_object_is_type(x, json_type_object) ||
			   !json_object_object_get_ex(x, word, &x)) {
			fail_msg("no `%s` of %s", word, path);
		}
	}
	return x;
}

static double number_at(json_object *x, const char *path)
{
	json_object *number = at(x, path);

	assert_true(json_object_is_type(number, json_type_double) ||
		    json_object_is_type(number, json_type_int));
	return json_object_get_double(number);
}

static const char *text_at(json_object *x, const char *path)
{
	json_object *text = at(x, path);

	if (!json_object_is_type(text, json_type_string))
		fail_msg("%s is no text", path);
	return json_object_get_string(text);
}

static size_t length_at(json_object *x, const char *path)
{
	json_object *array = at(x, path);

	assert_true(json_object_is_type(array, json_type_array));
	return json_object_array_length(array);
}

static void test_shape(void **state)
{
	static const char *const there[] = {
		"schema",
		"experiment.id",
		"experiment.name",
		"experiment.measurement",
		"experiment.options.loops",
		"experiment.seed",
		"experiment.started",
		"experiment.finished",
		"experiment.command.0",
		"experiment.emulated",
		"machine.kernel",
		"configurations.0.knobs.governor",
		"configurations.0.options",
		"configurations.0.metrics.0.iterations.p95",
		"configurations.0.metrics.0.labels.cpu",
		"configurations.0.metrics.0.unit",
		"configurations.0.metrics.0.better",
		"configurations.0.metrics.0.sd",
		"configurations.0.metrics.0.low",
		"comparisons.0.base",
		"comparisons.0.new",
		"comparisons.0.labels.cpu",
		"comparisons.0.p",
		"comparisons.0.small",
		"comparisons.0.detectable",
		"discarded.0.reason",
		"blocks.0.runs.0.order",
		"blocks.0.runs.0.environment.steal",
		"blocks.0.runs.0.valid",
		"blocks.0.runs.0.metrics.0.value",
		"blocks.0.metrics.0.configuration",
		"samples",
	};
	struct record *record = made_record("0b5e7a10-0000-4000-8000-000000000001", 20);
	json_object *x = json_of(record, false);

	for (size_t i = 0; i < ARRAY_SIZE(there); i++)
		at(x, there[i]);
	assert_int_equal(number_at(x, "schema"), 1);
	assert_string_equal(text_at(x, "experiment.started"), "2023-11-14T22:13:20Z");
	assert_string_equal(text_at(x, "experiment.command.3"), "made up");
	assert_true(number_at(x, "experiment.seed") == 9007199254740991.0);
	assert_int_equal(length_at(x, "configurations"), 4);
	assert_int_equal(number_at(x, "configurations.1.runs"), 20);
	assert_int_equal(length_at(x, "configurations.1.metrics"), 4);
	assert_string_equal(text_at(x, "configurations.1.metrics.1.name"), "efficiency");
	assert_true(at(x, "configurations.1.metrics.1.iterations") == NULL);
	assert_int_equal(number_at(x, "configurations.1.metrics.0.n"), 20);
	assert_int_equal(number_at(x, "configurations.1.metrics.0.iterations.n"), 140);
	assert_int_equal(length_at(x, "blocks"), 20);
	assert_int_equal(length_at(x, "blocks.1.runs"), 2 + 4); /* the discarded attempt too */
	assert_int_equal(length_at(x, "blocks.1.metrics"), 4);
	assert_int_equal(length_at(x, "samples"), 0);
	assert_int_equal(length_at(x, "discarded"), 1);
	json_object_put(x);
	record_free(record);
}

static void test_numbers_exact(void **state)
{
	struct record *record = made_record(NULL, 8);
	json_object *x = json_of(record, true);

	assert_int_equal(length_at(x, "samples"), record->n_runs);
	assert_int_equal(length_at(x, "samples.3.values"), 7);
	for (size_t i = 0; i < 7; i++) {
		char path[32];

		snprintf(path, sizeof(path), "samples.3.values.%zu", i);
		assert_true(number_at(x, path) == record->runs[3].values[0].samples[i]);
	}
	assert_true(number_at(x, "blocks.0.runs.2.metrics.0.value") ==
		    record->runs[2].values[0].number);
	assert_true(number_at(x, "blocks.0.runs.2.started") ==
		    record->runs[2].started - record->started);
	json_object_put(x);
	record_free(record);
}

static void test_comparisons(void **state)
{
	struct record *record = made_record(NULL, 20);
	json_object *x = json_of(record, false);

	assert_int_equal(length_at(x, "comparisons"),
			 4); /* ondemand alone: references are not compared */
	assert_string_equal(text_at(x, "comparisons.0.metric"), "work_duration");
	assert_string_equal(text_at(x, "comparisons.0.kind"), "ratio");
	assert_string_equal(text_at(x, "comparisons.0.base"), "a");
	assert_string_equal(text_at(x, "comparisons.0.new"), "b");
	assert_string_equal(text_at(x, "comparisons.0.verdict"), "better");
	assert_true(fabs(number_at(x, "comparisons.0.effect") + 0.2) < 0.005);
	assert_true(number_at(x, "comparisons.0.low") < number_at(x, "comparisons.0.effect"));
	assert_int_equal(number_at(x, "comparisons.0.blocks"), 20);
	/* 20 of 20 blocks on one side: p = 2 / 2^20, and Holm over two. */
	assert_true(fabs(number_at(x, "comparisons.0.p") - 2 / 1048576.0) < 1e-12);
	assert_true(fabs(number_at(x, "comparisons.0.p_adjusted") - 4 / 1048576.0) < 1e-12);
	assert_string_equal(text_at(x, "comparisons.1.kind"), "difference");
	assert_true(fabs(number_at(x, "comparisons.1.effect") - 10) < 0.2);
	assert_true(number_at(x, "comparisons.1.margin") == 1);
	assert_true(at(x, "comparisons.2.verdict") == NULL);
	assert_true(fabs(number_at(x, "comparisons.3.p") - 1) < 1e-12); /* all zero */
	json_object_put(x);
	record_free(record);
}

static void test_baseline_reference(void **state)
{
	struct record *record = made_record(NULL, 6);
	struct analysis *a;

	record->baseline = 2; /* performance, which is a reference */
	a = analysed(record);
	assert_int_equal(a->n_contrasts, 2 * 4);
	for (size_t i = 0; i < a->n_contrasts; i++) {
		assert_int_equal(a->contrasts[i].base, 2);
		assert_true(a->contrasts[i].new < 2);
	}
	analysis_free(a);
	record_free(record);
}

/* A run that is discarded, superseded or not valid takes no part. */
static void test_what_counts(void **state)
{
	struct record *record = made_record(NULL, 8);
	struct analysis *a = analysed(record);
	struct discard *d;

	assert_int_equal(record->n_runs, 8 * 4 + 2);
	assert_int_equal(a->n_blocks, 8);
	assert_int_equal(a->runs[0], 8); /* the valid one of the discarded attempt is left out */
	assert_false(a->counts[4]);
	assert_false(a->counts[5]);
	assert_true(a->counts[6]);
	analysis_free(a);

	d = array_add(&record->discards, &record->n_discards, sizeof(*d));
	*d = (struct discard) { .block = 3, .attempt = 1 };
	record->runs[record->n_runs - 1].valid = false; /* lowest, in block 8 */
	record->runs[0].attempt = 2; /* block 1: the other three are of an earlier attempt */
	a = analysed(record);
	assert_int_equal(a->n_blocks, 7);
	assert_int_equal(a->runs[0], 7);
	assert_int_equal(a->runs[1], 6);
	assert_int_equal(a->runs[3], 5);
	analysis_free(a);
	record_free(record);
}

static const struct cell *cell_of(const struct analysis *a, size_t metric, size_t configuration)
{
	for (size_t i = 0; i < a->n_cells; i++)
		if (a->cells[i].metric == metric && a->cells[i].configuration == configuration)
			return &a->cells[i];
	fail_msg("no cell");
	return NULL;
}

static void test_few_and_censored(void **state)
{
	struct record *record = made_record(NULL, 5);
	struct analysis *a;
	json_object *x;

	record->runs[0].values[0].number = INFINITY; /* schedutil in block 1 */
	record->runs[1].values[0].number = NAN;      /* ondemand in block 1 */
	a = analysed(record);
	assert_int_equal(cell_of(a, 0, 0)->runs.n, 5);
	assert_int_equal(cell_of(a, 0, 0)->runs.n_infinite, 1);
	assert_true(isnan(cell_of(a, 0, 0)->runs.mean));
	assert_true(isfinite(cell_of(a, 0, 0)->runs.median));
	assert_true(isnan(cell_of(a, 0, 0)->low)); /* 5 runs allow no interval of 95 % */
	assert_int_equal(cell_of(a, 0, 1)->runs.n, 4);
	assert_int_equal(a->contrasts[0].result.blocks, 4);
	assert_string_equal(a->contrasts[0].result.verdict, "inconclusive");
	assert_true(analysis_any(a, "inconclusive"));
	assert_false(analysis_any(a, "worse"));
	analysis_free(a);
	x = json_of(record, true);
	assert_true(at(x, "configurations.0.metrics.0.mean") == NULL);
	assert_true(at(x, "configurations.0.metrics.0.max") == NULL);
	assert_int_equal(number_at(x, "configurations.0.metrics.0.censored"), 1);
	assert_true(at(x, "comparisons.0.low") == NULL);
	assert_true(at(x, "blocks.0.runs.0.metrics.0.value") == NULL);
	assert_true(json_object_get_boolean(at(x, "blocks.0.runs.0.metrics.0.censored")));
	json_object_put(x);
	record_free(record);
}

/* A ratio to nothing is no number, and takes nothing else down. */
static void test_zero_ratio(void **state)
{
	struct record *record = made_record(NULL, 8);
	struct analysis *a;

	for (size_t i = 0; i < record->n_runs; i++)
		record->runs[i].values[0].number = 0;
	a = analysed(record);
	assert_true(isnan(a->contrasts[0].result.effect));
	assert_string_equal(a->contrasts[0].result.verdict, "inconclusive");
	assert_string_equal(a->contrasts[1].result.verdict, "better");
	analysis_free(a);
	record_free(record);
}

/* Interval 1000 comes after interval 900, and neither is compared with the other. */
static void test_strata(void **state)
{
	struct record *record = made_record(NULL, 8);
	struct analysis *a;

	for (size_t i = 0; i < record->n_runs; i++) {
		struct value *v =
			array_add(&record->runs[i].values, &record->runs[i].n_values, sizeof(*v));

		assert_non_null(v);
		made_value(v, 0, i % 2 ? "{\"interval\":1000}" : "{\"interval\":900}",
			   1 + 0.01 * (double) i);
	}
	a = analysed(record);
	for (size_t i = 0; i + 1 < a->n_cells; i++)
		if (streq(a->cells[i].labels, "{\"interval\":1000}"))
			assert_false(streq(a->cells[i + 1].labels, "{\"interval\":900}"));
	for (size_t i = 0; i < a->n_contrasts; i++)
		if (!streq(a->contrasts[i].labels, "{\"cpu\":3}"))
			assert_true(a->contrasts[i].result.blocks <= 8);
	analysis_free(a);
	record_free(record);
}

static const char *const hostile[] = {
	"\xff\xfe \xed\xa0\x80 \"\\\n\001\033",
	"{\"a\": NaN, \"b\": [1e999, -Infinity, {\"c\": Infinity}], \"\xff\": \"\xff\"}",
	"[1, 2",
	"NaN",
	"",
	"{} {}",
	"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
};

static void test_hostile(void **state)
{
	for (size_t h = 0; h < ARRAY_SIZE(hostile); h++) {
		struct record *record = made_record(NULL, 3);
		char **const texts[] = { &record->uuid,
					 &record->name,
					 &record->measurement,
					 &record->options,
					 &record->command,
					 &record->machine,
					 &record->facts,
					 &record->status,
					 &record->configurations[1].id,
					 &record->configurations[1].name,
					 &record->configurations[1].knobs,
					 &record->configurations[1].options,
					 &record->runs[1].environment,
					 &record->runs[1].reason,
					 &record->runs[1].values[0].labels,
					 &record->block_values[1].value.labels,
					 &record->discards[0].reason };
		json_object *x;

		for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
			free(*texts[i]);
			*texts[i] = made_text(hostile[h]);
		}
		record->started = INFINITY;
		record->finished = 1e300;
		record->margin = NAN;
		record->runs[0].values[0].samples[0] = NAN;
		record->runs[0].seconds = -INFINITY;
		x = json_of(record, true);
		assert_true(json_object_is_type(at(x, "experiment.options"), json_type_object));
		assert_true(json_object_is_type(at(x, "experiment.command"), json_type_array));
		assert_true(at(x, "experiment.finished") == NULL);
		assert_true(at(x, "samples.0.values.0") == NULL);
		json_object_put(x);
		record_free(record);
	}
}

static void test_list(void **state)
{
	char name[] = "a\xff\"", uuid[] = "u", status[] = "finished";
	struct store_entry entry = {
		.id = 3, .uuid = uuid, .name = name, .status = status, .started = 1700000000
	};
	struct error err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	json_object *x;

	assert_int_equal(report_list_json(&entry, 1, f, &err), 0);
	fclose(f);
	assert_int_equal(strcspn(text, "\n"), size - 1); /* one line */
	x = json_tokener_parse(text);
	free(text);

	assert_int_equal(number_at(x, "experiments.0.id"), 3);
	assert_string_equal(text_at(x, "experiments.0.name"), "a\xef\xbf\xbd\"");
	assert_true(at(x, "experiments.0.finished") == NULL);
	assert_true(at(x, "experiments.0.measurement") == NULL);
	json_object_put(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape),       cmocka_unit_test(test_numbers_exact),
		cmocka_unit_test(test_comparisons), cmocka_unit_test(test_baseline_reference),
		cmocka_unit_test(test_what_counts), cmocka_unit_test(test_few_and_censored),
		cmocka_unit_test(test_zero_ratio),  cmocka_unit_test(test_strata),
		cmocka_unit_test(test_hostile),     cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
