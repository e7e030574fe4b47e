/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/macro.h"
#include "stats/compare.h"

static int compute(const struct judge_input *in, double alpha, struct comparison *ret)
{
	struct compare_rule rule = {
		.kind = in->ratio ? EFFECT_RATIO : EFFECT_DIFFERENCE,
		.better = in->higher_better ? BETTER_HIGHER : BETTER_LOWER,
		.margin = in->margin,
		.alpha = alpha,
		.primary = in->primary,
	};
	int r;

	if (in->paired)
		r = compare_paired(in->base, in->new, in->n_base, &rule, ret);
	else
		r = compare_unpaired(in->base, in->n_base, in->new, in->n_new, &rule, ret);
	if (r != -EDOM)
		return r;
	/* No ratio to 0: as if there were no values, so that its place in the adjustment is kept (p
	 * = 1). */
	r = compare_differences(NULL, 0, &rule, ret);
	ret->paired = in->paired;
	return r;
}

static struct judged result(const struct comparison *c)
{
	return (struct judged) {
		.blocks = c->paired ? c->n_base : 0,
		.n_base = c->n_base,
		.n_new = c->n_new,
		.paired = c->paired,
		.exact = c->exact,
		.small = c->small,
		.effect = c->effect,
		.low = c->low,
		.high = c->high,
		.p = c->p,
		.p_adjusted = c->p_adjusted,
		.margin = c->rule.margin,
		.detectable = c->detectable,
		.blocks_needed = c->blocks_needed,
		.verdict = verdict_name(c->verdict),
	};
}

int judge_all(const struct judge_input *inputs, size_t n, double alpha, struct judged *ret)
{
	_cleanup_free_ struct comparison *comparisons = calloc(n ? n : 1, sizeof(*comparisons));
	int r = comparisons ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < n; i++)
		r = compute(&inputs[i], alpha, &comparisons[i]);
	if (r == 0)
		r = compare_judge(comparisons, n);
	for (size_t i = 0; r == 0 && i < n; i++)
		ret[i] = result(&comparisons[i]);
	return r;
}
