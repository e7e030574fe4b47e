/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resampling: the generator, intervals, and the test of spread. */
#include "test-stats.h"

#include <errno.h>
#include <stdlib.h>

#include "stats/bootstrap.h"
#include "stats/dist.h"
#include "stats/random.h"
#include "stats/spread.h"

/* Published test vectors of splitmix64 and xoshiro256**. */
static void test_random(void **state)
{
	static const uint64_t expected[] = { 11520, 0, 1509978240, UINT64_C(1215971899390074240) };
	struct stats_random random = { { 1, 2, 3, 4 } };
	size_t seen[7] = { 0 };

	for (size_t i = 0; i < LENGTH(expected); i++)
		assert_true(stats_random_next(&random) == expected[i]);
	stats_random_init(&random, 1234567);
	assert_true(random.s[0] == UINT64_C(6457827717110365317));
	assert_true(random.s[1] == UINT64_C(3203168211198807973));
	for (int i = 0; i < 70000; i++) {
		double u = stats_random_unit(&random);

		assert_true(u > 0 && u < 1);
		seen[stats_random_below(&random, LENGTH(seen))]++;
	}
	for (size_t i = 0; i < LENGTH(seen); i++)
		assert_near((double) seen[i], 10000, 0.04); /* 4 standard deviations */
	for (int i = 0; i < 100; i++)
		assert_int_equal(stats_random_below(&random, 1), 0);
}

/* R's boot::aircondit, boot.ci() with 1e5 resamples; other random numbers, hence the room of 2. */
static void test_aircondit(void **state)
{
	static const double x[] = { 3, 5, 7, 18, 43, 85, 91, 98, 100, 130, 230, 487 };
	struct bootstrap_list list = { .x = x };
	struct stats_random random, again;
	struct bootstrap b, same;

	stats_random_init(&random, 1);
	again = random;
	assert_int_equal(bootstrap(LENGTH(x), bootstrap_mean, &list, 100000, 0.05, &random, &b), 0);
	assert_same(b.estimate, 1297.0 / 12);
	assert_same(b.acceleration, 0.0937980738838676);
	assert_int_equal(b.resamples, 100000);
	assert_true(fabs(b.low - 46.667) < 2 && fabs(b.high - 190.831) < 2);
	assert_true(fabs(b.bca_low - 57.000) < 2 && fabs(b.bca_high - 224.962) < 2);
	assert_int_equal(bootstrap(LENGTH(x), bootstrap_mean, &list, 100000, 0.05, &again, &same),
			 0);
	assert_true(b.low == same.low && b.bca_high == same.bca_high && b.bias == same.bias);
}

/* R's boot::city: populations of ten cities, 1920 and 1930. */
static const double city[10][2] = {
	{ 138, 143 }, { 93, 104 }, { 61, 69 }, { 179, 260 }, { 48, 75 },
	{ 37, 63 },   { 29, 50 },  { 23, 48 }, { 30, 111 },  { 2, 50 }
};

static double ratio_of_sums(const size_t *index, size_t n, void *arg)
{
	double before = 0, after = 0;

	for (size_t i = 0; i < n; i++) {
		before += city[index[i]][0];
		after += city[index[i]][1];
	}
	return after / before;
}

static void test_ratio(void **state)
{
	struct stats_random random;
	struct bootstrap b;

	stats_random_init(&random, 2);
	assert_int_equal(bootstrap(LENGTH(city), ratio_of_sums, NULL, 2000, 0.05, &random, &b), 0);
	assert_same(b.estimate, 1.5203125);
	assert_true(b.low > 1.1 && b.low < b.estimate && b.high > b.estimate && b.high < 2.4);
}

static double never(const size_t *index, size_t n, void *arg)
{
	return NAN;
}

static void test_edges(void **state)
{
	static const double equal[] = { 4, 4, 4 }, bad[] = { 1, NAN };
	static const double censored[] = { 1, 2, 3, 4, 5, INFINITY, INFINITY };
	struct bootstrap_list list = { .x = equal };
	struct stats_random random;
	struct bootstrap b;

	stats_random_init(&random, 3);
	assert_int_equal(bootstrap(3, bootstrap_mean, &list, 100, 0.05, &random, &b), 0);
	assert_true(b.low == 4 && b.high == 4 && b.bca_low == 4 && b.acceleration == 0);
	assert_int_equal(bootstrap(1, bootstrap_mean, &list, 100, 0.05, &random, &b), 0);
	assert_true(b.low == 4 && b.high == 4);
	assert_int_equal(bootstrap(0, bootstrap_mean, &list, 100, 0.05, &random, &b), -EINVAL);
	assert_int_equal(bootstrap(3, bootstrap_mean, &list, 0, 0.05, &random, &b), -EINVAL);
	assert_int_equal(bootstrap(3, bootstrap_mean, &list, 100, 1, &random, &b), -EINVAL);
	assert_int_equal(bootstrap(3, never, NULL, 100, 0.05, &random, &b), -EINVAL);
	assert_int_equal(bootstrap_quantile_of(bad, 2, 0.5, 100, 0.05, &random, &b), -EINVAL);
	assert_int_equal(
		bootstrap_quantile_of(censored, LENGTH(censored), 0.95, 500, 0.05, &random, &b), 0);
	assert_true(b.estimate == INFINITY && b.high == INFINITY && b.low < INFINITY);
}

