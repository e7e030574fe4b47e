/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bridge from an experiment's pairs of values to the statistics: hands them to stats/, and
 * takes back what a report shows. Not for other folders.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define JUDGE_ALPHA 0.05

struct judge_input {
	double *base, *new; /* of block i both at [i], or two lists on their own; no NaN */
	size_t n_base, n_new;
	bool paired;
	bool ratio; /* else a difference */
	bool higher_better;
	bool primary;
	double margin; /* a fraction or in the unit; 0: no difference is too small to matter */
};

struct judged {
	size_t blocks; /* pairs; 0 where they were not paired */
	size_t n_base, n_new;
	bool paired, exact;
	bool small;       /* better or worse, but all of the interval within the margin */
	double effect;    /* NaN: there is none (no values, or a ratio to 0) */
	double low, high; /* infinite where the interval has no end */
	double p, p_adjusted;
	double margin;
	double detectable;    /* NaN unknown, infinite none */
	size_t blocks_needed; /* 0 unknown */
	const char *verdict;  /* better, worse, same, inconclusive; NULL: no primary metric */
};

/*
 * Judges all comparisons of an experiment together, as Holm's adjustment wants it. ALPHA is the
 * two-sided error. Returns 0 or a negative errno; a comparison that has no effect (a ratio to 0) is
 * no error, but counts among those adjusted.
 */
int judge_all(const struct judge_input *inputs, size_t n, double alpha, struct judged *ret);
