/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of any origin made fit for JSON and for terminals. */
#pragma once

#include <stddef.h>

/* A copy that is valid UTF-8 (RFC 3629): each byte that is not becomes U+FFFD. NULL gives NULL.
 * Allocated, NULL without memory. */
char *clean_utf8(const char *text);

/*
 * A copy that does nothing to a terminal: no control characters (C0, DEL, C1), no marks that turn
 * the direction of writing, nothing invalid; each becomes `?`, white space a space. Of more than
 * COLUMNS columns the end is replaced by
 * `..`; 0: any length. NULL gives `-`. Allocated, NULL without memory.
 */
char *clean_line(const char *text, size_t columns);

/* How many columns of a terminal a cleaned text takes: combining characters none, East Asian wide
 * ones two. */
size_t clean_width(const char *text);
