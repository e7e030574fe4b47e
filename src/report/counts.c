/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/counts.h"

#include <errno.h>

/* What became of an attempt at a block: one entry for each run of it, and one where it was
 * discarded. */
struct attempt {
	unsigned block, attempt;
	bool discarded;
	size_t run; /* index, where it is not a discard */
};

static int attempt_order(const void *x, const void *y)
{
	const struct attempt *a = x, *b = y;

	if (a->block != b->block)
		return a->block > b->block ? 1 : -1;
	/* The last attempt first, and in it a discard first. */
	if (a->attempt != b->attempt)
		return a->attempt < b->attempt ? 1 : -1;
	return (int) b->discarded - (int) a->discarded;
}

static size_t list_attempts(const struct record *record, struct attempt *out)
{
	size_t n = 0;

	for (size_t i = 0; i < record->n_runs; i++)
		out[n++] = (struct attempt) {
			.block = record->runs[i].block,
			.attempt = record->runs[i].attempt,
			.run = i,
		};
	for (size_t i = 0; i < record->n_discards; i++)
		out[n++] = (struct attempt) {
			.block = record->discards[i].block,
			.attempt = record->discards[i].attempt,
			.discarded = true,
		};
	qsort(out, n, sizeof(*out), attempt_order);
	return n;
}

int counts_make(const struct record *record, bool **ret_counts, size_t *ret_blocks)
{
	_cleanup_free_ struct attempt *all =
		calloc(record->n_runs + record->n_discards + 1, sizeof(*all));
	bool *counts = calloc(record->n_runs + 1, sizeof(*counts));
	size_t n, blocks = 0;

	if (!all || !counts) {
		free(counts);
		return -ENOMEM;
	}
	n = list_attempts(record, all);
	for (size_t i = 0, next; i < n; i = next) {
		bool any = false;

		for (next = i; next < n && all[next].block == all[i].block; next++) {
			if (all[i].discarded || all[next].attempt != all[i].attempt)
				continue;
			counts[all[next].run] = record->runs[all[next].run].valid;
			any = any || counts[all[next].run];
		}
		blocks += any;
	}
	*ret_counts = counts;
	*ret_blocks = blocks;
	return 0;
}
