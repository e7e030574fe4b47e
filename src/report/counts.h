/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which runs of an experiment count. Not for other folders. */
#pragma once

#include "lib/record.h"

/*
 * *RET_COUNTS[i] says whether run i counts: it is valid, of the last attempt at its block, and that
 * attempt was not discarded. *RET_BLOCKS: blocks that have such a run. Returns 0 or -ENOMEM; the
 * caller frees *RET_COUNTS.
 */
int counts_make(const struct record *record, bool **ret_counts, size_t *ret_blocks);
