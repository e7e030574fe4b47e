/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <strings.h>

struct unit {
	const char *name;
	double factor;
};

static const struct unit time_units[] = {
	{ "ns", 1 },  { "us", 1e3 }, { "µs", 1e3 },   { "ms", 1e6 },
	{ "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
};

static const struct unit size_units[] = {
	{ "", 1 }, { "k", 0x1p10 }, { "K", 0x1p10 }, { "M", 0x1p20 }, { "G", 0x1p30 },
};

static const struct unit khz_units[] = {
	{ "", 1 }, { "kHz", 1 }, { "MHz", 1e3 }, { "GHz", 1e6 }, { "Hz", 1e-3 },
};

/* The number before a unit. Refuses what strtod takes beside numbers: inf, nan, hexadecimal,
 * leading space. */
static int split_number(const char *text, double *ret, const char **ret_unit)
{
	char *end;

	if (!isdigit((unsigned char) *text) && *text != '.')
		return -EINVAL;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return -EINVAL;
	errno = 0;
	*ret = strtod(text, &end);
	if (errno || end == text || !isfinite(*ret))
		return -EINVAL;
	while (*end == ' ')
		end++;
	*ret_unit = end;
	return 0;
}

static const struct unit *find_unit(const struct unit *units, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (streq(units[i].name, name))
			return &units[i];
	for (size_t i = 0; i < n; i++)
		if (units[i].name[0] && units[i].name[1] && strcasecmp(units[i].name, name) == 0)
			return &units[i];
	return NULL;
}

static int scale(double number, const struct unit *unit, uint64_t *ret)
{
	double value = number * unit->factor;

	if (value >= 0x1p63)
		return -ERANGE;
	*ret = (uint64_t) llround(value);
	return 0;
}

int parse_time(const char *name, const char *text, uint64_t *ret_ns, struct error *err)
{
	const struct unit *unit;
	const char *suffix;
	double number;

	if (split_number(text, &number, &suffix) < 0)
		return fail(
			err, -EINVAL,
			"%s: `%s` is not a time; expected a number with a unit, as 100ms, 1.5s or 250us",
			name, text);
	if (!*suffix && number == 0) {
		*ret_ns = 0;
		return 0;
	}
	if (!*suffix)
		return fail(err, -EINVAL,
			    "%s: `%s` needs a unit: %sns, %sus, %sms, %ss, %sm or %sh", name, text,
			    text, text, text, text, text, text);
	unit = find_unit(time_units, ARRAY_SIZE(time_units), suffix);
	if (!unit)
		return fail(err, -EINVAL, "%s: `%s` is no unit of time; use ns, us, ms, s, m or h",
			    name, suffix);
	if (scale(number, unit, ret_ns) < 0)
		return fail(err, -EINVAL, "%s: `%s` is longer than the clock counts", name, text);
	return 0;
}

int parse_u64_text(const char *name, const char *text, uint64_t *ret, struct error *err)
{
	char *end;
	int base = strncmp(text, "0x", 2) == 0 ? 16 : 10;

	errno = 0;
	if (!isdigit((unsigned char) *text))
		return fail(err, -EINVAL, "%s: `%s` is not a whole number", name, text);
	*ret = strtoull(text, &end, base);
	if (errno == ERANGE)
		return fail(err, -EINVAL, "%s: `%s` is too large", name, text);
	if (*end)
		return fail(err, -EINVAL, "%s: `%s` is not a whole number", name, text);
	return 0;
}

int parse_s64_text(const char *name, const char *text, int64_t *ret, struct error *err)
{
	bool negative = *text == '-';
	uint64_t magnitude;
	int r = parse_u64_text(name, text + negative, &magnitude, err);

	if (r < 0)
		return r;
	if (magnitude > INT64_MAX)
		return fail(err, -EINVAL, "%s: `%s` is too large", name, text);
	*ret = negative ? -(int64_t) magnitude : (int64_t) magnitude;
	return 0;
}

int parse_double_text(const char *name, const char *text, double *ret, struct error *err)
{
	bool negative = *text == '-';
	const char *suffix;

	if (split_number(text + negative, ret, &suffix) < 0 || *suffix)
		return fail(err, -EINVAL, "%s: `%s` is not a number", name, text);
	if (negative)
		*ret = -*ret;
	return 0;
}

static int parse_scaled(const char *name, const char *text, const struct unit *units, size_t n,
			const char *expected, uint64_t *ret, struct error *err)
{
	const struct unit *unit;
	const char *suffix;
	double number;

	if (split_number(text, &number, &suffix) < 0 || !(unit = find_unit(units, n, suffix)) ||
	    scale(number, unit, ret) < 0)
		return fail(err, -EINVAL, "%s: `%s` is not understood; expected %s", name, text,
			    expected);
	return 0;
}

int parse_size(const char *name, const char *text, uint64_t *ret, struct error *err)
{
	return parse_scaled(name, text, size_units, ARRAY_SIZE(size_units),
			    "bytes, as 4096, 64k or 1M", ret, err);
}

int parse_khz(const char *name, const char *text, uint64_t *ret_khz, struct error *err)
{
	return parse_scaled(name, text, khz_units, ARRAY_SIZE(khz_units),
			    "a frequency in kHz, or with a unit, as 1800000, 1800MHz or 1.8GHz",
			    ret_khz, err);
}

char *format_seconds(double seconds, char *buf, size_t size)
{
	static const struct unit steps[] = {
		{ "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 }
	};
	double a = fabs(seconds);
	size_t i = 0;

	if (!isfinite(seconds)) {
		snprintf(buf, size, "-");
		return buf;
	}
	while (i + 1 < ARRAY_SIZE(steps) && a < steps[i].factor && a > 0)
		i++;
	a /= steps[i].factor;
	snprintf(buf, size, "%.*f %s",
		 a < 10    ? 3
		 : a < 100 ? 2
			   : 1,
		 seconds / steps[i].factor, steps[i].name);
	return buf;
}

char *format_time_exact(uint64_t ns, char *buf, size_t size)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} steps[] = {
		{ "s", NSEC_PER_SEC }, { "ms", NSEC_PER_MSEC }, { "us", NSEC_PER_USEC }, { "ns", 1 }
	};
	size_t i = 0;

	while (ns % steps[i].ns)
		i++;
	snprintf(buf, size, "%llu%s", (unsigned long long) (ns / steps[i].ns), steps[i].name);
	return buf;
}

char *format_khz(uint64_t khz, char *buf, size_t size)
{
	if (khz >= 1000000)
		snprintf(buf, size, "%.2f GHz", (double) khz / 1e6);
	else
		snprintf(buf, size, "%.4g MHz", (double) khz / 1e3);
	return buf;
}
