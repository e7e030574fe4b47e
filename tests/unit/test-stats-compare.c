/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts: what is computed for a metric, and what is said about several. */
#include "test-stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stats/compare.h"
#include "stats/power.h"

static const struct compare_rule throughput = {
	.kind = EFFECT_RATIO,
	.better = BETTER_HIGHER,
	.margin = 0.01,
	.alpha = 0.05,
	.primary = true,
};

static const struct compare_rule duration = {
	.kind = EFFECT_RATIO,
	.better = BETTER_LOWER,
	.margin = 0.01,
	.alpha = 0.05,
	.primary = true,
};

static const struct compare_rule points = {
	.kind = EFFECT_DIFFERENCE,
	.better = BETTER_HIGHER,
	.margin = 1,
	.alpha = 0.05,
	.primary = true,
};

/* Bases near 100 and, beside them, what is by these fractions more. */
static void make_blocks(const double *fractions, size_t n, double *ret_base, double *ret_new)
{
	for (size_t i = 0; i < n; i++) {
		ret_base[i] = 100 + (double) ((i * 7) % 5);
		ret_new[i] = ret_base[i] * (1 + fractions[i]);
	}
}

static void test_worked_verdict(void **state)
{
	static const double d[] = { .012, .031, -.004, .022, .018, .027, .009, .015, .041, -.011 };
	struct comparison c;

	assert_int_equal(compare_differences(d, LENGTH(d), &throughput, &c), 0);
	assert_near(c.effect, 0.01664, 5e-4);
	assert_near(c.low, 0.00401, 2e-3);
	assert_near(c.high, 0.02737, 5e-4);
	assert_same(c.p, 0.013671875);
	assert_int_equal(c.verdict, VERDICT_NONE);
	assert_int_equal(compare_judge(&c, 1), 0);
	assert_int_equal(c.verdict, VERDICT_BETTER);
	assert_false(c.small); /* not shown to be below 1 %, nor above */
	assert_true(c.paired && c.exact);
}

static void test_directions(void **state)
{
	static const double more[] = { .05, .06, .04, .07, .055, .045, .065, .052 };
	double base[LENGTH(more)], new[LENGTH(more)];
	struct comparison c[4];

	make_blocks(more, LENGTH(more), base, new);
	assert_int_equal(compare_paired(base, new, LENGTH(more), &throughput, &c[0]), 0);
	assert_int_equal(compare_paired(base, new, LENGTH(more), &duration, &c[1]), 0);
	assert_int_equal(compare_paired(new, base, LENGTH(more), &throughput, &c[2]), 0);
	assert_int_equal(compare_paired(base, new, LENGTH(more), &points, &c[3]), 0);
	assert_int_equal(compare_judge(c, LENGTH(c)), 0);
	assert_int_equal(c[0].verdict, VERDICT_BETTER);
	assert_int_equal(c[1].verdict, VERDICT_WORSE);
	assert_int_equal(c[2].verdict, VERDICT_WORSE);
	assert_int_equal(c[3].verdict, VERDICT_BETTER);
	assert_true(c[0].effect > 0.05 && c[0].effect < 0.06);
	assert_true(c[3].effect > 5 && c[3].effect < 6);
	/* Base and new exchanged: the ratio is exactly the inverse. */
	assert_near((1 + c[0].effect) * (1 + c[2].effect), 1, 1e-14);
	assert_near((1 + c[0].low) * (1 + c[2].high), 1, 1e-14);
	assert_true(c[0].p == c[2].p);
	/* A factor on all values changes nothing of a ratio. */
	for (size_t i = 0; i < LENGTH(more); i++) {
		base[i] *= 1024;
		new[i] *= 1024;
	}
	assert_int_equal(compare_paired(base, new, LENGTH(more), &throughput, &c[1]), 0);
	assert_true(c[1].effect == c[0].effect && c[1].low == c[0].low && c[1].p == c[0].p);
}

