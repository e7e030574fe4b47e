/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <errno.h>

#include "lib/cpus.h"

static void check(const char *text, const char *expected)
{
	struct cpus set;
	char buf[256];

	assert_int_equal(cpus_parse(text, &set, NULL), 0);
	assert_string_equal(cpus_format(&set, buf, sizeof(buf)), expected);
}

static void reads_all_forms(void **state)
{
	check("", "");
	check("0", "0");
	check("0-3,8", "0-3,8");
	check("0-3+8", "0-3,8");
	check("8,0-3", "0-3,8");
	check("0 1 2 3", "0-3");
	check(" 5 , 7", "5,7");
	check("0-6:2", "0,2,4,6");
	check("63-65", "63-65");
	check("8191", "8191");
	check("0-3,2-5", "0-5");
}

static void refuses(void **state)
{
	static const char *const bad[] = { "a",    "1-",    "-1",   "3-1",
					   "1,,2", "1,",    "8192", "1-99999999999999999999",
					   "1x",   "0-6:0", "1;2" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct error err = { 0 };
		struct cpus set;

		assert_int_equal(cpus_parse(bad[i], &set, &err), -EINVAL);
		assert_non_null(strstr(err.text, bad[i]));
	}
}

static void walks(void **state)
{
	struct cpus set, other;
	int n = 0, sum = 0;

	cpus_parse("0,63,64,8191", &set, NULL);
	for_each_cpu (cpu, &set) {
		n++;
		sum += cpu;
	}
	assert_int_equal(n, 4);
	assert_int_equal(sum, 0 + 63 + 64 + 8191);
	assert_int_equal(cpus_count(&set), 4);
	assert_int_equal(cpus_first(&set), 0);
	assert_int_equal(cpus_last(&set), 8191);
	assert_int_equal(cpus_next(&set, 64), 8191);
	assert_int_equal(cpus_next(&set, 8191), -1);
	cpus_clear(&other);
	assert_int_equal(cpus_first(&other), -1);
	assert_int_equal(cpus_last(&other), -1);
	assert_true(cpus_subset(&other, &set));
	assert_false(cpus_subset(&set, &other));
	assert_false(cpus_has(&set, -1));
	assert_false(cpus_has(&set, 8192));
}

static void cuts_off(void **state)
{
	struct cpus set;
	char buf[4];

	cpus_parse("0,2,4,6", &set, NULL);
	cpus_format(&set, buf, sizeof(buf));
	assert_true(strlen(buf) < sizeof(buf));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_forms),
		cmocka_unit_test(refuses),
		cmocka_unit_test(walks),
		cmocka_unit_test(cuts_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
