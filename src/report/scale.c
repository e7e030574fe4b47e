/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/scale.h"

#include <math.h>

#include "lib/macro.h"

static const struct {
	const char *unit;
	struct scale scales[5]; /* the largest unit first */
} units[] = {
	{ "s", { { 1, "s" }, { 1e3, "ms" }, { 1e6, "us" }, { 1e9, "ns" } } },
	{ "J", { { 1e-3, "kJ" }, { 1, "J" }, { 1e3, "mJ" }, { 1e6, "uJ" }, { 1e9, "nJ" } } },
	{ "W", { { 1e-3, "kW" }, { 1, "W" }, { 1e3, "mW" }, { 1e6, "uW" } } },
	{ "Hz", { { 1e-9, "GHz" }, { 1e-6, "MHz" }, { 1e-3, "kHz" }, { 1, "Hz" } } },
};

struct scale scale_for(const char *unit, double typical)
{
	struct scale best = { 1, unit ? unit : "" };

	for (size_t i = 0; unit && i < ARRAY_SIZE(units); i++) {
		if (!streq(units[i].unit, unit) || !isfinite(typical) || typical == 0)
			continue;
		for (size_t j = 0; j < ARRAY_SIZE(units[i].scales) && units[i].scales[j].unit;
		     j++) {
			best = units[i].scales[j];
			if (fabs(typical) * best.factor >= 1)
				break;
		}
	}
	return best;
}

static int decimals(double x)
{
	x = fabs(x);
	return x >= 999.5 ? 0 : x >= 99.95 ? 1 : x >= 9.995 ? 2 : 3;
}

char *scale_number(const struct scale *scale, double number, char *buf, size_t size)
{
	double x = number * scale->factor;

	if (isnan(x))
		snprintf(buf, size, "-");
	else if (isinf(x))
		snprintf(buf, size, x > 0 ? ">max" : "<min");
	else if (x != 0 && fabs(x) < 0.0995)
		snprintf(buf, size, "%#.3g", x);
	else if (fabs(x) >= 1e7)
		snprintf(buf, size, "%.4g", x);
	else if (x == rint(x) && fabs(x) < 1e7 && !*scale->unit)
		snprintf(buf, size, "%.0f", x); /* a count */
	else
		snprintf(buf, size, "%.*f", decimals(x), x);
	return buf;
}

static int effect_decimals(double x)
{
	x = fabs(x);
	return x >= 99.95 ? 0 : x >= 0.995 ? 1 : x >= 0.0995 || x == 0 ? 2 : 3;
}

char *scale_effect(const struct scale *scale, int ratio, double effect, char *buf, size_t size)
{
	double x = ratio ? effect * 100 : effect * scale->factor;

	if (!isfinite(x))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%+.*f%s", effect_decimals(x), x, ratio ? " %" : "");
	return buf;
}

char *scale_effect_interval(const struct scale *scale, int ratio, double low, double high,
			    char *buf, size_t size)
{
	double factor = ratio ? 100 : scale->factor,
	       widest = MAX(fabs(low * factor), fabs(high * factor));

	if (!isfinite(low) || !isfinite(high))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "[%+.*f, %+.*f]", effect_decimals(widest), low * factor,
			 effect_decimals(widest), high * factor);
	return buf;
}

char *scale_interval(const struct scale *scale, double low, double high, char *buf, size_t size)
{
	char a[32], b[32];

	if (!isfinite(low) || !isfinite(high))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "[%s, %s]", scale_number(scale, low, a, sizeof(a)),
			 scale_number(scale, high, b, sizeof(b)));
	return buf;
}

char *scale_p(double p, char *buf, size_t size)
{
	if (!isfinite(p))
		snprintf(buf, size, "-");
	else if (p < 0.001)
		snprintf(buf, size, "<0.001");
	else
		snprintf(buf, size, "%.3f", p);
	return buf;
}

char *scale_duration(double seconds, char *buf, size_t size)
{
	unsigned long long s;

	if (!isfinite(seconds) || seconds < 0 || seconds > 1e12) {
		snprintf(buf, size, "-");
		return buf;
	}
	if (seconds < 9.95) {
		snprintf(buf, size, "%.1f s", seconds);
		return buf;
	}
	s = (unsigned long long) (seconds + 0.5);
	if (s < 60)
		snprintf(buf, size, "%llu s", s);
	else if (s < 3600)
		snprintf(buf, size, "%llu min %llu s", s / 60, s % 60);
	else
		snprintf(buf, size, "%llu h %llu min", (s + 30) / 3600, (s + 30) / 60 % 60);
	return buf;
}
