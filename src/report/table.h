/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text in columns. Cells are made harmless as they come in; columns that do not fit in the width
 * are printed below, beside the first ones again. Not for other folders.
 */
#pragma once

#include "lib/macro.h"
#include "report/report.h"

enum tint { TINT_NONE, TINT_STRONG, TINT_GOOD, TINT_BAD, TINT_DOUBTFUL };

struct table_cell {
	char *text;
	enum tint tint;
	size_t width;
};

struct table {
	size_t n_columns,
		n_fixed; /* the first n_fixed columns are repeated, and cut where they are long */
	bool *left;      /* of each column; else right-aligned */
	struct table_cell *cells; /* the heads first */
	size_t n_cells;
	size_t indent;
	bool failed; /* out of memory: nothing will be printed but that */
};

/* HEADS: n_columns of them, `<` before one that is left-aligned. */
void table_init(struct table *table, const char *const *heads, size_t n_columns, size_t n_fixed);
void table_done(struct table *table);
#define _cleanup_table_ _cleanup_(table_done)

/* Cells fill the rows from left to right; the last row may be short. */
void table_cell(struct table *table, enum tint tint, const char *text);

/* A row of one text that may stand over all columns. Only at the start of a row. */
void table_heading(struct table *table, const char *text);

void table_print(const struct table *table, FILE *out, const struct report_style *style);

/* Starts and ends colours where the style has them. */
void tint_start(FILE *out, const struct report_style *style, enum tint tint);
void tint_end(FILE *out, const struct report_style *style, enum tint tint);
