/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting: the C library's for lists of runs, by digits for lists of samples, where a million
 * comparisons through a pointer would take longest of all that is done with them.
 */
#include "stats/describe.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats/alloc.h"

#define BY_DIGITS_FROM 2000
#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Bits that order as the numbers do: negative ones inverted, the sign of the others set. */
static uint64_t key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double of_key(uint64_t key)
{
	uint64_t bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* Distributes by one digit, keeping the order of equal ones; false, and nothing done, if all are
 * equal. */
static bool distribute(const uint64_t *from, uint64_t *to, size_t n, unsigned int shift)
{
	size_t start[DIGITS] = { 0 }, next = 0;

	for (size_t i = 0; i < n; i++)
		start[from[i] >> shift & (DIGITS - 1)]++;
	if (start[from[0] >> shift & (DIGITS - 1)] == n)
		return false;
	for (size_t digit = 0; digit < DIGITS; digit++) {
		size_t count = start[digit];

		start[digit] = next;
		next += count;
	}
	for (size_t i = 0; i < n; i++)
		to[start[from[i] >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

static bool sort_by_digits(double *x, size_t n)
{
	stats_cleanup_free uint64_t *room = calloc(2 * n, sizeof(*room));
	uint64_t *from = room, *to = room + n;

	if (!room)
		return false;
	for (size_t i = 0; i < n; i++)
		from[i] = key_of(x[i]);
	for (unsigned int shift = 0; shift < 64; shift += DIGIT_BITS) {
		if (distribute(from, to, n, shift)) {
			uint64_t *kept = from;

			from = to;
			to = kept;
		}
	}
	for (size_t i = 0; i < n; i++)
		x[i] = of_key(from[i]);
	return true;
}

void stats_sort(double *x, size_t n)
{
	if (n >= BY_DIGITS_FROM && sort_by_digits(x, n))
		return;
	if (n > 1)
		qsort(x, n, sizeof(*x), compare_doubles);
}
