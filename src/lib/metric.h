/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is fixed about a metric wherever it goes: which way is better, and what an effect on it is.
 */
#pragma once

enum better { BETTER_LOWER, BETTER_HIGHER, BETTER_NONE };

enum effect {
	EFFECT_RATIO,      /* analysed as ln(new / base), shown as the fraction new / base - 1 */
	EFFECT_DIFFERENCE, /* new - base in the metric's unit */
};
