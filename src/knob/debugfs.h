/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scheduler's files in debugfs, which may be missing for several reasons. */
#pragma once

#include "knob/knob-internal.h"

#define DEBUG_FOLDER "/sys/kernel/debug"
#define SCHED_FOLDER DEBUG_FOLDER "/sched"

/* Whether PATH can be read: 0, or a negative errno without text where another place may serve. */
int debugfs_probe(const struct root *root, const char *path);

/* The reason why nothing in debugfs serves, CODE being what debugfs_probe() gave. */
int debugfs_explain(const struct root *root, const char *name, const char *path, int code,
		    struct error *err);
