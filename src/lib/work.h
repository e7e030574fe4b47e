/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The work loop: what every workload executes when it is to keep a CPU busy for a defined amount. A
 * dependent chain of integer operations in inline assembly, so that no compiler or flag can fold,
 * widen or delete it; it calls nothing and touches no memory, and its time is proportional to the
 * count and inversely proportional to the CPU's speed alone.
 */
#pragma once

#include <stdint.h>

/* Executes COUNT loops. Returns a number that depends on all of them. */
uint64_t work_run(uint64_t count);

/* What the loop is made of here, for the record: `x86-64`, `arm64`, `generic`. */
const char *work_variant(void);
