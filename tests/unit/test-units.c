/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "lib/nearest.h"
#include "lib/units.h"

static void reads_times(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "0", 0 },
		{ "100ms", 100000000 },
		{ "1.5s", 1500000000 },
		{ "5m", 300000000000 },
		{ "2h", 7200000000000 },
		{ "250us", 250000 },
		{ "50ns", 50 },
		{ "100 ms", 100000000 },
		{ "0.1us", 100 },
		{ ".5ms", 500000 },
		{ "0s", 0 },
		{ "100MS", 100000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		uint64_t ns = 1;

		assert_int_equal(parse_time("--run", good[i].text, &ns, NULL), 0);
		assert_int_equal(ns, good[i].ns);
	}
}

static void refuses_times(void **state)
{
	static const char *const bad[] = {
		"100",  "100parsecs", "",       "-5ms",  "ms",    "nan",
		"infs", "1e400s",     "0x10ms", "1e30h", "5 5ms", "10M"
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct error err = { 0 };
		uint64_t ns;

		assert_int_equal(parse_time("--run", bad[i], &ns, &err), -EINVAL);
		assert_non_null(strstr(err.text, "--run"));
	}
}

static void writes_times(void **state)
{
	static const uint64_t values[] = {
		0, 1, 50, 1000, 1500, 100000000, 1500000000, 60000000000
	};
	char buf[32];

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		uint64_t back = 1;

		assert_int_equal(parse_time("t", format_time_exact(values[i], buf, sizeof(buf)),
					    &back, NULL),
				 0);
		assert_int_equal(back, values[i]);
	}
	assert_string_equal(format_seconds(0.1453, buf, sizeof(buf)), "145.3 ms");
	assert_string_equal(format_seconds(1.038, buf, sizeof(buf)), "1.038 s");
	assert_string_equal(format_seconds(-0.00002, buf, sizeof(buf)), "-20.00 us");
	assert_string_equal(format_seconds(NAN, buf, sizeof(buf)), "-");
	assert_string_equal(format_seconds(0, buf, sizeof(buf)), "0.000 s");
}

static void reads_numbers(void **state)
{
	uint64_t u;
	int64_t s;
	double d;

	assert_int_equal(parse_u64_text("n", "18446744073709551615", &u, NULL), 0);
	assert_true(u == UINT64_MAX);
	assert_int_equal(parse_u64_text("n", "18446744073709551616", &u, NULL), -EINVAL);
	assert_int_equal(parse_u64_text("n", "-1", &u, NULL), -EINVAL);
	assert_int_equal(parse_u64_text("n", "1.5", &u, NULL), -EINVAL);
	assert_int_equal(parse_s64_text("n", "-20", &s, NULL), 0);
	assert_int_equal(s, -20);
	assert_int_equal(parse_double_text("n", "0.25", &d, NULL), 0);
	assert_true(d == 0.25);
	assert_int_equal(parse_double_text("n", "1%", &d, NULL), -EINVAL);
	assert_int_equal(parse_size("n", "64k", &u, NULL), 0);
	assert_int_equal(u, 65536);
	assert_int_equal(parse_khz("n", "1.8GHz", &u, NULL), 0);
	assert_int_equal(u, 1800000);
	assert_int_equal(parse_khz("n", "300MHz", &u, NULL), 0);
	assert_int_equal(u, 300000);
	assert_int_equal(parse_khz("n", "1800000", &u, NULL), 0);
	assert_int_equal(u, 1800000);
	assert_int_equal(parse_khz("n", "fast", &u, NULL), -EINVAL);
}

static void finds_the_nearest(void **state)
{
	static const char *const names[] = { "efficiency", "info", "list", "restore" };

	assert_string_equal(nearest_name("eficiency", names, 4), "efficiency");
	assert_string_equal(nearest_name("ifno", names, 4), "info");
	assert_string_equal(nearest_name("restroe", names, 4), "restore");
	assert_null(nearest_name("completely", names, 4));
	assert_null(nearest_name("", names, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_times),       cmocka_unit_test(refuses_times),
		cmocka_unit_test(writes_times),      cmocka_unit_test(reads_numbers),
		cmocka_unit_test(finds_the_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
