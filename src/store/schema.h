/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables, documented in tacho-results(5), and the steps from each version of them to the next.
 */
#pragma once

#include "store/db.h"

/* In the file's header (`application_id`), so that file(1) and we know whose it is: "tach". */
#define SCHEMA_APPLICATION 0x74616368

/*
 * Looks at whose database it is, and brings it to the present version unless it is opened for
 * reading only. Changes nothing in a database of another program.
 */
int schema_check(struct store *store, struct error *err);
