/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of src/stats share: comparison with reference values, and data sets that R ships.
 */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Within a relative error; an expected 0 must be met to the same absolute one. */
static inline void near_at(double actual, double expected, double tolerance, const char *file,
			   int line)
{
	double scale = expected == 0 ? 1 : fabs(expected);

	if (actual == expected || fabs(actual - expected) <= tolerance * scale)
		return;
	print_error("%.17g is not within %g of %.17g\n", actual, tolerance, expected);
	_fail(file, line);
}

#define assert_near(actual, expected, tolerance) \
	near_at((actual), (expected), (tolerance), __FILE__, __LINE__)

/* The tolerance of values that were printed with 15 digits. */
#define assert_same(actual, expected) assert_near(actual, expected, 1e-9)

/* "depression" (Hollander and Wolfe), R's example of wilcox.test(). */
#define DEPRESSION_X                                                 \
	{                                                            \
		1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 \
	}
#define DEPRESSION_Y                                                    \
	{                                                               \
		0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 \
	}

/* R's sleep: extra hours of sleep of ten people with two drugs. */
#define SLEEP_1                                                      \
	{                                                            \
		0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 \
	}
#define SLEEP_2                                                   \
	{                                                         \
		1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 \
	}
