/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of machine/ share while they read: where they are, what could not be read so far,
 * and the parsed /proc/cpuinfo. Nothing here stops at a file that is missing or damaged: it is
 * noted once per kind of file.
 */
#pragma once

#include "machine/machine.h"

#define CPU_FOLDER "/sys/devices/system/cpu"

/* Of one kind of file, with one reason, all the places where it could not be read. */
struct gap {
	char *what, *reason;
	const char *plural; /* `CPUs`, `policies`; NULL for a file that there is once */
	struct cpus numbers;
};

struct midr {
	int cpu;
	uint64_t value;
};

/* What /proc/cpuinfo says. Texts are owned. */
struct cpuinfo {
	char *model, *board, *microcode;
	const char *architecture; /* as uname -m names it, guessed; or NULL */
	bool hypervisor;
	uint64_t siblings, cores; /* of the first package, UNKNOWN where it does not say */
	struct cpus processors;
	struct midr *midrs;
	size_t n_midrs;
	uint64_t common_midr; /* of all processors that have none of their own (32-bit Arm) */
};

struct reader {
	const struct root *root;
	struct machine *m;
	struct cpus cpus; /* present and with a folder: the ones to read */
	struct cpuinfo info;
	struct gap *gaps;
	size_t n_gaps;
	bool more_gaps; /* than are kept */
	bool no_memory;
};

/* A folder, and what it is one of. */
struct place {
	const char *folder;
	const char *each; /* `cpuN`, `policyN`; NULL where there is one such folder */
	const char *plural;
	int number;
};

/* A file in a place. */
struct item {
	const char *file;
	const char *absent; /* what it means that there is none; NULL: nothing more than that */
	uint64_t min, max;  /* of a number; max 0: any */
	bool quiet;         /* its absence is not worth a word */
};

/* Notes that ITEM could not be read at PLACE because of CODE, a negative errno. */
void note(struct reader *rd, const struct place *place, const struct item *item, int code);

/* The same for anything else, in words. PLURAL NULL, or what NUMBER is one of. */
void note_text(struct reader *rd, const char *what, const char *reason, const char *plural,
	       int number);

/* Turns what was noted into m->missing. */
void notes_finish(struct reader *rd);
void notes_done(struct reader *rd);

/* Each reads one item; NULL or UNKNOWN where that failed, which is noted. Texts are allocated. */
uint64_t place_number(struct reader *rd, const struct place *place, const struct item *item);
char *place_word(struct reader *rd, const struct place *place,
		 const struct item *item); /* one word */
char *place_line(struct reader *rd, const struct place *place,
		 const struct item *item); /* free text, line ends are spaces */
char **place_words(struct reader *rd, const struct place *place,
		   const struct item *item); /* without doubles */
uint64_t *place_numbers(struct reader *rd, const struct place *place, const struct item *item,
			size_t *ret_n); /* ascending */
bool place_cpus(struct reader *rd, const struct place *place, const struct item *item,
		struct cpus *ret);

/* A copy of TEXT up to its line end, with what is no text replaced by `?`; NULL for NULL. */
char *copy_text(struct reader *rd, const char *text);
char *keep(struct reader *rd, char *text); /* TEXT; notes where it is NULL that memory ran out */

/* N where NAME is PREFIX with a CPU number behind it, else -1. */
int name_number(const char *name, const char *prefix);

void cpuinfo_read(struct reader *rd);
void cpuinfo_done(struct cpuinfo *info);
uint64_t cpuinfo_midr(const struct cpuinfo *info, int cpu);

/* The name of the core that a MIDR stands for, or NULL. */
const char *midr_name(uint64_t midr);

/* The parts, in the order that they must be read in. */
void identity_read(struct reader *rd);
void kernel_config_read(struct reader *rd);
void policies_read(struct reader *rd);
void types_read(struct reader *rd);
void model_read(struct reader *rd); /* after the types, which may name it */
void idle_read(struct reader *rd);
void energy_model_read(struct reader *rd);
void limits_find(struct reader *rd);

void policy_done(struct policy *p);
bool machine_is_x86(const struct machine *m);
