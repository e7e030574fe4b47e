/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What else happened on the CPUs of a run while it lasted, and the rules, fixed beforehand and
 * blind to the result, by which a run is discarded for it.
 */
#pragma once

#include <json-c/json.h>

#include "lib/cpus.h"
#include "lib/root.h"
#include "machine/machine.h"

struct environment;

/*
 * Snapshot of the counters of CPUS (copied). OWN_LIMITS: the configuration itself sets limits,
 * modes or boost; otherwise the limits must be those of M, which was read at the start. *RET is
 * freed by environment_end(). 0 or -ENOMEM.
 */
int environment_begin(const struct root *root, const struct machine *m, const struct cpus *cpus,
		      bool own_limits, struct environment **ret);

/*
 * Takes the snapshot again. BUSY_NS: the CPU time of the workload itself, to which stolen time is
 * held: more than 1 % of it (and more than two ticks, which is how finely the kernel counts)
 * discards the run, as do a throttling counter or the state of a cooling device that rose, a limit
 * that fell, a governor or a clock source that changed. *RET_JSON: what was seen, owned by the
 * caller. *RET_REASON: NULL, or why the run must be discarded; allocated.
 */
int environment_end(struct environment *e, uint64_t busy_ns, json_object **ret_json,
		    char **ret_reason);

/* Frees without looking again. NULL is fine. */
void environment_free(struct environment *e);
