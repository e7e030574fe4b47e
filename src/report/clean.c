/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/macro.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define BAD UINT32_MAX

struct range {
	uint32_t first, last;
};

/* Characters that take no column of their own. */
static const struct range combining[] = {
	{ 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x064b, 0x065f },
	{ 0x0e31, 0x0e31 }, { 0x0e34, 0x0e3a }, { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff },
	{ 0x200b, 0x200d }, { 0x20d0, 0x20ff }, { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
	{ 0xfeff, 0xfeff },
};

/* Characters that take two (Unicode TR 11, W and F; blocks rather than single characters). */
static const struct range wide[] = {
	{ 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },   { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },
	{ 0x1f300, 0x1f64f }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

/* Controls, and marks of direction that can make a line read as another. */
static const struct range forbidden[] = {
	{ 0x0000, 0x001f }, { 0x007f, 0x009f }, { 0x061c, 0x061c },
	{ 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
};

static bool within(const struct range *ranges, size_t n, uint32_t c)
{
	for (size_t i = 0; i < n; i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

/* The character at S and its length; BAD and 1 where the bytes are none. */
static uint32_t decode(const char *s, size_t *ret_length)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char) *s;
	size_t n = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	uint32_t c = n == 1 ? first : first & (0x7fU >> n);

	*ret_length = 1;
	if (n == 1)
		return c;
	if (first < 0xc2 || first > 0xf4)
		return BAD;
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char) s[i] & 0xc0) !=
		    0x80) /* the zero at the end is caught here too */
			return BAD;
		c = c << 6 | ((unsigned char) s[i] & 0x3f);
	}
	if (c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return BAD;
	*ret_length = n;
	return c;
}

static size_t columns_of(uint32_t c)
{
	if (within(combining, ARRAY_SIZE(combining), c))
		return 0;
	return within(wide, ARRAY_SIZE(wide), c) ? 2 : 1;
}

char *clean_utf8(const char *text)
{
	size_t n;
	char *out, *p;

	if (!text)
		return NULL;
	out = p = malloc(strlen(text) * strlen(REPLACEMENT) + 1);
	for (; out && *text; text += n) {
		if (decode(text, &n) == BAD) {
			p = stpcpy(p, REPLACEMENT);
			continue;
		}
		memcpy(p, text, n);
		p += n;
	}
	if (out)
		*p = '\0';
	return out;
}

/* Cuts CLEANED where more than COLUMNS - 2 columns would stand before the two dots. */
static void cut(char *cleaned, size_t columns)
{
	size_t used = 0, n;

	if (clean_width(cleaned) <= columns)
		return;
	for (char *p = cleaned; *p; p += n) {
		size_t width = columns_of(decode(p, &n));

		if (used + width + 2 > columns) {
			strcpy(p,
			       columns >= 2 ? ".." : ""); /* what was there took at least as much */
			return;
		}
		used += width;
	}
}

char *clean_line(const char *text, size_t columns)
{
	size_t n;
	char *out, *p;

	if (!text)
		text = "-";
	out = p = malloc(strlen(text) + 3);
	if (!out)
		return NULL;
	for (; *text; text += n) {
		uint32_t c = decode(text, &n);

		if (*text == '\n' || *text == '\t' || *text == '\r') {
			*p++ = ' ';
		} else if (c == BAD || within(forbidden, ARRAY_SIZE(forbidden), c)) {
			*p++ = '?';
		} else {
			memcpy(p, text, n);
			p += n;
		}
	}
	*p = '\0';
	if (columns)
		cut(out, columns);
	return out;
}

size_t clean_width(const char *text)
{
	size_t width = 0, n;

	for (; *text; text += n)
		width += columns_of(decode(text, &n));
	return width;
}
