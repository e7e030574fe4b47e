/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distribution functions against R's values, their own inverses, and enumeration. */
#include "test-stats.h"

#include <errno.h>
#include <stdlib.h>

#include "stats/dist.h"

static void test_normal(void **state)
{
	assert_near(normal_quantile(0.975), 1.95996398454005, 1e-13);
	assert_near(normal_quantile(1e-10), -6.36134090240406, 1e-13);
	assert_near(normal_cdf(-8), 6.22096057427178e-16, 1e-13);
	assert_near(normal_cdf(0), 0.5, 0);
	for (double p = 1e-300; p < 1; p *= 1.7)
		assert_near(normal_cdf(normal_quantile(p)), p, 1e-12);
	for (double p = 0.001; p < 0.5; p += 0.013)
		assert_near(normal_quantile(1 - p), -normal_quantile(p), 1e-12);
	assert_true(normal_quantile(0) == -INFINITY && normal_quantile(1) == INFINITY);
	assert_true(isnan(normal_quantile(-0.1)) && isnan(normal_quantile(NAN)));
}

static void test_t(void **state)
{
	static const struct {
		double df, t;
	} upper[] = {
		{ 1, 12.7062047361747 },   { 2, 4.30265272974946 },    { 5, 2.57058183563631 },
		{ 9, 2.2621571627982 },    { 19, 2.09302405440831 },   { 29, 2.0452296421327 },
		{ 100, 1.98397151852355 }, { 1e12, 1.95996398454005 },
	};

	for (size_t i = 0; i < LENGTH(upper); i++) {
		assert_near(t_quantile(0.975, upper[i].df), upper[i].t, 1e-13);
		assert_near(t_quantile(0.025, upper[i].df), -upper[i].t, 1e-13);
		assert_near(t_cdf(-upper[i].t, upper[i].df), 0.025, 1e-12);
	}
	assert_near(t_cdf(1, 3.5), 0.809331373218277, 1e-13);
	assert_near(t_cdf(0, 3.5), 0.5, 1e-15);
	assert_true(t_cdf(-INFINITY, 4) == 0 && t_cdf(INFINITY, 4) == 1);
	assert_true(t_quantile(0.5, 3) == 0 && t_quantile(0, 3) == -INFINITY);
	assert_true(isnan(t_cdf(1, 0)) && isnan(t_cdf(NAN, 3)) && isnan(t_quantile(1.5, 3)));
	/* Closed forms: Cauchy, and df = 2. */
	for (double p = 1e-8; p < 0.5; p *= 3) {
		assert_near(t_quantile(p, 1), -1 / tan(M_PI * p), 1e-12);
		assert_near(t_quantile(p, 2), (2 * p - 1) / sqrt(2 * p * (1 - p)), 1e-12);
	}
}

static void test_beta_and_f(void **state)
{
	/* I_x(a, 1) = x^a; F with 2 and df: (1 + 2 f / df)^(-df / 2). */
	for (double x = 0.05; x < 1; x += 0.1) {
		assert_near(beta_cdf(x, 1 - x, 3.7, 1), pow(x, 3.7), 1e-12);
		assert_near(beta_cdf(x, 1 - x, 2, 5) + beta_cdf(1 - x, x, 5, 2), 1, 1e-13);
		assert_near(f_upper(10 * x, 2, 9), pow(1 + 20 * x / 9, -4.5), 1e-12);
	}
	assert_true(beta_cdf(0, 1, 2, 3) == 0 && beta_cdf(1, 0, 2, 3) == 1);
	assert_true(isnan(beta_cdf(0.5, 0.5, 0, 1)) && isnan(f_upper(-1, 2, 3)));
	assert_near(ln_beta(3, 4), log(1.0 / 60), 1e-14);
	assert_near(ln_beta(0.5, 0.5), log(M_PI), 1e-14);
	/* Both sides of the switch to the asymptotic series. */
	assert_near(ln_beta(59.9999999999, 0.5), ln_beta(60, 0.5), 1e-11);
}

static void test_shifted_t(void **state)
{
	static const double dfs[] = { 1, 2.5, 9, 38, 200 };

	for (size_t i = 0; i < LENGTH(dfs); i++)
		for (double t = -3; t < 4; t += 0.7) {
			assert_near(t_cdf_shifted(t, dfs[i], 0), t_cdf(t, dfs[i]), 1e-11);
			assert_true(t_cdf_shifted(t, dfs[i], 1) < t_cdf_shifted(t, dfs[i], 0.9));
			/* R. A. Fisher: at t = 0 only the normal part is left. */
			assert_near(t_cdf_shifted(0, dfs[i], t), normal_cdf(-t), 1e-12);
		}
	assert_true(isnan(t_cdf_shifted(1, -1, 0)));
}

