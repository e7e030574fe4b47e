/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Moments and quantiles: values of R, NIST's numeric traps, censored values. */
#include "test-stats.h"

#include <errno.h>
#include <stdlib.h>

#include "stats/describe.h"

/* Michelson 1879, NIST's Michelso and R's morley: 299.000 plus these thousandths, in 1000 km/s. */
static const int michelson[] = {
	850,  740, 900, 1070, 930, 850, 950, 980, 980, 880, 1000, 980, 930, 650, 760, 810, 1000,
	1000, 960, 960, 960,  940, 960, 940, 880, 800, 850, 880,  900, 840, 830, 790, 810, 880,
	880,  830, 800, 790,  760, 800, 880, 880, 880, 860, 720,  720, 620, 860, 970, 950, 880,
	910,  850, 870, 840,  840, 850, 840, 840, 840, 890, 810,  810, 820, 800, 770, 760, 740,
	750,  760, 910, 920,  890, 860, 880, 720, 840, 850, 850,  780, 890, 840, 780, 810, 760,
	810,  790, 810, 820,  850, 870, 870, 810, 740, 810, 940,  950, 800, 810, 870,
};

static void test_michelson(void **state)
{
	double x[LENGTH(michelson)];

	assert_int_equal(LENGTH(michelson), 100);
	for (size_t i = 0; i < LENGTH(x); i++)
		x[i] = 299 + michelson[i] / 1000.0;
	assert_near(stats_mean(x, LENGTH(x)), 299.8524, 1e-15);
	assert_near(stats_sd(x, LENGTH(x)), 0.0790105478190507, 1e-12);
	assert_near(stats_autocorrelation(x, LENGTH(x)), 0.535199668621263, 1e-11);
}

/* The sum of squares without a second pass gives sd 0 for the second. */
static void test_numeric_traps(void **state)
{
	static const double few[] = { 10000001, 10000003, 10000002 };
	double many[1001];

	assert_near(stats_mean(few, 3), 10000002, 1e-16);
	assert_near(stats_sd(few, 3), 1, 1e-15);
	many[0] = 10000000.2;
	for (size_t i = 1; i < LENGTH(many); i++)
		many[i] = i % 2 ? 10000000.1 : 10000000.3;
	assert_near(stats_mean(many, LENGTH(many)), 10000000.2, 1e-15);
	assert_near(stats_sd(many, LENGTH(many)), 0.1, 1e-7); /* .1 is off by 1e-9 there */
	assert_near(stats_autocorrelation(many, LENGTH(many)), -0.999, 1e-6);
}

static void test_quantiles(void **state)
{
	static const double x[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29 };
	static const struct {
		double p, nearest, linear;
	} expected[] = {
		{ 0.1, 2, 2.9 },     { 0.25, 5, 5.5 }, { 0.5, 11, 12 }, { 0.9, 23, 23.6 },
		{ 0.99, 29, 28.46 }, { 0, 2, 2 },      { 1, 29, 29 },
	};
	double mad;

	for (size_t i = 0; i < LENGTH(expected); i++) {
		assert_near(stats_quantile_nearest(x, LENGTH(x), expected[i].p),
			    expected[i].nearest, 1e-15);
		assert_near(stats_quantile(x, LENGTH(x), expected[i].p), expected[i].linear, 1e-14);
	}
	/* 10 p rounds to above 7 and 3; neither may reach for the next value. */
	assert_near(stats_quantile_nearest(x, LENGTH(x), 0.7), 17, 0);
	assert_near(stats_quantile_nearest(x, LENGTH(x), 0.1 + 0.2), 5, 0);
	assert_int_equal(stats_mad(x, LENGTH(x), &mad), 0);
	assert_near(mad, 10.3782, 1e-14);
	assert_true(isnan(stats_quantile(x, LENGTH(x), -0.1)));
	assert_true(isnan(stats_quantile_nearest(x, LENGTH(x), NAN)));
	assert_true(isnan(stats_quantile(x, 0, 0.5)));
}

