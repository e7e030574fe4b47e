/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selection among all pairwise sums without storing them: a million values a side make 10^12 sums,
 * of which one is wanted. Rows and columns are ascending, so a staircase walk counts the sums up to
 * any value.
 */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "stats/alloc.h"
#include "stats/describe.h"
#include "stats/ranks.h"

/* Collect the remaining sums at this many, or at this share of the number of values if that is
 * more. */
#define COLLECT_MIN 4096
#define COLLECT_SHARE 16

/* Share of the remaining sums by which a pivot aims past the wanted one, so that both bounds close
 * in. */
#define OVERSHOOT 0.02

static double pair_sum(double x, double y)
{
	double sum = x + y;

	return isnan(sum) ? 0 : sum;
}

uint64_t pair_sums_count(const struct pair_sums *sums)
{
	uint64_t n = sums->na;

	return sums->b ? n * sums->nb : n * (n + 1) / 2;
}

/* How many sums of row i are <= v, given how many columns of the row before were. */
static size_t row_end(const struct pair_sums *sums, const double *b, size_t i, size_t end, double v)
{
	while (end > 0 && pair_sum(sums->a[i], b[end - 1]) > v)
		end--;
	return end;
}

static uint64_t count_up_to(const struct pair_sums *sums, double v)
{
	const double *b = sums->b ? sums->b : sums->a;
	size_t end = sums->b ? sums->nb : sums->na;
	uint64_t count = 0;

	for (size_t i = 0; i < sums->na; i++) {
		size_t first = sums->b ? 0 : i;

		end = row_end(sums, b, i, end, v);
		if (end <= first)
			break;
		count += end - first;
	}
	return count;
}

/* The sums in (low, high], count of them, and the k-th smallest of these. */
static int collect(const struct pair_sums *sums, double low, double high, uint64_t count,
		   uint64_t k, double *ret_sum)
{
	stats_cleanup_free double *found = stats_doubles(count);
	const double *b = sums->b ? sums->b : sums->a;
	size_t begin = sums->b ? sums->nb : sums->na, end = begin, n = 0;

	if (!found)
		return -ENOMEM;
	for (size_t i = 0; i < sums->na; i++) {
		size_t first;

		begin = row_end(sums, b, i, begin, low);
		end = row_end(sums, b, i, end, high);
		first = sums->b || begin > i ? begin : i;
		for (size_t j = first; j < end && n < count; j++)
			found[n++] = pair_sum(sums->a[i], b[j]);
	}
	stats_sort(found, n);
	*ret_sum = found[k - 1];
	return 0;
}

/* Doubles in their order as whole numbers, so that bisecting these ends after 64 steps on any data.
 */
