/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The console form: what it says, that it fits, that nothing in a record can reach the terminal as
 * more than text. */
#include "test-store-record.h"

#include "report/clean.h"
#include "report/report.h"
#include "report/scale.h"

static char *text_of(const struct record *record, size_t width, bool colour, bool all)
{
	struct report_style style = { .width = width, .colour = colour, .all = all };
	struct analysis *analysis = NULL;
	struct error err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	if (analysis_new(record, 0, &analysis, &err) < 0)
		fail_msg("%s", err.text);
	report_analysis_text(analysis, f, &style);
	analysis_free(analysis);
	fclose(f);
	assert_int_equal(strlen(text), size); /* no zero byte in it */
	return text;
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no `%s` in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("`%s` in:\n%s", part, text);
}

static void fits(const char *text, size_t width)
{
	while (*text) {
		size_t n = strcspn(text, "\n");
		char *line = strndup(text, n);

		assert_non_null(line);
		if (clean_width(line) > width)
			fail_msg("%zu columns: %s", clean_width(line), line);
		assert_true(!n || line[n - 1] != ' ');
		free(line);
		text += n + (text[n] == '\n');
	}
}

static void test_says(void **state)
{
	struct record *record = made_record("0b5e7a10-0000-4000-8000-000000000001", 20);
	char *text = text_of(record, 0, false, false);

	fits(text, 100);
	has(text, "efficiency \"made up\" on Test CPU, Linux 6.1.0-test, cpufreq driver test\n");
	has(text,
	    "20 blocks of 4 configurations, 1 discarded and repeated (1 throttled), seed 9007199254740991,");
	has(text, "2023-11-14T22:13:20Z, 10 min 0 s");
	has(text, "work_duration in ms, lower is better\n");
	has(text, "\ncpu 3\n");
	has(text, " compared with schedutil" + 1);
	has(text, "-20.0 %  [-20.1, -19.9]  <0.001      20  better\n");
	has(text, "lowest (300 MHz)");
	has(text, "command          tacho efficiency --name 'made up'\n");
	has_not(text, "mulated");
	has_not(text, "Not complete");
	has_not(text, "nan");
	has_not(text, "\033");
	free(text);
	record_free(record);
}

static void test_emulated_first(void **state)
{
	struct record *record = made_record("0b5e7a10-0000-4000-8000-000000000001", 2);
	char *text;

	record->emulated = true;
	free(record->status);
	record->status = made_text("interrupted");
	text = text_of(record, 100, true, false);
	assert_true(strstr(text, "Emulated machine: a model, not hardware.") <
		    strstr(text, "efficiency \""));
	has(text, "Not complete: it is interrupted;");
	has(text, "inconclusive");
	has(text, "too few blocks for better or worse; at least");
	has(text, "\033[1m");
	free(text);
	record_free(record);
}

static void test_nothing_in_it(void **state)
{
	struct record empty = { 0 };
	char *text = text_of(&empty, 0, false, false);

	has(text, "0 blocks of 0 configurations, none discarded");
	free(text);
}

static void test_gaps(void **state)
{
	struct record *record = made_record("0b5e7a10-0000-4000-8000-000000000001", 8);
	char *text;

	record->block_values[5].value.number = NAN;
	record->runs[0].values[0].number = INFINITY;
	text = text_of(record, 0, false, false);
	has(text, "efficiency of ondemand, cpu 3: no number from 1 of 8 blocks");
	has(text,
	    "work_duration of schedutil, cpu 3: not reached within the window in 1 of 8 runs,");
	has(text, ">max");
	has_not(text, "nan");
	free(text);
	record_free(record);
}

static const char *const hostile[] = {
	"\033[31mred\033[0m \033]0;title\007 \033c",
	"\xc2\x9b"
	"31m \xc2\x9d title",
	"tab\tline\nreturn\rback\b\177",
	"\xff\xfe \xc3( \xed\xa0\x80 \xf8\x88\x80\x80\x80 \xc0\xaf \xe2\x82",
	"\xe2\x80\xaeright to left\xe2\x80\xac \xe2\x81\xa6 \xe2\x80\xa8",
	"\"quotes\" 'and' \\ `ticks` $(command) %s%n%1000000d",
	"{\"not\": \"an object",
	"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e e\xcc\x81",
	"",
};

