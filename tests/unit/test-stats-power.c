/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much a number of blocks can show. */
#include "test-stats.h"

#include "stats/power.h"

static void test_power_t_test(void **state)
{
	double n;

	assert_near(power_t_test(20, 1, 0.05, false), .868952801692498, 1e-11);
	/* R's own root is only good to 1e-4, it says: power .90000003 there. */
	n = power_t_test_n(1, 0.05, 0.90, false);
	assert_near(n, 22.0210977038512, 1e-6);
	assert_near(power_t_test(n, 1, 0.05, false), 0.90, 1e-10);
	assert_near(power_t_test(22.0210977038512, 1, 0.05, false), 0.90, 1e-7);
	assert_near(power_t_test(10, .996, 0.05, true), 0.80, 1e-3);
	assert_near(power_t_test(20, .660, 0.05, true), 0.80, 1e-3);
	assert_near(power_t_test(30, .529, 0.05, true), 0.80, 1e-3);
	assert_near(power_t_test(30, 0, 0.05, true), 0.025, 1e-11);
	assert_true(isnan(power_t_test(1, 1, 0.05, true)) && isnan(power_t_test(9, 1, 0, true)));
	assert_true(isnan(power_t_test(9, -1, 0.05, true)));
	assert_true(isnan(power_t_test_n(0, 0.05, 0.8, true)));
	assert_true(isnan(power_t_test_n(1e-6, 0.05, 0.8, true)));
	assert_true(isnan(power_t_test_n(1, 0.05, 1, true)));
}

static void test_detectable(void **state)
{
	static const struct {
		size_t n;
		double effect;
	} expected[] = { { 6, 1.47 }, { 8, 1.18 }, { 10, 1.02 }, { 12, .91 }, { 15, .80 },
			 { 20, .68 }, { 30, .54 }, { 40, .46 },  { 50, .41 } };

	for (size_t i = 0; i < LENGTH(expected); i++)
		assert_near(round(100 * detectable_paired(expected[i].n, 0.05, POWER_USUAL)),
			    round(100 * expected[i].effect), 0);
	assert_true(detectable_paired(5, 0.05, 0.8) == INFINITY);
	assert_true(detectable_paired(6, 0.03, 0.8) == INFINITY);
	assert_true(isfinite(detectable_paired(7, 0.03, 0.8)));
	assert_true(isnan(detectable_paired(20, 0.05, 0)));
}

static void test_detectable_unpaired(void **state)
{
	/* As sensitive as pairs with the same two standard deviations, but for the degrees of
	 * freedom. */
	assert_near(detectable_unpaired(500, 500, 0.05, 0.8),
		    sqrt(2) * detectable_paired(500, 0.05, 0.8), 2e-3);
	assert_near(detectable_unpaired(7, 40, 0.05, 0.8), detectable_unpaired(40, 7, 0.05, 0.8),
		    1e-12);
	assert_true(detectable_unpaired(3, 3, 0.05, 0.8) == INFINITY); /* 2 / C(6, 3) = .1 */
	assert_true(isfinite(detectable_unpaired(4, 4, 0.05, 0.8)));   /* 2 / C(8, 4) = .029 */
	assert_true(isfinite(detectable_unpaired(100000, 100000, 0.05, 0.8)));
	assert_true(detectable_unpaired(0, 9, 0.05, 0.8) == INFINITY);
}

/* Simulated with the signed-rank interval itself, hence .03 of room. */
static void test_same_chance(void **state)
{
	static const struct {
		size_t n;
		double margin, chance;
	} simulated[] = { { 10, 1, .57 },   { 20, 1, .98 },  { 10, .75, .22 }, { 20, .75, .75 },
			  { 30, .75, .95 }, { 20, .5, .18 }, { 30, .5, .51 },  { 50, .5, .85 } };

	for (size_t i = 0; i < LENGTH(simulated); i++) {
		double chance = same_chance(simulated[i].n, simulated[i].margin, 0.05);

		assert_true(fabs(chance - simulated[i].chance) <= 0.045);
	}
	assert_true(same_chance(5, 100, 0.05) == 0);
	assert_true(isnan(same_chance(9, -1, 0.05)) && isnan(same_chance(9, 1, 1)));
}

static void test_minimum(void **state)
{
	assert_int_equal(blocks_minimum(1, 0.05), 6);
	assert_int_equal(blocks_minimum(0, 0.05), 6);
	assert_int_equal(blocks_minimum(2, 0.05), 7);
	assert_int_equal(blocks_minimum(6, 0.05), 8);
	assert_int_equal(blocks_minimum(7, 0.05), 9);
	assert_int_equal(blocks_minimum(25, 0.05), 10);
	assert_int_equal(blocks_minimum(26, 0.05), 11);
	assert_int_equal(blocks_minimum(1, 0), 0);
}

/* The answer is the first n at which the plan's own question is answered with yes. */
static void test_needed(void **state)
{
	static const double effects[] = { 2, 1, 0.68, 0.5, 0.1, 0.02 };

	for (size_t i = 0; i < LENGTH(effects); i++) {
		size_t n = blocks_to_detect(effects[i], 0.05, 0.8);

		assert_true(detectable_paired(n, 0.05, 0.8) <= effects[i]);
		assert_true(n == 6 || detectable_paired(n - 1, 0.05, 0.8) > effects[i]);
		n = blocks_to_show_same(effects[i], 0.05, 0.8);
		assert_true(same_chance(n, effects[i], 0.05) >= 0.8);
		assert_true(n == 6 || same_chance(n - 1, effects[i], 0.05) < 0.8);
	}
	assert_int_equal(blocks_to_detect(0.68, 0.05, 0.8), 20);
	assert_int_equal(blocks_to_detect(100, 0.05, 0.8), 6);
	assert_int_equal(blocks_to_detect(0, 0.05, 0.8), 0);
	assert_int_equal(blocks_to_detect(NAN, 0.05, 0.8), 0);
	assert_int_equal(blocks_to_detect(1e-5, 0.05, 0.8), 0);
	assert_int_equal(blocks_to_show_same(1e-5, 0.05, 0.8), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_power_t_test),
		cmocka_unit_test(test_detectable),
		cmocka_unit_test(test_detectable_unpaired),
		cmocka_unit_test(test_same_chance),
		cmocka_unit_test(test_minimum),
		cmocka_unit_test(test_needed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
