/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/cpus.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>

#define WORDS (CPUS_MAX / 64)

int cpus_count(const struct cpus *set)
{
	int n = 0;

	for (int i = 0; i < WORDS; i++)
		n += __builtin_popcountll(set->bits[i]);
	return n;
}

int cpus_next(const struct cpus *set, int after)
{
	for (int cpu = after + 1; cpu < CPUS_MAX;) {
		uint64_t word = set->bits[cpu / 64] >> (cpu % 64);

		if (word)
			return cpu + __builtin_ctzll(word);
		cpu = (cpu / 64 + 1) * 64;
	}
	return -1;
}

int cpus_first(const struct cpus *set)
{
	return cpus_next(set, -1);
}

int cpus_last(const struct cpus *set)
{
	for (int i = WORDS - 1; i >= 0; i--)
		if (set->bits[i])
			return i * 64 + 63 - __builtin_clzll(set->bits[i]);
	return -1;
}

bool cpus_equal(const struct cpus *a, const struct cpus *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

bool cpus_subset(const struct cpus *a, const struct cpus *of)
{
	for (int i = 0; i < WORDS; i++)
		if (a->bits[i] & ~of->bits[i])
			return false;
	return true;
}

void cpus_and(struct cpus *a, const struct cpus *b)
{
	for (int i = 0; i < WORDS; i++)
		a->bits[i] &= b->bits[i];
}

void cpus_or(struct cpus *a, const struct cpus *b)
{
	for (int i = 0; i < WORDS; i++)
		a->bits[i] |= b->bits[i];
}

static int parse_number(const char **p, int *ret)
{
	int n = 0;

	if (!isdigit((unsigned char) **p))
		return -EINVAL;
	for (; isdigit((unsigned char) **p); (*p)++) {
		n = n * 10 + (**p - '0');
		if (n >= CPUS_MAX)
			return -ERANGE;
	}
	*ret = n;
	return 0;
}

static int parse_range(const char **p, struct cpus *set)
{
	int first, last, step = 1, r;

	r = parse_number(p, &first);
	if (r < 0)
		return r;
	last = first;
	if (**p == '-') {
		(*p)++;
		r = parse_number(p, &last);
		if (r == 0 && **p == ':') {
			(*p)++;
			r = parse_number(p, &step);
		}
	}
	if (r < 0)
		return r;
	if (last < first || step < 1)
		return -EINVAL;
	for (int cpu = first; cpu <= last; cpu += step)
		cpus_add(set, cpu);
	return 0;
}

int cpus_parse(const char *text, struct cpus *ret, struct error *err)
{
	struct cpus set = { 0 };
	const char *p = text;

	while (*p) {
		int r;

		while (isspace((unsigned char) *p))
			p++;
		if (!*p)
			break;
		r = parse_range(&p, &set);
		if (r == -ERANGE)
			return fail(err, -EINVAL, "CPU list `%s`: a CPU number is at most %d", text,
				    CPUS_MAX - 1);
		if (r < 0)
			return fail(err, -EINVAL,
				    "CPU list `%s`: expected numbers and ranges such as 0-3,8",
				    text);
		while (isspace((unsigned char) *p))
			p++;
		if (*p == ',' || *p == '+') {
			p++;
			if (!*p)
				return fail(err, -EINVAL,
					    "CPU list `%s`: a number must follow the last `%c`",
					    text, p[-1]);
		} else if (*p && !isdigit((unsigned char) *p)) {
			return fail(err, -EINVAL,
				    "CPU list `%s`: `%c` has no place there, expected 0-3,8", text,
				    *p);
		}
	}
	*ret = set;
	return 0;
}

char *cpus_format(const struct cpus *set, char *buf, size_t size)
{
	size_t used = 0;

	if (size)
		buf[0] = '\0';
	for (int cpu = cpus_first(set); cpu >= 0;) {
		int last = cpu, n;

		while (cpus_has(set, last + 1))
			last++;
		n = snprintf(buf + used, size - used, last > cpu ? "%s%d-%d" : "%s%d",
			     used ? "," : "", cpu, last);
		if (n < 0 || (size_t) n >= size - used)
			break;
		used += (size_t) n;
		cpu = cpus_next(set, last);
	}
	return buf;
}

int cpus_pin(const struct cpus *set)
{
	return sched_setaffinity(0, sizeof(set->bits), (const cpu_set_t *) set->bits) < 0 ? -errno
											  : 0;
}

int cpus_allowed(struct cpus *ret)
{
	cpus_clear(ret);
	return sched_getaffinity(0, sizeof(ret->bits), (cpu_set_t *) ret->bits) < 0 ? -errno : 0;
}