/* Every text of a record, one after another. */
static char **text_at(struct record *x, size_t i)
{
	char **const texts[] = { &x->name,
				 &x->measurement,
				 &x->options,
				 &x->command,
				 &x->machine,
				 &x->facts,
				 &x->status,
				 &x->configurations[0].id,
				 &x->configurations[1].name,
				 &x->configurations[0].knobs,
				 &x->configurations[0].options,
				 &x->runs[0].environment,
				 &x->runs[0].reason,
				 &x->runs[0].values[0].labels,
				 &x->discards[0].reason };

	return i < ARRAY_SIZE(texts) ? texts[i] : NULL;
}

static void only_harmless(const char *text)
{
	char *again = clean_utf8(text);

	assert_string_equal(again, text); /* valid UTF-8 */
	free(again);
	for (const char *p = text; *p; p++)
		assert_true(*p == '\n' || ((unsigned char) *p >= 0x20 && *p != 0x7f));
	has_not(text, "\xc2\x9b");
	has_not(text, "\xe2\x80\xae");
}

static void set_text(struct record *record, size_t i, const char *text)
{
	char **where = text_at(record, i);

	free(*where);
	*where = made_text(text);
}

static void test_hostile(void **state)
{
	for (size_t h = 0; h < ARRAY_SIZE(hostile); h++) {
		struct record *probe = made_record(NULL, 3);
		size_t n = 0;

		while (text_at(probe, n))
			n++;
		record_free(probe);
		for (size_t i = 0; i < n; i++) {
			struct record *record = made_record(NULL, 3);
			char *text;

			set_text(record, i, hostile[h]);
			text = text_of(record, 0, false, true);
			only_harmless(text);
			fits(text, i == 2 || (i > 2 && i < 6) ? 1000 : 100);
			free(text);
			record_free(record);
		}
	}
}

/* JSON strings that mean control characters, which the reading of JSON turns into them. */
static void test_hostile_json(void **state)
{
	static const char inner[] =
		"{\"k\\u001b[31m\": \"v\\u009b\\u0007\\u0000 \\ud800 \\u202e\", \"n\": NaN, "
		"\"big\": 1e999, \"policies\": [{\"driver\": \"\\u001b]0;x\\u0007\"}, 1, null, []]}";
	struct record *record = made_record(NULL, 3);
	char *text;

	for (size_t i = 2; i < 12; i++)
		if (i != 6 && i != 7 && i != 8)
			set_text(record, i,
				 i == 3 ? "[\"a\\u001b\", {}, null, \"\", \"it's\"]" : inner);
	text = text_of(record, 0, false, true);
	only_harmless(text);
	has(text, " '' 'it'\\''s'");
	free(text);
	record_free(record);
}

static void test_long_names(void **state)
{
	struct record *record = made_record(NULL, 10);
	char name[5001], *text;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (size_t i = 0; i < 4; i++) {
		free(record->configurations[i].name);
		assert_true(asprintf(&record->configurations[i].name, "%zu \xe6\x97\xa5%s", i,
				     name + 4000) > 0);
	}
	text = text_of(record, 60, false, false);
	has(text, "0 \xe6\x97\xa5xx");
	has(text, "x..");
	free(text);
	record_free(record);
}

/* Many strata: rows of one table, in the order of their numbers. */
static void test_many_strata(void **state)
{
	struct record *record = made_head(NULL);
	char *text;

	for (unsigned block = 1; block <= 8; block++)
		for (size_t c = 0; c < 2; c++) {
			struct run *run = array_add(&record->runs, &record->n_runs, sizeof(*run));

			assert_non_null(run);
			*run = (struct run) { .block = block,
					      .attempt = 1,
					      .order = 1,
					      .configuration = c,
					      .valid = true };
			for (unsigned interval = 13; interval > 0; interval--) {
				struct value *v =
					array_add(&run->values, &run->n_values, sizeof(*v));
				char labels[48];

				assert_non_null(v);
				snprintf(labels, sizeof(labels), "{\"interval\":%u}",
					 interval * 100);
				made_value(v, 0, labels, made_duration(c, block) * interval);
			}
		}
	text = text_of(record, 0, false, false);
	fits(text, 100);
	assert_true(strstr(text, "interval 900") < strstr(text, "interval 1000"));
	has(text, "configuration  of");
	has(text, "work_duration in ms, interval 1300\n");
	free(text);
	record_free(record);
}

