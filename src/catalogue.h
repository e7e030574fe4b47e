/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tacho has of each kind (measurements, knobs, metrics) and whether this machine can use it.
 */
#pragma once

#include <json-c/json.h>

#include "machine/machine.h"

size_t catalogue_count(void);
const char *catalogue_name(size_t kind); /* measurements, knobs, ... */
/* A list of {"name", "available", "reason", ...}, owned by the caller. */
json_object *catalogue_json(size_t kind, const struct root *root, const struct machine *m);
void catalogue_print(size_t kind, const struct root *root, const struct machine *m, FILE *out);
