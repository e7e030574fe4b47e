/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default test: reference values, all sign patterns for small n, symmetries, edge cases. */
#include "test-stats.h"

#include <errno.h>
#include <stdlib.h>

#include "stats/describe.h"
#include "stats/dist.h"
#include "stats/signedrank.h"

#define BRUTE_MAX 12

static void subtract(const double *x, const double *y, size_t n, double *ret_d)
{
	for (size_t i = 0; i < n; i++)
		ret_d[i] = x[i] - y[i];
}

static void test_depression(void **state)
{
	static const double x[] = DEPRESSION_X, y[] = DEPRESSION_Y;
	struct signedrank r;
	double d[LENGTH(x)];

	subtract(x, y, LENGTH(x), d);
	assert_int_equal(signedrank(d, LENGTH(x), 0.05, &r), 0);
	assert_int_equal(r.n, 9);
	assert_int_equal(r.n_used, 9);
	assert_same(r.v, 40);
	assert_same(r.p_greater, 0.01953125);
	assert_same(r.p, 0.0390625);
	assert_same(r.estimate, 0.46);
	assert_same(r.low, 0.010);
	assert_same(r.high, 0.786);
	assert_true(r.exact);
	assert_int_equal(signedrank(d, LENGTH(x), 0.10, &r), 0);
	assert_same(r.low, 0.175);
	assert_same(r.high, 0.726);
}

static void test_depression_ratio(void **state)
{
	static const double x[] = DEPRESSION_X, y[] = DEPRESSION_Y;
	struct signedrank r;
	double d[LENGTH(x)];

	for (size_t i = 0; i < LENGTH(x); i++)
		d[i] = log(x[i] / y[i]);
	assert_int_equal(signedrank(d, LENGTH(x), 0.05, &r), 0);
	assert_same(r.v, 39);
	assert_same(r.p, 0.0546875);
	assert_same(r.estimate, 0.325471826158883);
	assert_same(r.low, -0.00904291893098114);
	assert_same(r.high, 0.686610116372038);
}

static void test_sleep(void **state)
{
	static const double x[] = SLEEP_1, y[] = SLEEP_2;
	struct signedrank r;
	double d[LENGTH(x)];

	subtract(x, y, LENGTH(x), d);
	assert_int_equal(signedrank(d, LENGTH(x), 0.05, &r), 0);
	assert_int_equal(r.n, 10);
	assert_int_equal(r.n_used, 9);
	assert_same(r.p, 0.00390625);
}

static void test_worked_verdict(void **state)
{
	static const double d[] = { .012, .031, -.004, .022, .018, .027, .009, .015, .041, -.011 };
	struct signedrank r;

	assert_int_equal(signedrank(d, LENGTH(d), 0.05, &r), 0);
	assert_same(r.v, 51);
	assert_same(r.p, 0.013671875);
	assert_same(r.estimate, 0.0165);
	assert_near(100 * expm1(r.estimate), 1.664, 5e-4);
	assert_near(100 * expm1(r.low), 0.401, 2e-3);
	assert_near(100 * expm1(r.high), 2.737, 5e-4);
	assert_near(r.level, 0.951, 5e-4);
}

static void test_levels(void **state)
{
	static const struct {
		size_t n;
		double level;
	} expected[] = { { 6, 0.969 }, { 10, 0.951 }, { 20, 0.952 } };
	struct signedrank r;
	double d[20];

	for (size_t i = 0; i < LENGTH(d); i++)
		d[i] = (double) i + 1;
	for (size_t i = 0; i < LENGTH(expected); i++) {
		assert_int_equal(signedrank(d, expected[i].n, 0.05, &r), 0);
		assert_near(r.level, expected[i].level, 6e-4);
		assert_same(r.p, 2 * pow(0.5, (double) expected[i].n));
	}
}

/* V of d from its definition: the midrank of |d| counts the smaller ones, and half of the equal. */
static double v_of(const double *d, size_t n)
{
	double v = 0;

	for (size_t i = 0; i < n; i++) {
		double rank = 0.5;

		for (size_t j = 0; d[i] > 0 && j < n; j++) {
			if (d[j] == 0)
				continue;
			rank += fabs(d[j]) < fabs(d[i]) ? 1 : fabs(d[j]) == fabs(d[i]) ? 0.5 : 0;
		}
		v += d[i] > 0 ? rank : 0;
	}
	return v;
}

