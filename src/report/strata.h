/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finding one's way among the cells of an analysis. Not for other folders. */
#pragma once

#include "report/analysis.h"
#include "report/scale.h"

/* Different labels, in the order of the numbers in them. */
struct strata {
	const char **labels; /* to be freed; the texts belong to the record */
	size_t n;
};

/* The labels of all cells of a metric; of any metric for SIZE_MAX. Returns 0 or -ENOMEM. */
int strata_find(const struct analysis *a, size_t metric, struct strata *ret);

/* The cell, or NULL where there is none. */
const struct cell *cell_find(const struct analysis *a, size_t metric, const char *labels,
			     size_t configuration);

/* One scale for each metric, so that all of its numbers can be compared. Allocated; NULL without
 * memory. */
struct scale *strata_scales(const struct analysis *a);