static void test_signrank(void **state)
{
	static const struct {
		size_t n;
		double q;
	} quantile[] = { { 6, 1 }, { 9, 6 }, { 10, 9 }, { 20, 53 }, { 30, 138 }, { 50, 435 } };

	assert_near(psignrank(10, 9), 0.08203125, 1e-15);
	assert_near(psignrank(52, 20), 0.0242204666137695, 1e-14);
	for (size_t i = 0; i < LENGTH(quantile); i++) {
		double error;

		assert_near(qsignrank(0.025, quantile[i].n), quantile[i].q, 0);
		assert_int_equal(signrank_bound(quantile[i].n, 0.05, &error), quantile[i].q);
		assert_true(error <= 0.05);
		assert_near(error, 2 * psignrank(quantile[i].q - 1, quantile[i].n), 1e-14);
	}
	assert_true(psignrank(-1, 5) == 0 && psignrank(15, 5) == 1 && psignrank(14.5, 5) < 1);
	assert_true(psignrank(0, 0) == 1);
	assert_true(isnan(psignrank(1, RANKS_EXACT_MAX + 1)) && isnan(qsignrank(0.5, 61)));
	/* Symmetric about n (n + 1) / 4. */
	for (int v = 0; v < 1830; v += 61)
		assert_near(psignrank(v, 60) + psignrank(1829 - v, 60), 1, 1e-13);
}

/* Sums of every choice of m of n weights, counted one by one. */
static void test_chosen_sums(void **state)
{
	static const unsigned int weights[] = { 0, 0, 3, 3, 5, 8, 8, 13 };
	const size_t n = LENGTH(weights);

	for (size_t m = 0; m <= n; m++) {
		double counts[41] = { 0 }, all = 0, *prob;
		size_t len;

		for (unsigned int set = 0; set < 1u << n; set++) {
			size_t sum = 0;

			if (__builtin_popcount(set) != (int) m)
				continue;
			for (size_t i = 0; i < n; i++)
				sum += set >> i & 1 ? weights[i] : 0;
			counts[sum]++;
			all++;
		}
		assert_int_equal(chosen_sum_distribution(weights, n, m, &prob, &len), 0);
		assert_true(len <= LENGTH(counts));
		for (size_t s = 0; s < LENGTH(counts); s++)
			assert_near(s < len ? prob[s] : 0, counts[s] / all, 1e-14);
		free(prob);
	}
}

static void test_wilcox(void **state)
{
	static const unsigned int falling[] = { 2, 1 };
	double p, q, error, *prob;
	size_t k, len;

	/* U <= 0: one order of C(8, 3). */
	assert_int_equal(pwilcox(0, 3, 5, &p), 0);
	assert_near(p, 1.0 / 56, 1e-14);
	assert_int_equal(pwilcox(35 - 1, 10, 5, &p), 0);
	assert_near(1 - p, 0.127206127206127, 1e-13); /* permeability, one-sided */
	assert_int_equal(pwilcox(1000, 60, 60, &p), 0);
	assert_int_equal(pwilcox(3600 - 1001, 60, 60, &q), 0);
	assert_near(p + q, 1, 1e-12);
	assert_int_equal(pwilcox(0, 61, 3, &p), -EINVAL);
	assert_int_equal(pwilcox(NAN, 6, 3, &p), -EINVAL);
	assert_int_equal(chosen_sum_distribution(falling, 2, 1, &prob, &len), -EINVAL);
	assert_int_equal(chosen_sum_distribution(falling, 2, 3, &prob, &len), -EINVAL);

	assert_int_equal(wilcox_bound(10, 10, 0.05, &k, &error), 0);
	assert_int_equal(k, 24); /* qwilcox(.025, 10, 10) */
	assert_int_equal(pwilcox(23, 10, 10, &p), 0);
	assert_near(error, 2 * p, 1e-13);
	assert_int_equal(wilcox_bound(3, 3, 0.05, &k, &error), 0);
	assert_int_equal(k, 0); /* 2 / C(6, 3) is above 0.05 */
	assert_true(error == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal),     cmocka_unit_test(test_t),
		cmocka_unit_test(test_beta_and_f), cmocka_unit_test(test_shifted_t),
		cmocka_unit_test(test_signrank),   cmocka_unit_test(test_chosen_sums),
		cmocka_unit_test(test_wilcox),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
