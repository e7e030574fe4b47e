/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decision about one metric of one configuration against the baseline. Computing and judging
 * are two steps, because a verdict needs the p-values of all primary comparisons: compare_paired()
 * or compare_unpaired() for each metric, then compare_judge() once over all of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/metric.h"

enum verdict {
	VERDICT_NONE, /* not a primary metric, or not judged yet */
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_SAME,
	VERDICT_INCONCLUSIVE,
};

/* What is fixed about a comparison before the first run. */
struct compare_rule {
	enum effect kind;
	enum better better; /* not BETTER_NONE where primary */
	double margin;      /* >= 0; less than this does not matter: a fraction, or in the unit */
	double alpha;       /* two-sided error, 0.05 or the level of this look (looks.h) */
	bool primary;
};

struct comparison {
	struct compare_rule rule;
	size_t n_base, n_new; /* values; of blocks the same number twice */
	size_t n_used;        /* blocks whose values differ; without blocks n_base + n_new */
	double effect;        /* the estimate, a fraction or in the unit; NaN without values */
	double low, high;     /* its interval; infinite: unbounded (too few, or censored) */
	double level;         /* what the interval really covers */
	double p;             /* two-sided, of this comparison alone */
	double p_adjusted;    /* after compare_judge(): Holm's for primary, BH's q for others */
	double sd; /* of the analysed values; of censored ones scaled from their MAD, or NaN */
	double detectable; /* the effect found with 80 % power; INFINITY: none; NaN: sd unknown */
	size_t blocks_needed; /* to find an effect of the margin and to show none; 0: unknown */
	bool paired;          /* false: drift is not controlled, and reports must say so */
	bool exact;           /* the p-value is not an approximation */
	bool small; /* better or worse, but by less than the margin in the whole interval */
	enum verdict verdict;
};

/*
 * Blocks, n of each list, block i at [i] in both. Ratios need positive values, INFINITY (censored)
 * among them; two censored values of a block count as equal. Returns 0, -EINVAL (NaN; a margin that
 * is not a number >= 0; alpha outside (0, 1)), -EDOM (a ratio with a value <= 0) or -ENOMEM.
 */
int compare_paired(const double *base, const double *new, size_t n, const struct compare_rule *rule,
		   struct comparison *ret_comparison);

/*
 * One number per block that is already on the scale of analysis: ln(new / base) for ratios, new -
 * base otherwise. Returns as above.
 */
int compare_differences(const double *d, size_t n, const struct compare_rule *rule,
			struct comparison *ret_comparison);

/* Two lists that were not interleaved. Returns as above. */
int compare_unpaired(const double *base, size_t n_base, const double *new, size_t n_new,
		     const struct compare_rule *rule, struct comparison *ret_comparison);

/*
 * Adjusts the p-values and gives the verdicts. Primary: better or worse if the adjusted p < alpha
 * and the interval excludes 0; else same if the interval lies inside the margin; else inconclusive.
 * blocks_needed of two lists is the number of values of each. Sets detectable and blocks_needed of
 * primary ones for the strictest level that Holm may ask of them, alpha / their number. Returns 0
 * or -ENOMEM.
 */
int compare_judge(struct comparison *comparisons, size_t n);

/* "better", "worse", "same", "inconclusive"; NULL for VERDICT_NONE. */
const char *verdict_name(enum verdict verdict);

/* Whether it mattered which of the two ran first: the effect in blocks of either order. */
struct order_check {
	size_t n_base_first, n_new_first;
	double base_first, new_first; /* median effects as in comparisons; NaN without blocks */
	double p;                     /* Mann-Whitney between the two, two-sided */
};

/*
 * new_first[i]: in block i the new configuration ran before the baseline. Returns as
 * compare_paired().
 */
int order_check(const double *base, const double *new, const bool *new_first, size_t n,
		enum effect kind, struct order_check *ret_check);
