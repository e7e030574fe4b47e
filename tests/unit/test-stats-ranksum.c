/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two unpaired lists, and selection among pairwise sums. */
#include "test-stats.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stats/describe.h"
#include "stats/dist.h"
#include "stats/ranks.h"
#include "stats/ranksum.h"

static void test_permeability(void **state)
{
	static const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	static const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct ranksum r;

	assert_int_equal(ranksum(x, LENGTH(x), y, LENGTH(y), 0.05, &r), 0);
	assert_same(r.u, 35);
	assert_same(r.p_greater, 0.127206127206127);
	assert_same(r.p, 0.254412254412254);
	assert_same(r.shift, 0.305);
	assert_same(r.low, -0.15);
	assert_same(r.high, 0.76);
	assert_true(r.exact);
	assert_same(ranksum_p_normal(r.u, LENGTH(x), LENGTH(y), 0, true), 0.244623605126983);
	assert_same(ranksum_p_normal(r.u, LENGTH(x), LENGTH(y), 0, false), 0.220671361919847);
}

/* R's airquality, Ozone in May and August. */
static void test_airquality(void **state)
{
	double may[] = { 41, 36, 12, 18, 28, 23, 19, 8, 7,  16, 11, 14,  18,
			 14, 34, 6,  30, 11, 1,  11, 4, 32, 23, 45, 115, 37 };
	double august[] = { 39, 9,  16, 78, 35, 66, 122, 89,  110, 44, 28,  65, 22,
			    59, 23, 31, 44, 21, 9,  45,  168, 73,  76, 118, 84, 85 };
	struct merged_ranks merged;
	struct ranksum r;

	assert_int_equal(ranksum(may, LENGTH(may), august, LENGTH(august), 0.05, &r), 0);
	assert_same(r.u, 127.5);
	stats_sort(may, LENGTH(may));
	stats_sort(august, LENGTH(august));
	merged = merge_ranks(may, LENGTH(may), august, LENGTH(august), NULL);
	assert_same(ranksum_p_normal(r.u, LENGTH(may), LENGTH(august), merged.ties, true),
		    1.20807830768774e-4);
	assert_near(r.p, 1.2e-4, 0.5); /* exact here, hence near that, not equal */
}

static void test_sleep(void **state)
{
	static const double x[] = SLEEP_1, y[] = SLEEP_2;
	struct ranksum r;

	assert_int_equal(ranksum(x, LENGTH(x), y, LENGTH(y), 0.05, &r), 0);
	assert_same(r.p, 0.0658165364047717);
}

/* U of the set of pooled values in x against the rest, from its definition. */
static double u_of(const double *pooled, size_t n, unsigned int in_x)
{
	double u = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			if ((in_x >> i & 1) && !(in_x >> j & 1))
				u += pooled[i] > pooled[j] ? 1 : pooled[i] == pooled[j] ? 0.5 : 0;
	return u;
}

static void test_brute_force(void **state)
{
	srand48(5);
	for (int round = 0; round < 50; round++) {
		size_t n_x = 1 + (size_t) lrand48() % 5, n_y = 1 + (size_t) lrand48() % 5;
		size_t n = n_x + n_y, m = 0;
		double pooled[10], less = 0, greater = 0, all = 0, u, d[25];
		struct ranksum r;

		for (size_t i = 0; i < n; i++)
			pooled[i] = (double) (lrand48() % 6);
		assert_int_equal(ranksum(pooled, n_x, pooled + n_x, n_y, 0.05, &r), 0);
		u = u_of(pooled, n, (1u << n_x) - 1);
		assert_same(r.u, u);
		for (unsigned int set = 0; set < 1u << n; set++) {
			double v;

			if (__builtin_popcount(set) != (int) n_x)
				continue;
			v = u_of(pooled, n, set);
			less += v <= u;
			greater += v >= u;
			all++;
		}
		assert_same(r.p, fmin(1, 2 * fmin(less, greater) / all));
		for (size_t i = 0; i < n_x; i++)
			for (size_t j = 0; j < n_y; j++)
				d[m++] = pooled[i] - pooled[n_x + j];
		stats_sort(d, m);
		assert_near(r.shift, stats_median(d, m), 0);
	}
}

static void test_symmetry(void **state)
{
	srand48(9);
	for (int round = 0; round < 20; round++) {
		size_t n_x = 1 + (size_t) lrand48() % 70, n_y = 1 + (size_t) lrand48() % 70;
		double x[70], y[70], moved[70];
		struct ranksum r, other, shifted;

		for (size_t i = 0; i < 70; i++) {
			x[i] = (double) (lrand48() % 64) / 8;
			y[i] = (double) (lrand48() % 64) / 8 + 1;
			moved[i] = x[i] + 16;
		}
		assert_int_equal(ranksum(x, n_x, y, n_y, 0.05, &r), 0);
		assert_int_equal(ranksum(y, n_y, x, n_x, 0.05, &other), 0);
		assert_int_equal(ranksum(moved, n_x, y, n_y, 0.05, &shifted), 0);
		assert_near(r.p, other.p, 1e-12);
		assert_near(r.p_less, other.p_greater, 1e-12);
		assert_true(r.shift == -other.shift && r.shift + 16 == shifted.shift);
		assert_true(r.low == -other.high && r.high + 16 == shifted.high);
		assert_near(r.u + other.u, (double) (n_x * n_y), 1e-15);
	}
}