static void test_summary(void **state)
{
	static const double x[] = { 29, 2, 23, 3, 19, 5, 17, 7, 13, 11 };
	struct summary s;

	assert_int_equal(describe(x, LENGTH(x), &s), 0);
	assert_true(s.n == 10 && s.n_infinite == 0 && s.min == 2 && s.max == 29);
	assert_near(s.mean, 12.9, 1e-15);
	assert_near(s.sd, 9.024041962077378, 1e-14);
	assert_near(s.median, 12, 1e-15);
	assert_near(s.p5, 2.45, 1e-14);
	assert_near(s.p95, 26.3, 1e-14);
	assert_int_equal(describe(x, 1, &s), 0);
	assert_true(s.mean == 29 && isnan(s.sd) && s.p5 == 29 && s.max == 29);
	assert_int_equal(describe(x, 0, &s), 0);
	assert_true(s.n == 0 && isnan(s.mean) && isnan(s.median) && isnan(s.min));
}

static void test_censored(void **state)
{
	static const double x[] = { 3, INFINITY, 1, 2, INFINITY };
	static const double sorted[] = { -INFINITY, INFINITY };
	struct summary s;
	double mad;

	assert_int_equal(describe(x, LENGTH(x), &s), 0);
	assert_true(s.n == 5 && s.n_infinite == 2 && s.min == 1 && s.median == 3);
	assert_true(s.max == INFINITY && s.p95 == INFINITY && isnan(s.mean) && isnan(s.sd));
	assert_true(stats_median(sorted, 2) == 0);
	assert_true(stats_quantile(sorted, 2, 0.25) == -INFINITY);
	assert_int_equal(stats_mad(x, LENGTH(x), &mad), 0);
	assert_near(mad, 2 * 1.4826, 1e-14);
	assert_true(isnan(stats_autocorrelation(x, LENGTH(x))));
}

static void test_refused(void **state)
{
	static const double x[] = { 1, NAN, 2 }, equal[] = { 4, 4, 4 };
	double mad, *copy = NULL;
	struct summary s;

	assert_int_equal(describe(x, 3, &s), -EINVAL);
	assert_int_equal(stats_mad(x, 3, &mad), -EINVAL);
	assert_int_equal(stats_sorted_copy(x, 3, &copy), -EINVAL);
	assert_null(copy);
	assert_true(isnan(stats_mean(x, 3)) && isnan(stats_sd(x, 3)));
	assert_true(stats_sd(equal, 3) == 0 && isnan(stats_autocorrelation(equal, 3)));
}

/* Long lists are sorted another way than short ones. */
static void test_sort(void **state)
{
	static const double special[] = { -INFINITY, INFINITY, 0, -0.0, 1e308, -5e-324, 5e-324 };
	static double x[5000];
	double sum = 0, sorted_sum = 0;

	srand48(2);
	for (size_t n = 1; n <= LENGTH(x); n = n * 3 + 1) {
		size_t less = 0, below = 0;

		for (size_t i = 0; i < n; i++) {
			x[i] = i % 9 == 0 ? special[(i / 9) % LENGTH(special)]
					  : ldexp((double) lrand48() - 1e9, (int) (lrand48() % 40));
			sum += isfinite(x[i]) && fabs(x[i]) < 1e300 ? x[i] : 0;
			below += x[i] < 12345;
		}
		stats_sort(x, n);
		for (size_t i = 0; i < n; i++) {
			assert_true(i == 0 || x[i - 1] <= x[i]);
			sorted_sum += isfinite(x[i]) && fabs(x[i]) < 1e300 ? x[i] : 0;
			less += x[i] < 12345;
		}
		assert_int_equal(less, below);
	}
	assert_near(sorted_sum, sum, 1e-9);
	stats_sort(x, 0);
}

static void test_supported(void **state)
{
	assert_true(stats_quantile_supported(1000, 0.99));
	assert_false(stats_quantile_supported(999, 0.99));
	assert_true(stats_quantile_supported(10000, 0.999));
	assert_false(stats_quantile_supported(9999, 0.999));
	assert_true(stats_quantile_supported(20, 0.5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_michelson), cmocka_unit_test(test_numeric_traps),
		cmocka_unit_test(test_quantiles), cmocka_unit_test(test_summary),
		cmocka_unit_test(test_censored),  cmocka_unit_test(test_refused),
		cmocka_unit_test(test_sort),      cmocka_unit_test(test_supported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
