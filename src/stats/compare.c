/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the values of two configurations to an effect, its interval and a verdict. */
#include "stats/compare.h"

#include <errno.h>
#include <math.h>

#include "stats/adjust.h"
#include "stats/alloc.h"
#include "stats/describe.h"
#include "stats/power.h"
#include "stats/ranksum.h"
#include "stats/signedrank.h"

static int check_rule(const struct compare_rule *rule)
{
	bool ok = rule->margin >= 0 && isfinite(rule->margin) && rule->alpha > 0 && rule->alpha < 1;

	return ok ? 0 : -EINVAL;
}

static int check_values(const double *x, size_t n, enum effect kind)
{
	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]))
			return -EINVAL;
		if (kind == EFFECT_RATIO && x[i] <= 0)
			return -EDOM;
	}
	return 0;
}

/*
 * Exactly the negative of itself with base and new exchanged, and the same for equal ratios of
 * different values, which log(new) - log(base) would only nearly be; ties stay ties.
 */
static double difference(double base, double new, enum effect kind)
{
	if (base == new) /* two censored values too */
		return 0;
	if (kind == EFFECT_DIFFERENCE)
		return new - base;
	return new > base ? log(new / base) : -log(base / new);
}

static int differences(const double *base, const double *new, size_t n, enum effect kind,
		       double **ret_d)
{
	double *d;
	int r;

	r = check_values(base, n, kind);
	if (r == 0)
		r = check_values(new, n, kind);
	if (r < 0)
		return r;
	d = stats_doubles(n);
	if (!d)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		d[i] = difference(base[i], new[i], kind);
	*ret_d = d;
	return 0;
}

/* From the scale of analysis to the scale shown. An unbounded ratio stays -INFINITY rather than
 * -100 %. */
static double shown(double theta, enum effect kind)
{
	return kind == EFFECT_RATIO && isfinite(theta) ? expm1(theta) : theta;
}

/* A spread that a few censored values do not destroy. */
static int spread(const double *x, size_t n, double *ret_sd)
{
	*ret_sd = stats_sd(x, n);
	if (isfinite(*ret_sd) || n < 2)
		return 0;
	return stats_mad(x, n, ret_sd);
}

static void set_reach(struct comparison *c, double alpha)
{
	double unit, margin = c->rule.margin;
	size_t detect, same;

	c->detectable = NAN;
	c->blocks_needed = 0;
	if (!isfinite(c->sd))
		return;
	unit = c->paired ? detectable_paired(c->n_base, alpha, POWER_USUAL)
			 : detectable_unpaired(c->n_base, c->n_new, alpha, POWER_USUAL);
	/* Infinity times an sd of 0 has no value: too few blocks are too few for any effect. */
	c->detectable = isinf(unit) ? unit : shown(unit * c->sd, c->rule.kind);
	if (!(margin > 0))
		return;
	if (c->rule.kind == EFFECT_RATIO)
		margin = log1p(margin);
	/* Two lists of n values each know their difference as well as n blocks of d with sd sqrt(2)
	 * do. */
	unit = c->paired ? c->sd : M_SQRT2 * c->sd;
	if (!(unit > 0)) {
		c->blocks_needed = blocks_minimum(1, alpha);
		return;
	}
	detect = blocks_to_detect(margin / unit, alpha, POWER_USUAL);
	same = blocks_to_show_same(margin / unit, c->rule.alpha, POWER_USUAL);
	c->blocks_needed = !detect || !same ? 0 : detect > same ? detect : same;
}

int compare_differences(const double *d, size_t n, const struct compare_rule *rule,
			struct comparison *ret_comparison)
{
	struct signedrank test;
	struct comparison c;
	int r;

	r = check_rule(rule);
	if (r == 0)
		r = signedrank(d, n, rule->alpha, &test);
	if (r < 0)
		return r;
	c = (struct comparison) {
		.rule = *rule,
		.n_base = n,
		.n_new = n,
		.n_used = test.n_used,
		.effect = shown(test.estimate, rule->kind),
		.low = shown(test.low, rule->kind),
		.high = shown(test.high, rule->kind),
		.level = test.level,
		.p = test.p,
		.p_adjusted = test.p,
		.paired = true,
		.exact = test.exact,
	};
	r = spread(d, n, &c.sd);
	if (r < 0)
		return r;
	if (rule->primary)
		set_reach(&c, rule->alpha);
	*ret_comparison = c;
	return 0;
}

int compare_paired(const double *base, const double *new, size_t n, const struct compare_rule *rule,
		   struct comparison *ret_comparison)
{
	stats_cleanup_free double *d = NULL;
	int r;

	r = differences(base, new, n, rule->kind, &d);
	if (r < 0)
		return r;
	return compare_differences(d, n, rule, ret_comparison);
}

static int analysed(const double *x, size_t n, enum effect kind, double **ret_values)
{
	double *values;
	int r;

	r = check_values(x, n, kind);
	if (r < 0)
		return r;
	values = stats_doubles(n);
	if (!values)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		values[i] = kind == EFFECT_RATIO ? log(x[i]) : x[i];
	*ret_values = values;
	return 0;
}

