/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power of t and rank tests, and the number of blocks that a plan needs. */
#include "stats/power.h"

#include <math.h>

#include "stats/dist.h"

/* Asymptotic efficiency of the rank tests relative to the t tests under normality. */
#define RANK_EFFICIENCY (3 / M_PI)

/* P(T > critical value): shift is the true effect over the standard error of its estimate. */
static double power_of_shift(double shift, double df, double alpha)
{
	return t_cdf_shifted(t_quantile(alpha / 2, df), df, -shift);
}

/* The shift found with this power, by bisection; power grows with it. */
static double shift_of_power(double df, double alpha, double power)
{
	double low = 0, high = 1;

	while (power_of_shift(high, df, alpha) < power && high < 1e9)
		high *= 2;
	for (int i = 0; i < 32; i++) {
		double middle = 0.5 * (low + high);

		if (power_of_shift(middle, df, alpha) < power)
			low = middle;
		else
			high = middle;
	}
	return 0.5 * (low + high);
}

static bool level_ok(double alpha, double power)
{
	return alpha > 0 && alpha < 1 && power > alpha / 2 && power < 1;
}

double power_t_test(double n, double delta, double alpha, bool paired)
{
	if (!(n >= 2) || !(delta >= 0) || !(alpha > 0 && alpha < 1))
		return NAN;
	if (paired)
		return power_of_shift(delta * sqrt(n), n - 1, alpha);
	return power_of_shift(delta * sqrt(n / 2), 2 * (n - 1), alpha);
}

double power_t_test_n(double delta, double alpha, double power, bool paired)
{
	double low = 2, high = 1e7;

	if (!level_ok(alpha, power) || !(delta > 0))
		return NAN;
	if (power_t_test(high, delta, alpha, paired) < power)
		return NAN;
	for (int i = 0; i < 100 && high - low > 1e-13 * high; i++) {
		double middle = sqrt(low) * sqrt(high);

		if (power_t_test(middle, delta, alpha, paired) < power)
			low = middle;
		else
			high = middle;
	}
	return 0.5 * (low + high);
}

double detectable_paired(size_t n, double alpha, double power)
{
	if (!level_ok(alpha, power))
		return NAN;
	if (n < blocks_minimum(1, alpha))
		return INFINITY;
	return shift_of_power((double) n - 1, alpha, power) / sqrt((double) n * RANK_EFFICIENCY);
}

/* n over k, as far as doubles go: INFINITY beyond. */
static double binomial(size_t n, size_t k)
{
	double ways = 1;

	for (size_t i = 1; i <= k && ways < INFINITY; i++)
		ways *= (double) (n - k + i) / (double) i;
	return ways;
}

double detectable_unpaired(size_t n_x, size_t n_y, double alpha, double power)
{
	double x = (double) n_x, y = (double) n_y;

	if (!level_ok(alpha, power))
		return NAN;
	/* No order of the values is rarer than 2 in C(n_x + n_y, n_x). */
	if (n_x < 1 || n_y < 1 || 2 / binomial(n_x + n_y, n_x) > alpha)
		return INFINITY;
	return shift_of_power(x + y - 2, alpha, power) * sqrt((1 / x + 1 / y) / RANK_EFFICIENCY);
}

struct same {
	double margin; /* in standard errors */
	double t;
};

static double same_given_sd(double s, const void *arg)
{
	const struct same *same = arg;
	double room = same->margin - same->t * s;

	return room > 0 ? 1 - 2 * normal_cdf(-room) : 0;
}

double same_chance(size_t n, double margin, double alpha)
{
	struct same same = { .margin = margin * sqrt((double) n * RANK_EFFICIENCY) };

	if (!(alpha > 0 && alpha < 1) || !(margin >= 0))
		return NAN;
	if (n < blocks_minimum(1, alpha))
		return 0;
	same.t = t_quantile(1 - alpha / 2, (double) n - 1);
	return sd_ratio_mean((double) n - 1, same_given_sd, &same);
}

size_t blocks_minimum(size_t c, double alpha)
{
	double least = 2;
	size_t n = 0;

	if (!(alpha > 0 && alpha < 1))
		return 0;
	while (least > alpha / (double) (c ? c : 1)) {
		least /= 2;
		n++;
	}
	return n;
}

static double detect_chance(size_t n, double effect, double alpha)
{
	return power_of_shift(effect * sqrt((double) n * RANK_EFFICIENCY), (double) n - 1, alpha);
}

/* The smallest n from the minimum on at which chance(n) reaches power; chance grows with n. */
static size_t blocks_until(double (*chance)(size_t n, double effect, double alpha), double effect,
			   double alpha, double power)
{
	size_t low = blocks_minimum(1, alpha), high = BLOCKS_MAX;

	if (!level_ok(alpha, power) || !(effect > 0) || chance(high, effect, alpha) < power)
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (chance(middle, effect, alpha) < power)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t blocks_to_detect(double effect, double alpha, double power)
{
	return blocks_until(detect_chance, effect, alpha, power);
}

size_t blocks_to_show_same(double margin, double alpha, double power)
{
	return blocks_until(same_chance, margin, alpha, power);
}