static void test_same_and_small(void **state)
{
	static const double none[] = { .001, -.002, .0015, -.001, .002, -.0005, .0002, -.0012 };
	static const double little[] = { .003, .004, .002, .0035, .0045, .0025, .005, .001 };
	static const double wide[] = { .05, -.04, .03, -.06, .02, -.01, .045, -.025 };
	double base[8], new[8];
	struct comparison c[3];

	make_blocks(none, 8, base, new);
	assert_int_equal(compare_paired(base, new, 8, &throughput, &c[0]), 0);
	make_blocks(little, 8, base, new);
	assert_int_equal(compare_paired(base, new, 8, &throughput, &c[1]), 0);
	make_blocks(wide, 8, base, new);
	assert_int_equal(compare_paired(base, new, 8, &throughput, &c[2]), 0);
	assert_int_equal(compare_judge(c, 3), 0);
	assert_int_equal(c[0].verdict, VERDICT_SAME);
	assert_int_equal(c[1].verdict, VERDICT_BETTER);
	assert_true(c[1].small && !c[0].small && !c[2].small);
	assert_int_equal(c[2].verdict, VERDICT_INCONCLUSIVE);
	assert_true(c[2].detectable > 0.03 && c[2].detectable < 0.2);
	/* Inside the margin on one side only. */
	for (size_t i = 0; i < 8; i++) {
		base[i] = 100;
		new[i] = i < 3 ? 80 - (double) i : 100.1 + 0.01 * (double) i;
	}
	for (int exchanged = 0; exchanged < 2; exchanged++) {
		assert_int_equal(compare_paired(exchanged ? new : base, exchanged ? base : new, 8,
						&throughput, &c[1]),
				 0);
		assert_int_equal(compare_judge(&c[1], 1), 0);
		assert_true((c[1].high < 0.01) != (c[1].low > -0.01));
		assert_int_equal(c[1].verdict, VERDICT_INCONCLUSIVE);
	}
	assert_true(c[2].blocks_needed > 100 && c[0].blocks_needed <= 10);
}

/* 8 blocks that all agree reach .0078: enough for 6 metrics under Holm, not for 7. */
static void test_holm(void **state)
{
	static const double more[] = { .05, .06, .04, .07, .055, .045, .065, .052 };
	double base[8], new[8];
	struct comparison c[8];

	make_blocks(more, 8, base, new);
	for (size_t n = 1; n <= 7; n++) {
		struct compare_rule rule = throughput;

		for (size_t i = 0; i < n; i++)
			assert_int_equal(compare_paired(base, new, 8, &rule, &c[i]), 0);
		rule.primary = false; /* costs the primary ones nothing, gets no verdict */
		assert_int_equal(compare_paired(base, new, 8, &rule, &c[n]), 0);
		assert_int_equal(compare_judge(c, n + 1), 0);
		for (size_t i = 0; i < n; i++) {
			assert_same(c[i].p_adjusted, (double) n * 2 / 256);
			assert_int_equal(c[i].verdict,
					 n <= 6 ? VERDICT_BETTER : VERDICT_INCONCLUSIVE);
		}
		assert_int_equal(c[n].verdict, VERDICT_NONE);
		assert_same(c[n].p_adjusted, 2.0 / 256);
		assert_int_equal(isinf(c[0].detectable), n > 6);
	}
}

static void test_too_few(void **state)
{
	static const double more[] = { .05, .06, .04, .07, .055 };
	double base[5], new[5];
	struct comparison c;

	make_blocks(more, 5, base, new);
	assert_int_equal(compare_paired(base, new, 5, &throughput, &c), 0);
	assert_int_equal(compare_judge(&c, 1), 0);
	assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
	assert_true(c.low == -INFINITY && c.high == INFINITY && c.detectable == INFINITY);
	assert_true(c.effect > 0.04 && c.effect < 0.07);
	for (size_t n = 0; n < 3; n++) {
		assert_int_equal(compare_paired(base, new, n, &throughput, &c), 0);
		assert_int_equal(compare_judge(&c, 1), 0);
		assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
		assert_int_equal(isnan(c.effect) != 0, n == 0);
	}
	assert_int_equal(compare_judge(NULL, 0), 0);
}

static void test_equal_values(void **state)
{
	double base[8];
	struct comparison c;

	for (size_t i = 0; i < 8; i++)
		base[i] = 3 + (double) i;
	assert_int_equal(compare_paired(base, base, 8, &throughput, &c), 0);
	assert_int_equal(compare_judge(&c, 1), 0);
	assert_true(c.p == 1 && c.effect == 0 && c.low == 0 && c.high == 0 && c.n_used == 0);
	assert_int_equal(c.verdict, VERDICT_SAME);
	assert_true(c.detectable == 0);
	assert_int_equal(c.blocks_needed, 6);
}

static void test_censored(void **state)
{
	double base[10], new[10];
	struct comparison c;

	for (size_t i = 0; i < 10; i++) {
		base[i] = 0.1 + 0.001 * (double) i;
		new[i] = i < 3 ? INFINITY : 0.2 + 0.001 * (double) ((i * 3) % 10);
	}
	base[0] = INFINITY; /* neither reached it: equal as far as anyone can tell */
	assert_int_equal(compare_paired(base, new, 10, &duration, &c), 0);
	assert_int_equal(compare_judge(&c, 1), 0);
	assert_int_equal(c.verdict, VERDICT_WORSE);
	assert_int_equal(c.n_used, 9);
	assert_same(c.p, 2.0 / 512);
	assert_true(isfinite(c.effect) && c.effect > 0.5 && c.high == INFINITY && c.low > 0);
	assert_int_equal(compare_unpaired(base, 10, new, 10, &duration, &c), 0);
	assert_true(c.p < 0.01 && c.low > 0);
}