/* Policies that are the same are said once. */
static void test_groups(void **state)
{
	struct record *record = made_record(NULL, 2);
	char *text;

	free(record->machine);
	record->machine = made_text(
		"{\"policies\":[{\"number\":0,\"folder\":\"/a\",\"driver\":\"x\",\"current_khz\":1},"
		"{\"number\":4,\"folder\":\"/b\",\"driver\":\"x\",\"current_khz\":2},"
		"{\"number\":6,\"driver\":\"y\"}],\"cpu_types\":[{\"name\":\"core\"}, 5]}");
	text = text_of(record, 0, false, false);
	has(text, "  policies         0 to 4: driver=x\n                   6: driver=y\n");
	has(text, "  cpu_types        name=core\n");
	free(text);
	record_free(record);
}

static void test_list(void **state)
{
	char name[] = "evil\033[2J\nname", uuid[] = "u", measurement[] = "wakeup",
	     status[] = "interrupted";
	struct store_entry entries[] = {
		{ .id = 7,
		  .uuid = uuid,
		  .name = name,
		  .measurement = measurement,
		  .status = status,
		  .started = 1700000000.25,
		  .finished = 1700003700.0,
		  .emulated = true,
		  .blocks = 5,
		  .n_runs = 21,
		  .n_invalid = 1 },
		{ .id = 12,
		  .uuid = uuid,
		  .measurement = measurement,
		  .status = status,
		  .started = NAN },
	};
	struct error err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_int_equal(report_list_text(entries, ARRAY_SIZE(entries), f, 0, &err), 0);
	fclose(f);
	only_harmless(text);
	has(text, "7  2023-11-14 22:13:20");
	has(text, "1 h 2 min  wakeup");
	has(text, "evil?[2J name\n");
	has(text, "\n12  -");
	free(text);
}

static void shows(const char *unit, double typical, double number, const char *expected)
{
	struct scale scale = scale_for(unit, typical);
	char buf[32], all[64];

	scale_number(&scale, number, buf, sizeof(buf));
	snprintf(all, sizeof(all), "%s%s%s", buf, *scale.unit ? " " : "", scale.unit);
	assert_string_equal(all, expected);
}

static void test_scale(void **state)
{
	shows("s", 0.0123456, 0.0123456, "12.35 ms");
	shows("s", 1e-6, 1e-6, "1.000 us");
	shows("s", 4e-10, 4e-10, "0.400 ns");
	shows("s", 0, 0, "0.000 s");
	shows("s", NAN, NAN, "- s");
	shows("J", 1500, 1500, "1.500 kJ");
	shows("J", 0.15, 0.15, "150.0 mJ");
	shows("Hz", 1.8e9, 1.8e9, "1.800 GHz");
	shows("", 12345, 12345, "12345");
	shows("", 3, 2.5, "2.500");
	shows("%", 99.96, 99.96, "100.0 %");
	shows("points", 1e9, 1e9, "1e+09 points");
	shows("s", 1, INFINITY, ">max s");
}

static void cleaned(const char *text, size_t columns, const char *expected)
{
	char *line = clean_line(text, columns);

	assert_string_equal(line, expected);
	if (columns)
		assert_true(clean_width(line) <= columns);
	free(line);
}

static void test_clean(void **state)
{
	cleaned("plain", 0, "plain");
	cleaned("plain", 5, "plain");
	cleaned("plainer", 5, "pla..");
	cleaned("plainer", 1, "");
	cleaned("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 6, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e");
	cleaned("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 5, "\xe6\x97\xa5..");
	cleaned("e\xcc\x81", 1, "e\xcc\x81");
	cleaned(NULL, 0, "-");
	cleaned("\xf4\x90\x80\x80", 0, "????");
	cleaned("\xc3", 0, "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_says),          cmocka_unit_test(test_emulated_first),
		cmocka_unit_test(test_nothing_in_it), cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_hostile),       cmocka_unit_test(test_hostile_json),
		cmocka_unit_test(test_long_names),    cmocka_unit_test(test_many_strata),
		cmocka_unit_test(test_groups),        cmocka_unit_test(test_list),
		cmocka_unit_test(test_scale),         cmocka_unit_test(test_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
