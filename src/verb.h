/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs of the command line, and what they share. */
#pragma once

#include "lib/opt.h"
#include "lib/root.h"
#include "machine/machine.h"

/* Options that every verb takes. */
struct common {
	bool help, quiet, verbose, wait, dry_run, samples;
	char *db, *state, *sysroot, *output;
	int format, color;
};
enum { FORMAT_TEXT, FORMAT_JSON };
extern const struct opt common_opts[];

struct verb {
	const char *name, *arguments, *help;
	/* ARGV[0] is the verb; returns an exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct verb verb_info, verb_list, verb_log, verb_show, verb_restore, verb_lab;

/* A measurement by its name, as `tacho efficiency`. */
int verb_measure(int argc, char **argv);

/*
 * Parses common options and those of GROUPS (may be NULL). Sets the log level. Returns 0 with the
 * words moved to ARGV[1..] and counted in *RET_WORDS; 1 where --help was printed and the verb must
 * end with status 0; negative errno with ERR set.
 */
int common_parse(struct common *common, const struct verb *verb, const struct opt_group *groups,
		 size_t n, int argc, char **argv, int *ret_words, struct error *err);
void common_done(struct common *common);

/* Opens the root of --sysroot and reads the machine. */
int common_machine(const struct common *common, struct root **ret_root,
		   struct machine **ret_machine, struct error *err);

/* Where results go: standard output, or the file of -o, which is opened (and emptied) now. */
int common_output(const struct common *common, FILE **ret, struct error *err);

/* Flushes and closes it; a full disk or a broken pipe shows here. */
int common_output_done(const struct common *common, FILE *out, struct error *err);

bool common_color(const struct common *common, FILE *out);

/* The width of the terminal, or 100. */
size_t common_width(FILE *out);

/* Says ERR and returns the exit status that goes with R; 0 for R >= 0. */
int verb_end(int r, const struct error *err);