static void test_refused(void **state)
{
	double good[] = { 1, 2, 3 }, zero[] = { 1, 0, 3 }, not [] = { 1, NAN, 3 };
	struct compare_rule rule = throughput;
	struct order_check order;
	struct comparison c;
	bool first[3] = { false };

	assert_int_equal(compare_paired(good, zero, 3, &throughput, &c), -EDOM);
	assert_int_equal(compare_paired(zero, good, 3, &throughput, &c), -EDOM);
	assert_int_equal(compare_paired(good, zero, 3, &points, &c), 0);
	assert_int_equal(compare_paired(good, not, 3, &points, &c), -EINVAL);
	assert_int_equal(compare_unpaired(not, 3, good, 3, &points, &c), -EINVAL);
	assert_int_equal(compare_unpaired(good, 3, zero, 3, &throughput, &c), -EDOM);
	assert_int_equal(order_check(good, zero, first, 3, EFFECT_RATIO, &order), -EDOM);
	rule.margin = -1;
	assert_int_equal(compare_paired(good, good, 3, &rule, &c), -EINVAL);
	rule.margin = NAN;
	assert_int_equal(compare_unpaired(good, 3, good, 3, &rule, &c), -EINVAL);
	rule.margin = 0;
	rule.alpha = 1;
	assert_int_equal(compare_paired(good, good, 3, &rule, &c), -EINVAL);
}

static void test_unpaired(void **state)
{
	static const double base[] = { 10, 11, 12, 13, 14, 15, 16 };
	static const double new[] = { 20, 22, 24, 26, 28, 30 };
	struct comparison c[2];

	assert_int_equal(compare_unpaired(base, 7, new, 6, &throughput, &c[0]), 0);
	assert_int_equal(compare_unpaired(new, 6, base, 7, &duration, &c[1]), 0);
	assert_int_equal(compare_judge(c, 2), 0);
	assert_int_equal(c[0].verdict, VERDICT_BETTER);
	assert_int_equal(c[1].verdict, VERDICT_BETTER);
	assert_true(!c[0].paired && c[0].exact && c[0].n_base == 7 && c[0].n_new == 6);
	assert_near(c[0].p, 2.0 / 1716, 1e-12); /* 2 in C(13, 6) */
	assert_near((1 + c[0].effect) * (1 + c[1].effect), 1, 1e-14);
	assert_near((1 + c[0].low) * (1 + c[1].high), 1, 1e-14);
	/* The values needed a side are those of a difference with the sd of two. */
	assert_int_equal(c[0].blocks_needed,
			 blocks_to_show_same(log1p(0.01) / (sqrt(2) * c[0].sd), 0.05, POWER_USUAL));
	assert_near(c[0].detectable, expm1(detectable_unpaired(6, 7, 0.025, POWER_USUAL) * c[0].sd),
		    1e-12);
}

static void test_order(void **state)
{
	double base[12], new[12];
	bool new_first[12];
	struct order_check order;

	for (size_t i = 0; i < 12; i++) {
		new_first[i] = i % 2;
		base[i] = 100 + (double) i;
		new[i] = base[i] + (i % 2 ? -1 : 3) + 0.01 * (double) i;
	}
	assert_int_equal(order_check(base, new, new_first, 12, EFFECT_DIFFERENCE, &order), 0);
	assert_true(order.n_base_first == 6 && order.n_new_first == 6);
	assert_near(order.base_first, 3.05, 1e-12);
	assert_near(order.new_first, -0.94, 1e-12);
	assert_same(order.p, 2.0 / 924);
	assert_int_equal(order_check(base, new, new_first, 1, EFFECT_RATIO, &order), 0);
	assert_true(order.n_new_first == 0 && isnan(order.new_first) && order.p == 1);
}

static void test_names(void **state)
{
	assert_string_equal(verdict_name(VERDICT_BETTER), "better");
	assert_string_equal(verdict_name(VERDICT_WORSE), "worse");
	assert_string_equal(verdict_name(VERDICT_SAME), "same");
	assert_string_equal(verdict_name(VERDICT_INCONCLUSIVE), "inconclusive");
	assert_null(verdict_name(VERDICT_NONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_verdict), cmocka_unit_test(test_directions),
		cmocka_unit_test(test_same_and_small), cmocka_unit_test(test_holm),
		cmocka_unit_test(test_too_few),        cmocka_unit_test(test_equal_values),
		cmocka_unit_test(test_censored),       cmocka_unit_test(test_refused),
		cmocka_unit_test(test_unpaired),       cmocka_unit_test(test_order),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
