/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The console report: in the order in which a reader asks. */
#include "report/text.h"

#include "report/clean.h"
#include "report/strata.h"
#include "report/value.h"

#define DEFAULT_WIDTH 100
#define SMALLEST_WIDTH 40

const char *text_configuration(const struct record *record, size_t i)
{
	const struct configuration *c = &record->configurations[i];

	return c->name && *c->name ? c->name : c->id;
}

void text_wrapped(const struct text *text, size_t indent, size_t already, const char *words)
{
	_cleanup_free_ char *line = clean_line(words, 0);
	size_t column = already, width = text->style.width;
	char *rest = NULL;
	bool first = true;

	for (char *word = line ? strtok_r(line, " ", &rest) : NULL; word;
	     word = strtok_r(NULL, " ", &rest)) {
		size_t n = clean_width(word);

		if (!first && column + 1 + n > width) {
			fprintf(text->out, "\n%*s", (int) indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', text->out);
			column++;
		}
		fputs(word, text->out);
		column += n;
		first = false;
	}
	fputc('\n', text->out);
}

char *text_labels(const char *labels)
{
	json_object *x = value_parsed(labels);
	char *out = NULL;
	size_t size = 0;
	FILE *f;

	if (!json_object_is_type(x, json_type_object)) {
		json_object_put(x);
		return strdup(labels);
	}
	f = open_memstream(&out, &size);
	if (f) {
		const char *separator = "";

		json_object_object_foreach(x, key, value)
		{
			fprintf(f, "%s%s %s", separator, key,
				value ? json_object_get_string(value) : "-");
			separator = ", ";
		}
		fclose(f);
	}
	json_object_put(x);
	return out;
}

void report_analysis_text(const struct analysis *analysis, FILE *out,
			  const struct report_style *style)
{
	struct text text = { .analysis = analysis, .out = out, .style = *style };

	if (!text.style.width)
		text.style.width = DEFAULT_WIDTH;
	text.style.width = MAX(text.style.width, (size_t) SMALLEST_WIDTH);
	text.scales = strata_scales(analysis);
	if (!text.scales) {
		fprintf(out, "(out of memory)\n");
		return;
	}
	text_header(&text);
	text_values(&text);
	text_contrasts(&text);
	text_repeat(&text);
	free(text.scales);
}

int report_text(const struct record *record, FILE *out, bool colour, size_t width,
		struct error *err)
{
	struct report_style style = { .colour = colour, .width = width };
	_cleanup_analysis_ struct analysis *analysis = NULL;
	int r = analysis_new(record, 0, &analysis, err);

	if (r == 0)
		report_analysis_text(analysis, out, &style);
	return r;
}
