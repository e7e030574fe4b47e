/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts that the console report of an experiment is put together from. Not for other folders.
 */
#pragma once

#include "report/report.h"
#include "report/scale.h"

struct text {
	const struct analysis *analysis;
	FILE *out;
	struct report_style style; /* with the defaults filled in */
	struct scale *scales;      /* of each metric */
};

/* Prints harmless text, broken at spaces to fit; lines after the first start with INDENT spaces.
 * ALREADY: columns used. */
void text_wrapped(const struct text *text, size_t indent, size_t already, const char *words);

/* Labels as people read them: `cpu 3, interval 500`; "" for none. Allocated; NULL without memory.
 */
char *text_labels(const char *labels);

/* A configuration's name, or its id where it has none. */
const char *text_configuration(const struct record *record, size_t i);

/* What measured it, where, when, how often, and what was thrown away. */
void text_header(const struct text *text);

/* The values of every configuration, stratum by stratum. */
void text_values(const struct text *text);

/* The comparisons with the baseline, and what they could not decide. */
void text_contrasts(const struct text *text);

/* Machine, settings, options, and the command to measure it again. */
void text_repeat(const struct text *text);
