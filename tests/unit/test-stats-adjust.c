/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several metrics, and several looks. */
#include "test-stats.h"

#include <errno.h>
#include <stdlib.h>

#include "stats/adjust.h"
#include "stats/dist.h"
#include "stats/looks.h"

static void assert_all(const double *actual, const double *expected, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_same(actual[i], expected[i]);
}

static void test_five(void **state)
{
	static const double p[] = { .01, .02, .03, .04, .05 };
	static const double holm[] = { .05, .08, .09, .09, .09 };
	static const double bh[] = { .05, .05, .05, .05, .05 };
	double q[LENGTH(p)];

	assert_int_equal(adjust_holm(p, LENGTH(p), q), 0);
	assert_all(q, holm, LENGTH(p));
	assert_int_equal(adjust_bh(p, LENGTH(p), q), 0);
	assert_all(q, bh, LENGTH(p));
}

static void test_unsorted(void **state)
{
	static const double expected[] = { .015, .12, .044, .2, .12 };
	double p[] = { .003, .04, .011, .2, .047 };

	assert_int_equal(adjust_holm(p, LENGTH(p), p), 0); /* in place */
	assert_all(p, expected, LENGTH(p));
}

/* The list in Benjamini and Hochberg 1995. */
static void test_bh_1995(void **state)
{
	static const double p[] = { .0001, .0004, .0019, .0095, .0201, .0278, .0298, .0344,
				    .0459, .3240, .4262, .5719, .6528, .7590, 1 };
	static const double expected[] = {
		.0015, .003,  .0095, .035625, .0603, .0638571428571429, .0638571428571429,
		.0645, .0765, .486
	};
	double q[LENGTH(p)];

	assert_int_equal(adjust_bh(p, LENGTH(p), q), 0);
	assert_all(q, expected, LENGTH(expected));
	assert_true(q[14] == 1 && q[13] <= 1 && q[13] >= q[12]);
}

static void test_properties(void **state)
{
	srand48(1);
	for (int round = 0; round < 50; round++) {
		size_t n = 1 + (size_t) lrand48() % 20;
		double p[20], holm[20], bh[20];

		for (size_t i = 0; i < n; i++)
			p[i] = drand48() * drand48();
		assert_int_equal(adjust_holm(p, n, holm), 0);
		assert_int_equal(adjust_bh(p, n, bh), 0);
		for (size_t i = 0; i < n; i++) {
			assert_true(p[i] <= bh[i] && bh[i] <= holm[i] && holm[i] <= 1);
			for (size_t j = 0; j < n; j++)
				assert_true(p[i] > p[j] || (holm[i] <= holm[j] && bh[i] <= bh[j]));
		}
		assert_true(n > 1 || (holm[0] == p[0] && bh[0] == p[0]));
	}
}

static void test_refused(void **state)
{
	static const double bad[][2] = { { .5, NAN }, { -.1, .5 }, { .5, 1.01 } };
	double q[2];

	for (size_t i = 0; i < LENGTH(bad); i++) {
		assert_int_equal(adjust_holm(bad[i], 2, q), -EINVAL);
		assert_int_equal(adjust_bh(bad[i], 2, q), -EINVAL);
	}
	assert_int_equal(adjust_holm(NULL, 0, NULL), 0);
	assert_int_equal(adjust_bh(NULL, 0, NULL), 0);
}

/*
 * What all looks spend together: a random walk that stops at |S| >= c sqrt(looks), its density
 * carried from look to look by trapezoids.
 */
static double spent(unsigned int looks)
{
	enum { STEPS = 600 };
	double edge = -normal_quantile(looks_level(looks, looks) / 2) * sqrt(looks);
	double step = 2 * edge / STEPS, density[STEPS + 1], next[STEPS + 1], kept = 0;

	for (int i = 0; i <= STEPS; i++)
		density[i] = exp(-0.5 * pow(-edge + i * step, 2)) / sqrt(2 * M_PI);
	for (unsigned int look = 1; look < looks; look++) {
		for (int i = 0; i <= STEPS; i++) {
			next[i] = 0;
			for (int j = 0; j <= STEPS; j++)
				next[i] += (j % STEPS ? 1 : 0.5) * density[j] * step *
					   exp(-0.5 * pow((i - j) * step, 2)) / sqrt(2 * M_PI);
		}
		for (int i = 0; i <= STEPS; i++)
			density[i] = next[i];
	}
	for (int i = 0; i <= STEPS; i++)
		kept += (i % STEPS ? 1 : 0.5) * density[i] * step;
	return 1 - kept;
}

static void test_levels(void **state)
{
	assert_near(looks_level(1, 1), 0.05, 1e-12);
	assert_near(looks_level(1, 2), .0052, 0.01);
	assert_near(looks_level(2, 2), .0480, 0.002);
	assert_near(looks_level(1, 3), .00052, 0.005);
	assert_near(looks_level(2, 3), .0141, 0.003);
	assert_near(looks_level(3, 3), .0451, 0.001);
	for (unsigned int looks = 1; looks <= LOOKS_MAX; looks++)
		assert_near(spent(looks), 0.05, 0.005);
	assert_true(isnan(looks_level(0, 3)) && isnan(looks_level(4, 3)));
	assert_true(isnan(looks_level(1, 0)) && isnan(looks_level(1, LOOKS_MAX + 1)));
	assert_int_equal(looks_blocks(20, 1, 3), 7);
	assert_int_equal(looks_blocks(20, 2, 3), 14);
	assert_int_equal(looks_blocks(20, 3, 3), 20);
	assert_int_equal(looks_blocks(20, 1, 1), 20);
}

/* A martingale under the null: its mean over all equally likely signs stays 1. */
static void test_sign_martingale(void **state)
{
	double binomial;

	assert_near(sign_martingale(0, 0), 1, 1e-15);
	assert_near(sign_martingale(1, 1), 1, 1e-15);
	assert_near(sign_martingale(6, 6), 64.0 / 7, 1e-13);
	assert_near(sign_martingale(3, 10), sign_martingale(7, 10), 1e-13);
	for (size_t n = 1; n < 60; n++) {
		double mean = 0;

		binomial = pow(0.5, (double) n);
		for (size_t k = 0; k <= n; k++) {
			mean += binomial * sign_martingale(k, n);
			binomial *= (double) (n - k) / (double) (k + 1);
		}
		assert_near(mean, 1, 1e-11);
	}
	assert_true(isnan(sign_martingale(3, 2)));
	assert_true(sign_martingale(5000, 5000) == INFINITY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_five),
		cmocka_unit_test(test_unsorted),
		cmocka_unit_test(test_bh_1995),
		cmocka_unit_test(test_properties),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_sign_martingale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
