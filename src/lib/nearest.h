/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nearest known name to a mistyped one, for hints in errors. */
#pragma once

#include <stddef.h>

/*
 * The one of NAMES (N of them) that differs from TEXT by the fewest insertions, deletions,
 * replacements and swaps of neighbours, or NULL where none is near enough to be meant (more than a
 * third of the letters differ).
 */
const char *nearest_name(const char *text, const char *const *names, size_t n);