static int64_t order_of(double x)
{
	int64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double of_order(int64_t order)
{
	int64_t bits = order < 0 ? INT64_MIN - order : order;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* (low, high] holds the wanted sum: count_low < k <= count_high sums are up to low, up to high. */
struct bracket {
	double low, high;
	uint64_t count_low, count_high;
	unsigned int slow;   /* steps in a row that left more than half of the sums */
	bool last_was_above; /* the last pivot became high */
};

static double pivot_of(const struct bracket *bracket, uint64_t k)
{
	double low = bracket->low, high = bracket->high, pivot = NAN;
	int64_t a = order_of(low), b = order_of(high);

	if (bracket->slow <= 1) {
		double share = ((double) (k - bracket->count_low) - 0.5) /
			       (double) (bracket->count_high - bracket->count_low);

		share += bracket->last_was_above ? -OVERSHOOT : OVERSHOOT;
		pivot = low + (high - low) * fmin(fmax(share, OVERSHOOT), 1 - OVERSHOOT);
	} else if (bracket->slow == 2) {
		pivot = low + (high - low) / 2;
	}
	if (!(pivot > low && pivot < high))
		pivot = of_order((a & b) + ((a ^ b) >> 1)); /* their mean, rounded down */
	return pivot;
}

static void narrow(const struct pair_sums *sums, struct bracket *bracket, uint64_t k)
{
	uint64_t before = bracket->count_high - bracket->count_low;
	double pivot = pivot_of(bracket, k);
	uint64_t count = count_up_to(sums, pivot);

	bracket->last_was_above = count >= k;
	if (count >= k) {
		bracket->high = pivot;
		bracket->count_high = count;
	} else {
		bracket->low = pivot;
		bracket->count_low = count;
	}
	if (bracket->count_high - bracket->count_low > before / 2)
		bracket->slow = bracket->slow < 3 ? bracket->slow + 1 : 0;
	else
		bracket->slow = 0;
}

/* The indices of the first and last finite value; false if there is none. */
static bool finite_range(const double *x, size_t n, size_t *ret_first, size_t *ret_last)
{
	size_t first = 0, last = n;

	while (first < n && isinf(x[first]))
		first++;
	while (last > first && isinf(x[last - 1]))
		last--;
	*ret_first = first;
	*ret_last = last - 1;
	return last > first;
}

/* Sets the ends of the bracket around all finite sums; low itself is outside. */
static void start(const struct pair_sums *sums, struct bracket *bracket)
{
	const double *a = sums->a, *b = sums->b ? sums->b : a;
	size_t nb = sums->b ? sums->nb : sums->na, first_a, last_a, first_b, last_b;
	double low = 0, high = 0; /* opposite infinities */

	if (finite_range(a, sums->na, &first_a, &last_a) &&
	    finite_range(b, nb, &first_b, &last_b)) {
		double least = a[first_a] + b[first_b], greatest = a[last_a] + b[last_b];
		bool all = last_a - first_a + 1 == sums->na && last_b - first_b + 1 == nb;

		low = all ? least : fmin(least, 0);
		high = all ? greatest : fmax(greatest, 0);
	}
	bracket->low = nextafter(fmax(low, -DBL_MAX), -INFINITY);
	bracket->high = fmin(high, DBL_MAX);
	bracket->count_low = count_up_to(sums, bracket->low);
	bracket->count_high = count_up_to(sums, bracket->high);
}

int pair_sums_select(const struct pair_sums *sums, uint64_t k, double *ret_sum)
{
	uint64_t few = (sums->na + sums->nb) / COLLECT_SHARE;
	struct bracket bracket = { 0 };

	if (k < 1 || k > pair_sums_count(sums))
		return -EINVAL;
	if (few < COLLECT_MIN)
		few = COLLECT_MIN;
	start(sums, &bracket);
	if (k <= bracket.count_low || k > bracket.count_high) {
		*ret_sum = k <= bracket.count_low ? -INFINITY : INFINITY;
		return 0;
	}
	while (bracket.count_high - bracket.count_low > few) {
		if (nextafter(bracket.low, INFINITY) >= bracket.high) {
			*ret_sum = bracket.high;
			return 0;
		}
		narrow(sums, &bracket, k);
	}
	return collect(sums, bracket.low, bracket.high, bracket.count_high - bracket.count_low,
		       k - bracket.count_low, ret_sum);
}

/* The least sum above v, INFINITY if there is none. */
static double least_above(const struct pair_sums *sums, double v)
{
	const double *b = sums->b ? sums->b : sums->a;
	size_t nb = sums->b ? sums->nb : sums->na, end = nb;
	double least = INFINITY;

	for (size_t i = 0; i < sums->na; i++) {
		/* Left of the diagonal stand the sums of earlier rows again, which does no harm. */
		end = row_end(sums, b, i, end, v);
		if (end < nb)
			least = fmin(least, pair_sum(sums->a[i], b[end]));
	}
	return least;
}

int pair_sums_median(const struct pair_sums *sums, double *ret_median)
{
	uint64_t count = pair_sums_count(sums);
	double low, high;
	int r;

	r = pair_sums_select(sums, (count + 1) / 2, &low);
	if (r < 0)
		return r;
	high = low;
	if (count % 2 == 0 && count_up_to(sums, low) < count / 2 + 1)
		high = least_above(sums, low);
	*ret_median = low == high ? low : pair_sum(low, high) / 2;
	return 0;
}

int pair_sums_interval(const struct pair_sums *sums, uint64_t k, double *ret_low, double *ret_high)
{
	int r;

	*ret_low = -INFINITY;
	*ret_high = INFINITY;
	if (k == 0)
		return 0;
	r = pair_sums_select(sums, k, ret_low);
	if (r < 0)
		return r;
	return pair_sums_select(sums, pair_sums_count(sums) + 1 - k, ret_high);
}
