/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an experiment says: a summary of every metric of every configuration, and the comparisons
 * with the baseline. Made from a record alone, so that it can be made again from the store at any
 * time.
 *
 * A run counts where it is valid, belongs to the last attempt at its block, and that attempt was
 * not discarded.
 */
#pragma once

#include "lib/record.h"
#include "report/judge.h"
#include "stats/describe.h"

/* One metric of one configuration, in one stratum. */
struct cell {
	size_t metric, configuration;
	const char *labels;  /* belongs to the record */
	struct summary runs; /* over the runs that count, or the blocks for a metric per block */
	double estimate;     /* Hodges-Lehmann, in the metric's unit */
	double low, high; /* its exact 95 % interval; NaN where there are too few runs, or an end is
			     infinite */
	struct summary iterations; /* over what is inside the runs, for display; n 0: none */
};

/* A configuration against the baseline in one stratum. */
struct contrast {
	size_t metric, base, new;
	const char *labels;
	struct judged result;
};

struct analysis {
	const struct record *record;
	double alpha;
	struct cell *cells; /* by metric, labels (numbers in them by value), configuration */
	size_t n_cells;
	struct contrast *contrasts; /* in the same order */
	size_t n_contrasts;
	size_t *runs;    /* of each configuration, those that count */
	bool *counts;    /* of each run of the record, whether it counts */
	size_t n_blocks; /* with at least one run that counts */
};

/*
 * ALPHA: the two-sided error of comparisons, 0 for the usual 0.05 (another where an experiment may
 * stop early). The record must outlive the analysis. Returns 0 or a negative errno with ERR set.
 */
int analysis_new(const struct record *record, double alpha, struct analysis **ret,
		 struct error *err);
void analysis_free(struct analysis *analysis);
static inline void analysis_freep(struct analysis **analysis)
{
	analysis_free(*analysis);
}
#define _cleanup_analysis_ _cleanup_(analysis_freep)

/* Whether any comparison came out as VERDICT (better, worse, same, inconclusive): what --fail-on
 * asks. */
bool analysis_any(const struct analysis *analysis, const char *verdict);
