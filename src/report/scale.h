/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people read them: in a unit that suits their size, with digits that say something. Not
 * for other folders. */
#pragma once

#include <stddef.h>

struct scale {
	double factor;    /* what the number in the metric's unit is multiplied by */
	const char *unit; /* what is shown; "" for none */
};

/* For a metric's unit (s, J, W, Hz; others stay as they are) and a number of typical size in it. */
struct scale scale_for(const char *unit, double typical);

/*
 * Writes a number scaled with four digits that say something, `-` where there is none, `>max` for a
 * censored one. Returns BUF, of which 32 suffice.
 */
char *scale_number(const struct scale *scale, double number, char *buf, size_t size);

/* A signed effect: `-9.8 %` of a fraction where RATIO, else in the unit of SCALE. `-` where there
 * is none. */
char *scale_effect(const struct scale *scale, int ratio, double effect, char *buf, size_t size);

/* `[-10.9, -8.6]` in the terms of scale_effect(); `-` where it has no end. BUF of 64 suffices. */
char *scale_effect_interval(const struct scale *scale, int ratio, double low, double high,
			    char *buf, size_t size);

/* `[1.23, 1.35]`, `-` where there is none. BUF of 64 suffices. */
char *scale_interval(const struct scale *scale, double low, double high, char *buf, size_t size);

/* `0.013`, `<0.001`. */
char *scale_p(double p, char *buf, size_t size);

/* `41 min 5 s`. */
char *scale_duration(double seconds, char *buf, size_t size);
