/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs and iterations, t tests, ratios of means. */
#include "test-stats.h"

#include <errno.h>

#include "stats/dist.h"
#include "stats/ttest.h"
#include "stats/variance.h"

/* lme4's Dyestuff: six batches of five samples. */
static const double dyestuff[6 * 5] = {
	1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495, 1595, 1550, 1605, 1510, 1560,
	1445, 1440, 1595, 1465, 1545, 1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445,
};

static void test_dyestuff(void **state)
{
	struct variance v;
	struct ttest pooled;

	assert_int_equal(variance_components(dyestuff, 6, 5, 0.05, &v), 0);
	assert_same(v.ms_between, 11271.5);
	assert_same(v.ms_within, 2451.25);
	assert_same(v.f, 4.59826619071903);
	assert_same(v.p, .00439753126830609);
	assert_same(v.sd_between, 42.0005952338774);
	assert_same(v.sd_within, 49.5100999797011);
	assert_same(v.mean, 1527.5);
	assert_near(v.low, 1477.673, 5e-7);
	assert_near(v.high, 1577.327, 5e-7);
	/* Pooling all iterations gives half that width: the mistake that the program must not make.
	 */
	assert_int_equal(ttest_one(dyestuff, 30, 0.05, &pooled), 0);
	assert_near(pooled.low, 1503.967, 5e-7);
	assert_near(pooled.high, 1551.033, 5e-7);
}

static void test_iterations_worth(void **state)
{
	static const double costs[][2] = { { 1, 1.18 }, { 5, 2.64 }, { 20, 5.27 }, { 100, 11.8 } };

	for (size_t i = 0; i < LENGTH(costs); i++)
		assert_near(iterations_worth(costs[i][0], 1, 49.5100999797011, 42.0005952338774),
			    costs[i][1], 3e-3);
	assert_true(iterations_worth(5, 1, 3, 0) == INFINITY);
}

static void test_components_edges(void **state)
{
	static const double alike[] = { 1, 5, 5, 1, 3, 3 }, bad[] = { 1, NAN, 2, 3 };
	struct variance v;

	assert_int_equal(variance_components(alike, 3, 2, 0.05, &v), 0);
	assert_true(v.sd_between == 0 && v.ms_between == 0 && v.sd_within > 0);
	assert_int_equal(variance_components(dyestuff, 30, 1, 0.05, &v), 0);
	assert_true(isnan(v.sd_within) && isnan(v.sd_between) && isnan(v.p));
	assert_near(v.low, 1503.967, 5e-7);
	assert_int_equal(variance_components(bad, 2, 2, 0.05, &v), -EINVAL);
	assert_int_equal(variance_components(dyestuff, 1, 5, 0.05, &v), -EINVAL);
	assert_int_equal(variance_components(dyestuff, 6, 0, 0.05, &v), -EINVAL);
	assert_int_equal(variance_components(dyestuff, 6, 5, 0, &v), -EINVAL);
}

static void test_sleep(void **state)
{
	static const double x[] = SLEEP_1, y[] = SLEEP_2;
	double lower, upper;
	struct ttest t;

	assert_int_equal(ttest_welch(x, 10, y, 10, 0.05, &t), 0);
	assert_same(t.t, -1.86081346748685);
	assert_same(t.df, 17.7764735161785);
	assert_same(t.p, 0.0793941401873582);
	assert_same(t.low, -3.36548323071171);
	assert_same(t.high, 0.20548323071171);
	assert_int_equal(ttest_pooled(x, 10, y, 10, 0.05, &t), 0);
	assert_same(t.p, 0.0791867142159382);
	assert_int_equal(ttest_paired(x, y, 10, 0.05, &t), 0);
	assert_same(t.t, -4.06212768338204);
	assert_true(t.df == 9);
	assert_same(t.p, 0.00283289019738427);
	assert_same(t.low, -2.45988576327698);
	assert_same(t.high, -0.70011423672302);
	ttest_equivalence(&t, 2.5, &lower, &upper);
	assert_same(lower, 0.0211168602465007);
	assert_same(upper, 1.20024173818964e-6);
	assert_int_equal(ttest_paired(x, y, 10, 0.10, &t), 0);
	assert_same(t.low, -2.293005267);
	assert_near(t.high, -0.866994733, 1e-9);
}

static void test_t_edges(void **state)
{
	static const double x[] = { 1, 2, 4 }, equal[] = { 3, 3, 3 }, bad[] = { 1, INFINITY, 2 };
	struct ttest t;

	assert_int_equal(ttest_one(x, 1, 0.05, &t), -EINVAL);
	assert_int_equal(ttest_one(equal, 3, 0.05, &t), -EINVAL);
	assert_int_equal(ttest_welch(x, 3, bad, 3, 0.05, &t), -EINVAL);
	assert_int_equal(ttest_welch(x, 3, x, 1, 0.05, &t), -EINVAL);
	assert_int_equal(ttest_pooled(x, 1, x, 3, 0.05, &t), -EINVAL);
	assert_int_equal(ttest_pooled(equal, 3, x, 3, 1, &t), -EINVAL);
	assert_int_equal(ttest_paired(x, x, 3, 0.05, &t), -EINVAL);
}

/* Fieller's bounds are where the test of new - r base = 0 just reaches its critical value. */
static void test_fieller(void **state)
{
	static const double new[] = { 11, 12, 10.5, 13, 11.5 }, base[] = { 10, 9, 11, 10.5 };
	static const double around_zero[] = { -1, 1, 0.5, -0.5 };
	double ratio, low, high, back, back_low, back_high;
	struct ttest a, b;

	assert_int_equal(fieller_ratio(new, 5, base, 4, 0.05, &ratio, &low, &high), 0);
	assert_near(ratio, 11.6 / 10.125, 1e-14);
	assert_true(low < ratio && ratio < high);
	assert_int_equal(ttest_one(new, 5, 0.05, &a), 0);
	assert_int_equal(ttest_one(base, 4, 0.05, &b), 0);
	for (int side = 0; side < 2; side++) {
		double r = side ? high : low, half_a = a.high - 11.6, half_b = b.high - 10.125;

		assert_near(pow(11.6 - r * 10.125, 2), half_a * half_a + r * r * half_b * half_b,
			    1e-10);
	}
	/* Exchanged, the interval is the inverse. */
	assert_int_equal(fieller_ratio(base, 4, new, 5, 0.05, &back, &back_low, &back_high), 0);
	assert_near(back_low * high, 1, 1e-12);
	assert_near(back_high * low, 1, 1e-12);
	assert_int_equal(fieller_ratio(new, 5, around_zero, 4, 0.05, &ratio, &low, &high), 0);
	assert_true(low == -INFINITY && high == INFINITY);
	assert_int_equal(fieller_ratio(new, 1, base, 4, 0.05, &ratio, &low, &high), -EINVAL);
	assert_int_equal(fieller_ratio(new, 5, base, 4, 2, &ratio, &low, &high), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dyestuff),         cmocka_unit_test(test_iterations_worth),
		cmocka_unit_test(test_components_edges), cmocka_unit_test(test_sleep),
		cmocka_unit_test(test_t_edges),          cmocka_unit_test(test_fieller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