static void test_edges(void **state)
{
	static const double x[] = { 1, 2, 3 }, bad[] = { NAN }, equal[] = { 5, 5, 5, 5 };
	static const double late[] = { 4, INFINITY, 5, INFINITY, 6 };
	static const double early[] = { 1, 2, INFINITY, 3, 0 };
	struct ranksum r;

	assert_int_equal(ranksum(NULL, 0, x, 3, 0.05, &r), 0);
	assert_true(r.p == 1 && isnan(r.shift) && r.low == -INFINITY && r.high == INFINITY);
	assert_int_equal(ranksum(x, 1, x + 2, 1, 0.05, &r), 0);
	assert_true(r.p == 1 && r.shift == -2 && r.low == -INFINITY && r.high == INFINITY);
	assert_int_equal(ranksum(equal, 4, equal, 4, 0.05, &r), 0);
	assert_true(r.p == 1 && r.shift == 0 && r.low == 0 && r.high == 0 && r.u == 8);
	assert_int_equal(ranksum(x, 3, bad, 1, 0.05, &r), -EINVAL);
	assert_int_equal(ranksum(bad, 1, x, 3, 0.05, &r), -EINVAL);
	assert_int_equal(ranksum(x, 3, x, 3, 1.5, &r), -EINVAL);
	assert_int_equal(ranksum(late, 5, early, 5, 0.05, &r), 0);
	assert_same(r.u, 21); /* 3 finite x 4 finite, 2 x (4 + half of one) = 12 + 9 */
	assert_true(r.shift > 0 && r.high == INFINITY);
}

static double some_value(int shape)
{
	double u = drand48();

	switch (shape) {
	case 0:
		return normal_quantile(fmax(u, 1e-12));
	case 1:
		return floor(8 * u);
	case 2: /* over hundreds of powers of ten, of either sign */
		return (drand48() < 0.5 ? -1 : 1) * pow(10, 600 * u - 300);
	case 3: /* censored at either end */
		return u < 0.2 ? -INFINITY : u > 0.7 ? INFINITY : u;
	case 4: /* one far away */
		return u < 0.005 ? 1e300 : u;
	default: /* denormal numbers */
		return 1000 * u * 5e-324;
	}
}

/* More sums than are collected at once, so that pivots are needed; every shape, both kinds of sum.
 */
static void test_selection(void **state)
{
	enum { NA = 220, NB = 130 };
	static double all[NA * NB > NA * (NA + 1) / 2 ? NA * NB : NA * (NA + 1) / 2];
	double a[NA], b[NB], value;

	srand48(21);
	for (int shape = 0; shape < 6; shape++)
		for (int triangle = 0; triangle < 2; triangle++) {
			struct pair_sums sums = { .a = a, .na = NA };
			size_t n = 0;

			for (size_t i = 0; i < NA; i++)
				a[i] = some_value(shape);
			for (size_t i = 0; i < NB; i++)
				b[i] = some_value(shape);
			stats_sort(a, NA);
			stats_sort(b, NB);
			if (!triangle) {
				sums.b = b;
				sums.nb = NB;
			}
			for (size_t i = 0; i < NA; i++)
				for (size_t j = triangle ? i : 0; j < (triangle ? NA : NB); j++) {
					all[n] = a[i] + (triangle ? a[j] : b[j]);
					if (isnan(all[n]))
						all[n] = 0;
					n++;
				}
			stats_sort(all, n);
			assert_int_equal(pair_sums_count(&sums), n);
			for (size_t k = 1; k <= n; k += k < 4 || k > n - 4 ? 1 : 1009) {
				assert_int_equal(pair_sums_select(&sums, k, &value), 0);
				assert_true(value == all[k - 1]);
			}
			assert_int_equal(pair_sums_median(&sums, &value), 0);
			assert_true(value == stats_median(all, n));
			assert_int_equal(pair_sums_select(&sums, 0, &value), -EINVAL);
			assert_int_equal(pair_sums_select(&sums, n + 1, &value), -EINVAL);
		}
}

/* 10^10 differences, symmetric about 0.25 by construction. */
static void test_many(void **state)
{
	enum { N = 100000 };
	double *x = calloc(N, sizeof(*x)), *y = calloc(N, sizeof(*y));
	struct ranksum r;

	assert_non_null(x);
	assert_non_null(y);
	for (size_t i = 0; i < N; i++) {
		x[i] = (double) (i * 7919 % N) / 1024;
		y[i] = (double) (i * 104729 % N) / 1024 - 0.25;
	}
	assert_int_equal(ranksum(x, N, y, N, 0.05, &r), 0);
	assert_false(r.exact);
	assert_true(r.shift == 0.25);
	assert_near(r.low + r.high, 0.5, 1e-12);
	/* Uniform over W: the standard error of the shift is W / sqrt(6 N). */
	assert_near(r.high - r.low, 2 * 1.96 * N / 1024.0 / sqrt(6.0 * N), 0.02);
	assert_near(r.level, 0.95, 1e-6);
	free(x);
	free(y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_permeability), cmocka_unit_test(test_airquality),
		cmocka_unit_test(test_sleep),        cmocka_unit_test(test_brute_force),
		cmocka_unit_test(test_symmetry),     cmocka_unit_test(test_edges),
		cmocka_unit_test(test_selection),    cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
