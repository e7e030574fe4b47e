/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people and programs get to read of stored experiments. Everything is made from a record, by
 * its metric table. */
#pragma once

#include <json-c/json.h>
#include <stdio.h>

#include "report/analysis.h"
#include "store/store.h"

/* How text is written. */
struct report_style {
	bool colour;  /* with terminal colours */
	size_t width; /* columns to stay within; 0: 100 */
	bool all;     /* every stratum of every metric, however many */
};

/*
 * An experiment as one line of JSON in the shape of tacho-results(5), with `samples` filled where
 * WITH_SAMPLES. The record should have been loaded with its samples in either case: the summaries
 * of iterations are made from them. Returns 0 or a negative errno with ERR set; whether OUT took it
 * is for the caller to see (ferror(3)).
 */
int report_json(const struct record *record, bool with_samples, FILE *out, struct error *err);

/* The same for a reader on a console. WIDTH 0: 100 columns. */
int report_text(const struct record *record, FILE *out, bool colour, size_t width,
		struct error *err);

/* Stored experiments, one a line (`tacho log`), oldest first; never broken, whatever WIDTH is:
 * grep(1) wants lines. */
int report_list_text(const struct store_entry *entries, size_t n, FILE *out, size_t width,
		     struct error *err);

/* The same as {"schema", "experiments": [..]}. */
int report_list_json(const struct store_entry *entries, size_t n, FILE *out, struct error *err);

/*
 * The same from an analysis that the caller needs anyway (for --fail-on). The object has all keys,
 * always; the caller puts it with json_object_put(). NULL without memory.
 */
json_object *report_analysis_json(const struct analysis *analysis, bool with_samples);
void report_analysis_text(const struct analysis *analysis, FILE *out,
			  const struct report_style *style);
