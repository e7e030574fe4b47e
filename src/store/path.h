/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the database lies, and the files and folders made for it. Not for other folders. */
#pragma once

#include "lib/error.h"

/*
 * Makes the folders above PATH and the empty file where they are missing; under sudo what was made
 * belongs to the invoking user. Refuses what is no regular file, or may not be written. Returns 0
 * or a negative errno with ERR set.
 */
int path_prepare(const char *path, struct error *err);

/* The same checks for a file that is only read, which must be there. */
int path_check(const char *path, struct error *err);