/* Pooled over both lists; NaN if either is too short. */
static int pooled_sd(const double *x, size_t n_x, const double *y, size_t n_y, double *ret_sd)
{
	double sd_x, sd_y, df_x = (double) n_x - 1, df_y = (double) n_y - 1;
	int r;

	r = spread(x, n_x, &sd_x);
	if (r == 0)
		r = spread(y, n_y, &sd_y);
	if (r < 0)
		return r;
	*ret_sd = sqrt((df_x * sd_x * sd_x + df_y * sd_y * sd_y) / (df_x + df_y));
	return 0;
}

int compare_unpaired(const double *base, size_t n_base, const double *new, size_t n_new,
		     const struct compare_rule *rule, struct comparison *ret_comparison)
{
	stats_cleanup_free double *x = NULL, *y = NULL;
	struct ranksum test;
	struct comparison c;
	int r;

	r = check_rule(rule);
	if (r == 0)
		r = analysed(new, n_new, rule->kind, &x);
	if (r == 0)
		r = analysed(base, n_base, rule->kind, &y);
	if (r == 0)
		r = ranksum(x, n_new, y, n_base, rule->alpha, &test);
	if (r < 0)
		return r;
	c = (struct comparison) {
		.rule = *rule,
		.n_base = n_base,
		.n_new = n_new,
		.n_used = n_base + n_new,
		.effect = shown(test.shift, rule->kind),
		.low = shown(test.low, rule->kind),
		.high = shown(test.high, rule->kind),
		.level = test.level,
		.p = test.p,
		.p_adjusted = test.p,
		.exact = test.exact,
	};
	r = pooled_sd(x, n_new, y, n_base, &c.sd);
	if (r < 0)
		return r;
	if (rule->primary)
		set_reach(&c, rule->alpha);
	*ret_comparison = c;
	return 0;
}

int order_check(const double *base, const double *new, const bool *new_first, size_t n,
		enum effect kind, struct order_check *ret_check)
{
	stats_cleanup_free double *d = NULL, *first = stats_doubles(n), *second = stats_doubles(n);
	struct order_check check = { 0 };
	struct ranksum test;
	int r;

	if (!first || !second)
		return -ENOMEM;
	r = differences(base, new, n, kind, &d);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		if (new_first[i])
			second[check.n_new_first++] = d[i];
		else
			first[check.n_base_first++] = d[i];
	}
	r = ranksum(first, check.n_base_first, second, check.n_new_first, 0.05, &test);
	if (r < 0)
		return r;
	stats_sort(first, check.n_base_first);
	stats_sort(second, check.n_new_first);
	check.base_first = shown(stats_median(first, check.n_base_first), kind);
	check.new_first = shown(stats_median(second, check.n_new_first), kind);
	check.p = test.p;
	*ret_check = check;
	return 0;
}

/* Adjusts the p-values of the primary ones, or of the others, among themselves; returns how many
 * these are. */
static int adjust_some(struct comparison *c, size_t n, bool primary, size_t *ret_count)
{
	stats_cleanup_free double *p = stats_doubles(n);
	size_t count = 0;
	int r;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (c[i].rule.primary == primary)
			p[count++] = c[i].p;
	r = primary ? adjust_holm(p, count, p) : adjust_bh(p, count, p);
	if (r < 0)
		return r;
	*ret_count = count;
	count = 0;
	for (size_t i = 0; i < n; i++)
		if (c[i].rule.primary == primary)
			c[i].p_adjusted = p[count++];
	return 0;
}

static void judge(struct comparison *c)
{
	double margin = c->rule.margin;
	bool up = c->low > 0, down = c->high < 0;
	bool inside = c->low > -margin && c->high < margin;

	c->small = false;
	if (c->p_adjusted < c->rule.alpha && (up || down)) {
		c->verdict =
			up == (c->rule.better == BETTER_HIGHER) ? VERDICT_BETTER : VERDICT_WORSE;
		c->small = inside;
	} else {
		c->verdict = inside ? VERDICT_SAME : VERDICT_INCONCLUSIVE;
	}
}

int compare_judge(struct comparison *comparisons, size_t n)
{
	size_t n_primary, n_others;
	int r;

	r = adjust_some(comparisons, n, true, &n_primary);
	if (r == 0)
		r = adjust_some(comparisons, n, false, &n_others);
	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		struct comparison *c = &comparisons[i];

		c->verdict = VERDICT_NONE;
		if (!c->rule.primary)
			continue;
		judge(c);
		if (n_primary > 1)
			set_reach(c, c->rule.alpha / (double) n_primary);
	}
	return 0;
}

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_BETTER] = "better",
		[VERDICT_WORSE] = "worse",
		[VERDICT_SAME] = "same",
		[VERDICT_INCONCLUSIVE] = "inconclusive",
	};

	return (size_t) verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : NULL;
}
