/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels of planned looks, and a test that may be looked at always. */
#include "stats/looks.h"

#include <math.h>

#include "stats/dist.h"

/* c for 1, 2 and 3 looks at 0.05 in all. */
static const double boundary[LOOKS_MAX] = { 1.959963984540054, 1.977, 2.004 };

double looks_level(unsigned int look, unsigned int looks)
{
	if (looks < 1 || looks > LOOKS_MAX || look < 1 || look > looks)
		return NAN;
	return 2 * normal_cdf(-boundary[looks - 1] * sqrt((double) looks / look));
}

size_t looks_blocks(size_t n, unsigned int look, unsigned int looks)
{
	return looks ? (n * look + looks - 1) / looks : 0;
}

double sign_martingale(size_t k, size_t n)
{
	double x = (double) k, y = (double) (n - k);

	if (k > n)
		return NAN;
	return exp((double) n * M_LN2 + ln_beta(x + 1, y + 1));
}
