/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/table.h"

#include "lib/record.h"
#include "report/clean.h"

#define GAP 2
#define LONGEST_CELL 200

static const char *const tints[] = {
	[TINT_STRONG] = "\033[1m",
	[TINT_GOOD] = "\033[32m",
	[TINT_BAD] = "\033[31m",
	[TINT_DOUBTFUL] = "\033[33m",
};

void tint_start(FILE *out, const struct report_style *style, enum tint tint)
{
	if (style->colour && tint != TINT_NONE)
		fputs(tints[tint], out);
}

void tint_end(FILE *out, const struct report_style *style, enum tint tint)
{
	if (style->colour && tint != TINT_NONE)
		fputs("\033[0m", out);
}

void table_init(struct table *table, const char *const *heads, size_t n_columns, size_t n_fixed)
{
	*table = (struct table) { .n_columns = n_columns, .n_fixed = n_fixed };
	table->left = calloc(n_columns, sizeof(*table->left));
	table->failed = !table->left;
	for (size_t i = 0; i < n_columns && table->left; i++) {
		table->left[i] = *heads[i] == '<';
		table_cell(table, TINT_NONE, heads[i] + table->left[i]);
	}
}

void table_done(struct table *table)
{
	for (size_t i = 0; i < table->n_cells; i++)
		free(table->cells[i].text);
	free(table->cells);
	free(table->left);
	*table = (struct table) { 0 };
}

void table_cell(struct table *table, enum tint tint, const char *text)
{
	struct table_cell *cell = array_add(&table->cells, &table->n_cells, sizeof(*cell));

	if (cell)
		cell->text = clean_line(text, LONGEST_CELL);
	if (!cell || !cell->text) {
		table->failed = true;
		return;
	}
	cell->tint = tint;
	cell->width = clean_width(cell->text);
}

/* A heading is a row whose other cells are missing: NULL text, so that they take no width and print
 * nothing. */
void table_heading(struct table *table, const char *text)
{
	table_cell(table, TINT_STRONG, text);
	for (size_t i = 1; i < table->n_columns && !table->failed; i++)
		if (!array_add(&table->cells, &table->n_cells, sizeof(struct table_cell)))
			table->failed = true;
}

static const struct table_cell *cell_at(const struct table *table, size_t row, size_t column)
{
	size_t i = row * table->n_columns + column;

	return i < table->n_cells ? &table->cells[i] : NULL;
}

static bool is_heading(const struct table *table, size_t row)
{
	const struct table_cell *second = cell_at(table, row, 1);

	return table->n_columns > 1 && second && !second->text;
}

static size_t n_rows(const struct table *table)
{
	return (table->n_cells + table->n_columns - 1) / table->n_columns;
}

/* What is left of WIDTH for one of the fixed columns, when the others shall have about two thirds
 * of it. */
static size_t column_width(const struct table *table, size_t column, size_t width)
{
	size_t widest = 0, most = width / (2 + table->n_fixed);

	for (size_t row = 0; row < n_rows(table); row++) {
		const struct table_cell *cell = cell_at(table, row, column);

		if (cell && cell->text && !is_heading(table, row))
			widest = MAX(widest, cell->width);
	}
	return column < table->n_fixed ? MIN(widest, MAX(most, (size_t) 8)) : widest;
}

static void print_spaces(FILE *out, size_t n)
{
	fprintf(out, "%*s", (int) n, "");
}

static void print_cell(const struct table *table, size_t column, const struct table_cell *cell,
		       size_t width, bool last, FILE *out, const struct report_style *style)
{
	_cleanup_free_ char *text = clean_line(cell->text, width);
	size_t used = text ? clean_width(text) : 0, fill = width > used ? width - used : 0;

	if (!table->left[column])
		print_spaces(out, fill);
	tint_start(out, style, cell->tint);
	fputs(text ? text : "", out);
	tint_end(out, style, cell->tint);
	if (table->left[column] && !last)
		print_spaces(out, fill);
}

static void print_row(const struct table *table, size_t row, const size_t *widths, size_t first,
		      size_t end, FILE *out, const struct report_style *style)
{
	print_spaces(out, table->indent);
	if (is_heading(table, row)) {
		const struct table_cell *cell = cell_at(table, row, 0);
		_cleanup_free_ char *text = clean_line(cell->text, style->width - table->indent);

		tint_start(out, style, cell->tint);
		fputs(text ? text : "", out);
		tint_end(out, style, cell->tint);
		fputc('\n', out);
		return;
	}
	for (size_t i = 0; i < end; i = i + 1 == table->n_fixed ? first : i + 1) {
		const struct table_cell *cell = cell_at(table, row, i);

		if (i)
			print_spaces(out, GAP);
		if (cell && cell->text)
			print_cell(table, i, cell, widths[i], i + 1 == end, out, style);
	}
	fputc('\n', out);
}

/* Where the part that starts with column FIRST ends, for all of it to fit in WIDTH; at least one
 * column. */
static size_t part_end(const struct table *table, const size_t *widths, size_t first, size_t width)
{
	size_t used = table->indent, i;

	for (i = 0; i < table->n_fixed; i++)
		used += widths[i] + (i ? GAP : 0);
	for (i = first; i < table->n_columns; i++) {
		used += GAP + widths[i];
		if (used > width && i > first)
			break;
	}
	return i;
}

void table_print(const struct table *table, FILE *out, const struct report_style *style)
{
	_cleanup_free_ size_t *widths = calloc(table->n_columns + 1, sizeof(*widths));
	size_t end;

	if (table->failed || !widths) {
		fprintf(out, "(out of memory for a table)\n");
		return;
	}
	for (size_t i = 0; i < table->n_columns; i++)
		widths[i] = column_width(table, i, style->width);
	for (size_t first = table->n_fixed; first < table->n_columns; first = end) {
		end = part_end(table, widths, first, style->width);
		if (first > table->n_fixed)
			fputc('\n', out);
		for (size_t row = 0; row < n_rows(table); row++)
			print_row(table, row, widths, first, end, out, style);
	}
}
