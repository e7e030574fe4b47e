/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A request that lasts as long as its file is open: /dev/cpu_dma_latency. */
#pragma once

#include "knob/change.h"

int hold_make(const struct root *root, struct change *change, struct error *err);

/* The strictest request in force now, in us as text; allocated. */
int hold_read(const struct change *change, char **ret);