/* p by giving every subset of the values that are not 0 the other sign. */
static double brute_p(const double *d, size_t n)
{
	double flipped[BRUTE_MAX], v = v_of(d, n), less = 0, greater = 0, all = 0;

	for (unsigned int signs = 0; signs < 1u << n; signs++) {
		double w;

		for (size_t i = 0; i < n; i++)
			flipped[i] = signs >> i & 1 ? fabs(d[i]) : -fabs(d[i]);
		w = v_of(flipped, n);
		less += w <= v;
		greater += w >= v;
		all++;
	}
	return fmin(1, 2 * fmin(less, greater) / all);
}

static void test_brute_force(void **state)
{
	srand48(7);
	for (int round = 0; round < 60; round++) {
		size_t n = 1 + (size_t) round % 9;
		struct signedrank r;
		double d[BRUTE_MAX], sums[BRUTE_MAX * BRUTE_MAX];
		size_t m = 0;

		/* Few different values: ties and zeros in most rounds. */
		for (size_t i = 0; i < n; i++)
			d[i] = (double) (lrand48() % 7) - 2;
		assert_int_equal(signedrank(d, n, 0.05, &r), 0);
		assert_same(r.p, brute_p(d, n));
		assert_same(r.v, v_of(d, n));
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n; j++)
				sums[m++] = (d[i] + d[j]) / 2;
		stats_sort(sums, m);
		assert_near(r.estimate, stats_median(sums, m), 1e-15);
	}
}

/* Order statistics of the Walsh averages at the k that R's qsignrank() gives, for a longer list. */
static void test_interval_by_sorting(void **state)
{
	static const size_t sizes[] = { 6, 9, 10, 20, 30, 50, 60 };
	static double sums[60 * 61 / 2];

	srand48(11);
	for (size_t s = 0; s < LENGTH(sizes); s++) {
		size_t n = sizes[s], m = 0, k = (size_t) qsignrank(0.025, n);
		struct signedrank r;
		double d[60];

		for (size_t i = 0; i < n; i++)
			d[i] = drand48() - 0.3;
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n; j++)
				sums[m++] = (d[i] + d[j]) / 2;
		stats_sort(sums, m);
		assert_int_equal(signedrank(d, n, 0.05, &r), 0);
		assert_same(r.low, sums[k - 1]);
		assert_same(r.high, sums[m - k]);
		/* p and interval agree. */
		assert_int_equal(r.p <= 0.05, r.low > 0 || r.high < 0);
	}
}

static void test_symmetry(void **state)
{
	srand48(3);
	for (int round = 0; round < 40; round++) {
		size_t n = 1 + (size_t) lrand48() % 90;
		struct signedrank r, other, scaled;
		double d[90], negative[90], larger[90];

		for (size_t i = 0; i < n; i++) {
			d[i] = (double) (lrand48() % 1000) / 100 - 4;
			negative[n - 1 - i] = -d[i];
			larger[i] = 8 * d[i];
		}
		assert_int_equal(signedrank(d, n, 0.05, &r), 0);
		assert_int_equal(signedrank(negative, n, 0.05, &other), 0);
		assert_int_equal(signedrank(larger, n, 0.05, &scaled), 0);
		assert_true(r.p == other.p && r.p == scaled.p);
		assert_true(r.p_less == other.p_greater && r.p_greater == other.p_less);
		assert_true(r.estimate == -other.estimate && 8 * r.estimate == scaled.estimate);
		assert_true(r.low == -other.high && r.high == -other.low);
		assert_int_equal(r.exact, n <= RANKS_EXACT_MAX);
	}
}

static void test_edges(void **state)
{
	static const double zeros[8] = { 0 }, two[] = { 1, 2 }, bad[] = { 1, NAN };
	struct signedrank r;

	assert_int_equal(signedrank(NULL, 0, 0.05, &r), 0);
	assert_true(r.p == 1 && isnan(r.estimate) && isinf(r.low) && isinf(r.high) && r.level == 1);
	assert_int_equal(signedrank(two, 1, 0.05, &r), 0);
	assert_true(r.p == 1 && r.estimate == 1 && isinf(r.low) && isinf(r.high));
	assert_int_equal(signedrank(two, 2, 0.05, &r), 0);
	assert_true(r.p == 0.5 && r.estimate == 1.5 && r.low == -INFINITY && r.high == INFINITY);
	assert_int_equal(signedrank(zeros, 8, 0.05, &r), 0);
	assert_true(r.p == 1 && r.n_used == 0 && r.estimate == 0 && r.low == 0 && r.high == 0);
	assert_int_equal(signedrank(bad, 2, 0.05, &r), -EINVAL);
	assert_int_equal(signedrank(two, 2, 0, &r), -EINVAL);
	assert_int_equal(signedrank(two, 2, 1, &r), -EINVAL);
	assert_int_equal(signedrank(two, 2, NAN, &r), -EINVAL);
}