/* The median's interval covers about as often as it says; a fifth of misses would be far off. */
static void test_quantile(void **state)
{
	struct stats_random random;
	int covered = 0;

	stats_random_init(&random, 4);
	for (int round = 0; round < 200; round++) {
		struct bootstrap b;
		double x[40];

		for (size_t i = 0; i < LENGTH(x); i++)
			x[i] = stats_random_unit(&random);
		assert_int_equal(bootstrap_quantile_of(x, LENGTH(x), 0.5, 300, 0.05, &random, &b),
				 0);
		covered += b.low <= 0.5 && b.high >= 0.5;
	}
	assert_true(covered > 175);
}

static void test_spread(void **state)
{
	static const double base[] = { 10, 20, 30, 40, 50, 60, 70, 80 };
	static const double new[] = { 44, 44.5, 45, 45.5, 45, 44, 46, 46.5 };
	struct stats_random random;
	struct spread s, other;

	stats_random_init(&random, 5);
	assert_int_equal(spread_compare(base, new, LENGTH(base), 1000, &random, &s), 0);
	assert_same(s.base, 20);
	assert_same(s.new, 0.6875);
	assert_same(s.ratio, 0.6875 / 20 - 1);
	assert_true(s.exact && s.high < 0 && s.low < s.ratio && s.high > s.ratio);
	/* All differences of distances have one sign: nothing but that and its mirror is as large.
	 */
	assert_same(s.p, 2.0 / 256);
	assert_int_equal(spread_compare(new, base, LENGTH(base), 1000, &random, &other), 0);
	assert_same(other.p, s.p);
	assert_same((1 + s.ratio) * (1 + other.ratio), 1);
	/* Moving one of them, or both to other units, is no change of spread. */
	{
		double moved[LENGTH(new)], larger[LENGTH(base)], larger_new[LENGTH(base)];

		for (size_t i = 0; i < LENGTH(base); i++) {
			moved[i] = new[i] + 1024;
			larger[i] = base[i] * 8;
			larger_new[i] = new[i] * 8;
		}
		assert_int_equal(spread_compare(base, moved, 8, 100, &random, &other), 0);
		assert_same(other.ratio, s.ratio);
		assert_int_equal(spread_compare(larger, larger_new, 8, 100, &random, &other), 0);
		assert_true(other.ratio == s.ratio && other.p == s.p);
	}
	assert_int_equal(spread_compare(base, base, LENGTH(base), 100, &random, &s), 0);
	assert_true(s.p == 1 && s.ratio == 0);
}

static void test_spread_sampled(void **state)
{
	static const double d[SPREAD_EXACT_MAX] = {
		1, 9, 2, 8, 3, 7, 4, 6, 5, 0, 10, 2, 9, 1, 8, 3
	};
	struct stats_random random;
	struct spread exact, sampled;
	double base[SPREAD_EXACT_MAX + 2], new[SPREAD_EXACT_MAX + 2];

	/* Two more blocks, equal in both, leave the exact answer as it is. */
	for (size_t i = 0; i < LENGTH(base); i++) {
		base[i] = i < SPREAD_EXACT_MAX ? d[i] : 4.5;
		new[i] = i < SPREAD_EXACT_MAX ? 4.5 + 1.6 * (d[(i * 5) % 16] - 4.5) : 4.5;
	}
	stats_random_init(&random, 6);
	assert_int_equal(spread_compare(base, new, SPREAD_EXACT_MAX, 100, &random, &exact), 0);
	assert_int_equal(spread_compare(base, new, LENGTH(base), 20000, &random, &sampled), 0);
	assert_true(exact.exact && !sampled.exact);
	assert_true(exact.p > 0.01 && exact.p < 0.5);
	assert_true(fabs(exact.p - sampled.p) < 0.02);
}

static void test_spread_refused(void **state)
{
	static const double good[] = { 1, 2, 3 }, equal[] = { 7, 7, 7 };
	static const double bad[] = { 1, NAN, 3 }, censored[] = { 1, INFINITY, 3 };
	struct stats_random random;
	struct spread s;

	stats_random_init(&random, 7);
	assert_int_equal(spread_compare(good, bad, 3, 100, &random, &s), -EINVAL);
	assert_int_equal(spread_compare(good, censored, 3, 100, &random, &s), -EDOM);
	assert_int_equal(spread_compare(good, good, 1, 100, &random, &s), -EINVAL);
	assert_int_equal(spread_compare(good, good, 3, 0, &random, &s), -EINVAL);
	assert_int_equal(spread_compare(equal, equal, 3, 100, &random, &s), 0);
	assert_true(isnan(s.ratio) && s.p == 1);
	assert_int_equal(spread_compare(equal, good, 3, 100, &random, &s), 0);
	assert_true(s.ratio == INFINITY && s.high == INFINITY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),         cmocka_unit_test(test_aircondit),
		cmocka_unit_test(test_ratio),          cmocka_unit_test(test_edges),
		cmocka_unit_test(test_quantile),       cmocka_unit_test(test_spread),
		cmocka_unit_test(test_spread_sampled), cmocka_unit_test(test_spread_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
