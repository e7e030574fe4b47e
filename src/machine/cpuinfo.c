/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/cpuinfo, which each architecture writes in its own way: the model, the microcode, Arm's
 * identification registers (arch/arm64/kernel/cpuinfo.c, c_show) and, from the words it uses, which
 * architecture wrote it.
 */
#include "machine/internal.h"

#include <errno.h>
#include <limits.h>

#include "lib/record.h"
#include "lib/units.h"

#define CPUINFO_MAX (32 << 20) /* 8192 CPUs with 1.5 kB each, twice over */

static const struct place proc = { "/proc" };
static const struct item cpuinfo_file = { "cpuinfo" };

/*
 * Which words of a line name the model, the best first. The figure that `model` is on x86 is none.
 */
static const char *const model_keys[] = { "model name", "cpu model", "cpu", "uarch", "Processor" };
static const char *const board_keys[] = { "Hardware", "machine" };

/* The lines of one processor, or of what follows them all. */
struct block {
	int cpu;
	uint64_t implementer, variant, part, revision;
};

struct state {
	struct cpuinfo *info;
	struct block block;
	const char *model, *board, *microcode;
	size_t model_rank, board_rank;
	uint64_t arm_version;
	bool intel, long_mode, timebase, hart;
};

static const struct block no_block = { -1, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };

static size_t rank(const char *key, const char *const *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (streq(key, keys[i]))
			return i;
	return SIZE_MAX;
}

static uint64_t number(const char *text)
{
	uint64_t n;

	return parse_u64_text("", text, &n, NULL) < 0 ? UNKNOWN : n;
}

static bool has_flag(const char *flags, const char *flag)
{
	size_t n = strlen(flag);

	for (const char *p = flags; (p = strstr(p, flag)); p += n)
		if ((p == flags || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

/* MIDR_EL1: implementer 31-24, variant 23-20, architecture 19-16 (15: see the ID registers), part
 * 15-4, revision 3-0. */
static void end_block(struct state *s, bool *no_memory)
{
	const struct block b = s->block;
	struct midr *midr;
	uint64_t value;

	s->block = no_block;
	if (b.implementer > 0xff || b.variant > 0xf || b.part > 0xfff || b.revision > 0xf)
		return;
	value = b.implementer << 24 | b.variant << 20 | 0xfULL << 16 | b.part << 4 | b.revision;
	if (b.cpu < 0) {
		s->info->common_midr = value;
		return;
	}
	midr = array_add(&s->info->midrs, &s->info->n_midrs, sizeof(*midr));
	if (!midr)
		*no_memory = true;
	else
		*midr = (struct midr) { b.cpu, value };
}

static void take_numbers(struct state *s, const char *key, const char *value)
{
	const struct {
		const char *key;
		uint64_t *field;
		bool first;
	} fields[] = {
		{ "CPU implementer", &s->block.implementer },
		{ "CPU variant", &s->block.variant },
		{ "CPU part", &s->block.part },
		{ "CPU revision", &s->block.revision },
		{ "CPU architecture", &s->arm_version },
		{ "siblings", &s->info->siblings, true },
		{ "cpu cores", &s->info->cores, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (streq(key, fields[i].key) && !(fields[i].first && *fields[i].field != UNKNOWN))
			*fields[i].field = number(value);
}

static void take(struct state *s, const char *key, const char *value)
{
	size_t model = rank(key, model_keys, ARRAY_SIZE(model_keys));
	size_t board = rank(key, board_keys, ARRAY_SIZE(board_keys));

	if (streq(key, "processor")) {
		uint64_t cpu = number(value);

		s->block.cpu = cpu < CPUS_MAX ? (int) cpu : -1;
		cpus_add(&s->info->processors, s->block.cpu);
	}
	if (model < s->model_rank && *value) {
		s->model = value;
		s->model_rank = model;
	}
	if (board < s->board_rank && *value) {
		s->board = value;
		s->board_rank = board;
	}
	if (streq(key, "microcode") && !s->microcode)
		s->microcode = value;
	if (streq(key, "vendor_id"))
		s->intel = true;
	if (streq(key, "timebase"))
		s->timebase = true;
	if (streq(key, "hart"))
		s->hart = true;
	if (streq(key, "flags") && !s->long_mode) {
		s->long_mode = has_flag(value, "lm");
		s->info->hypervisor = has_flag(value, "hypervisor");
	}
	take_numbers(s, key, value);
}

/* Splits `key  : value`; the key loses the white space before the colon. */
static char *split(char *line)
{
	char *colon = strchr(line, ':'), *end = colon;

	if (!colon)
		return NULL;
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	return colon + 1 + strspn(colon + 1, " \t");
}

static const char *guess_architecture(const struct state *s)
{
	if (s->long_mode)
		return "x86_64";
	if (s->intel)
		return "i686";
	if (s->arm_version == 8)
		return "aarch64";
	if (s->arm_version == 7)
		return "armv7l";
	if (s->timebase)
		return "ppc";
	return s->hart ? "riscv64" : NULL;
}

void cpuinfo_read(struct reader *rd)
{
	struct cpuinfo *info = &rd->info;
	struct state s = {
		.info = info, .block = no_block, .model_rank = SIZE_MAX, .board_rank = SIZE_MAX
	};
	_cleanup_free_ char *text = NULL;
	int r = root_read_all(rd->root, CPUINFO_MAX, &text, "/proc/cpuinfo");

	*info = (struct cpuinfo) { .siblings = UNKNOWN, .cores = UNKNOWN, .common_midr = UNKNOWN };
	if (r < 0) {
		note(rd, &proc, &cpuinfo_file, r);
		return;
	}
	for (char *line = text, *next; line; line = next) {
		char *value;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		value = split(line);
		if (value)
			take(&s, line, value);
		else if (!*line)
			end_block(&s, &rd->no_memory);
	}
	end_block(&s, &rd->no_memory);
	info->architecture = guess_architecture(&s);
	info->model = copy_text(rd, s.model);
	info->board = copy_text(rd, s.board);
	info->microcode = copy_text(rd, s.microcode);
}

void cpuinfo_done(struct cpuinfo *info)
{
	free(info->model);
	free(info->board);
	free(info->microcode);
	free(info->midrs);
}

uint64_t cpuinfo_midr(const struct cpuinfo *info, int cpu)
{
	for (size_t i = 0; i < info->n_midrs; i++)
		if (info->midrs[i].cpu == cpu)
			return info->midrs[i].value;
	return cpus_has(&info->processors, cpu) ? info->common_midr : UNKNOWN;
}
