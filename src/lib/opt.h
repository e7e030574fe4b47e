/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Typed options. A workload, a measurement or a verb describes its options in one table; parsing,
 * defaults, ranges,
 * --help, the check of the man page, shell completion and what an experiment records all come from
 * that table.
 */
#pragma once

#include <stdint.h>

#include "lib/error.h"

enum opt_type {
	OPT_FLAG,    /* bool, set by its presence; in text `yes` or `no` */
	OPT_STRING,  /* char *, owned */
	OPT_STRINGS, /* char **, NULL-terminated, owned; each use adds one */
	OPT_INT,     /* int64_t */
	OPT_UINT,    /* uint64_t */
	OPT_NUMBER,  /* double */
	OPT_TIME,    /* uint64_t, ns; text needs a unit */
	OPT_SIZE,    /* uint64_t, bytes */
	OPT_CHOICE,  /* int, an index into .choices */
};

struct opt {
	const char *name; /* long name without dashes */
	char letter;      /* short name, or 0 */
	enum opt_type type;
	size_t offset;              /* of the field in its configuration struct */
	double min, max;            /* both 0: any value. Times in ns */
	const char *def;            /* default in text; NULL: false, none or 0 */
	const char *const *choices; /* OPT_CHOICE: NULL-terminated */
	const char *arg;            /* what --help calls the value, as TIME */
	const char *help;           /* one line, no full stop */
	bool unrecorded;            /* not part of what makes the experiment (output, verbosity) */
};

/* A table and the struct that its offsets point into. The table ends with an entry without a name.
 */
struct opt_group {
	const char *title; /* heading in --help */
	const struct opt *opts;
	void *conf;
};

/* Sets every field to its default. The struct must be zeroed. */
int opts_init(const struct opt *opts, void *conf, struct error *err);
void opts_free(const struct opt *opts, void *conf);

/*
 * Parses ARGV[1..] over N groups: `--name=V`, `--name V`, `-lV`, `-l V`, bundled flags, `--` ends.
 * Words that are no options are moved to the front of ARGV (from index 1 on) in their order and
 * counted in *RET_WORDS. Returns 0 or -EINVAL with ERR set, which names the nearest option to an
 * unknown one.
 */
int opts_parse(const struct opt_group *groups, size_t n, int argc, char **argv, int *ret_words,
	       struct error *err);

const struct opt *opt_find(const struct opt *opts, const char *name);

/* Sets one field from text, checking its range. Returns 0 or -EINVAL (or -ENOMEM) with ERR set. */
int opt_set(const struct opt *opt, void *conf, const char *text, struct error *err);

/* The field as text that opt_set() reads back, or NULL where it has no value; allocated. Lists are
 * joined by commas. */
char *opt_get(const struct opt *opt, const void *conf);

/* Whether the option was left at its default. */
bool opt_is_default(const struct opt *opt, const void *conf);

/* One line for each option: names, value, help, default. */
void opts_help(FILE *out, const struct opt *opts);