/* Censored values rank as the largest: p is that of any finite values as large. */
static void test_censored(void **state)
{
	double d[] = { .3, -.2, .5, INFINITY, .7, .1, INFINITY, .9, -.4, .6 };
	double finite[] = { .3, -.2, .5, 99, .7, .1, 99, .9, -.4, .6 };
	double both[] = { INFINITY, -INFINITY, INFINITY, -INFINITY, 1, -1, 2, -2 };
	double all[] = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
	struct signedrank r, f;

	assert_int_equal(signedrank(d, LENGTH(d), 0.05, &r), 0);
	assert_int_equal(signedrank(finite, LENGTH(d), 0.05, &f), 0);
	assert_true(r.p == f.p && r.v == f.v && r.estimate == f.estimate && r.low == f.low);
	assert_true(r.high == INFINITY && f.high > 40);
	assert_int_equal(signedrank(both, LENGTH(both), 0.05, &r), 0);
	assert_true(r.p == 1 && r.estimate == 0 && r.low == -INFINITY && r.high == INFINITY);
	assert_int_equal(signedrank(all, LENGTH(all), 0.05, &r), 0);
	assert_true(r.p == 2.0 / 128 && r.estimate == INFINITY && r.low == INFINITY);
}

/* At the border of the exact range the approximation is close, so nothing jumps there. */
static void test_normal_beyond(void **state)
{
	struct signedrank exact, normal;
	double d[61];

	for (size_t i = 0; i < LENGTH(d); i++)
		d[i] = (double) ((i * 37) % 61) - 22.25;
	assert_int_equal(signedrank(d, 60, 0.05, &exact), 0);
	assert_int_equal(signedrank(d, 61, 0.05, &normal), 0);
	assert_true(exact.exact && !normal.exact);
	assert_true(exact.p > 1e-4 && exact.p < 0.01);
	assert_near(normal.p, exact.p, 0.5);
	assert_near(normal.low, exact.low, 0.1);
	assert_near(normal.high, exact.high, 0.1);
	assert_near(normal.level, 0.95, 2e-3);
}

/* With ties: the variance of V is a quarter of the sum of the squared midranks. */
static void test_normal_ties(void **state)
{
	double d[90], v, variance = 0, total = 0;
	struct signedrank r;

	srand48(13);
	for (size_t i = 0; i < LENGTH(d); i++)
		d[i] = (double) (lrand48() % 6) - 2;
	assert_int_equal(signedrank(d, LENGTH(d), 0.05, &r), 0);
	assert_false(r.exact);
	for (size_t i = 0; i < LENGTH(d); i++) {
		double rank = 0.5;

		if (d[i] == 0)
			continue;
		for (size_t j = 0; j < LENGTH(d); j++)
			if (d[j] != 0)
				rank += fabs(d[j]) < fabs(d[i])    ? 1
					: fabs(d[j]) == fabs(d[i]) ? 0.5
								   : 0;
		variance += rank * rank / 4;
		total += rank;
	}
	v = v_of(d, LENGTH(d));
	assert_same(r.v, v);
	assert_same(r.p, 2 * normal_cdf(-(fabs(v - total / 2) - 0.5) / sqrt(variance)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depression),    cmocka_unit_test(test_depression_ratio),
		cmocka_unit_test(test_sleep),         cmocka_unit_test(test_worked_verdict),
		cmocka_unit_test(test_levels),        cmocka_unit_test(test_brute_force),
		cmocka_unit_test(test_symmetry),      cmocka_unit_test(test_interval_by_sorting),
		cmocka_unit_test(test_edges),         cmocka_unit_test(test_censored),
		cmocka_unit_test(test_normal_beyond), cmocka_unit_test(test_normal_ties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
