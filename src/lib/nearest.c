/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/nearest.h"

#include "lib/macro.h"

#define LONGEST 63

/* Optimal string alignment distance (Damerau 1964). Names beyond LONGEST letters are never near. */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1], n = strlen(a), m = strlen(b);
	size_t *before = rows[0], *above = rows[1], *row = rows[2];

	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= m; j++)
		above[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *t;

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t d = above[j - 1] + (a[i - 1] != b[j - 1]);

			d = MIN(d, MIN(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d = MIN(d, before[j - 2] + 1);
			row[j] = d;
		}
		t = before;
		before = above;
		above = row;
		row = t;
	}
	return above[m];
}

const char *nearest_name(const char *text, const char *const *names, size_t n)
{
	const char *best = NULL;
	size_t best_distance = MAX(strlen(text) / 3, (size_t) 1) + 1;

	for (size_t i = 0; i < n; i++) {
		size_t d = distance(text, names[i]);

		if (d < best_distance) {
			best_distance = d;
			best = names[i];
		}
	}
	return best;
}
