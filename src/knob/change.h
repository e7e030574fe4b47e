/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single changes of the machine, in the order that they are made, and how values are compared. */
#pragma once

#include "knob/knob.h"

enum change_kind {
	CHANGE_WRITE,   /* a file gets a value */
	CHANGE_SAVE,    /* nothing is done, but a later change of the list destroys this value */
	CHANGE_MODULE,  /* the kernel will load this module */
	CHANGE_COMMAND, /* one command does, another undoes */
	CHANGE_HOLD,    /* a value that lasts as long as the file is open; never journalled */
	N_CHANGE_KINDS
};

/* A limit is in force when a worker of the kernel got to it (drivers/cpufreq/cpufreq.c,
 * handle_update()): how often and how far apart it is read before it counts as refused. */
#define READ_BACK_TRIES 50
#define READ_BACK_PAUSE (5 * NSEC_PER_MSEC)

/*
 * How a file's content and a value are compared.
 *
 * text: the word in brackets where the content is a choice (`always [madvise] never`, `none
 * (full)`), else all of it; numbers by value, 0/N/off and 1/Y/on alike, any run of white space
 * alike. limit: a frequency in kHz; of a table the neighbours of what was asked for are as good,
 * without one what is less than 100 MHz away. epp: a raw number equals the name that its range has.
 * feature: `NAME` or `NO_NAME` among many. held: the content is at most the value (the strictest of
 * all requests is in force).
 */
enum rule { RULE_TEXT, RULE_LIMIT, RULE_EPP, RULE_FEATURE, RULE_HELD, N_RULES };

struct change {
	enum change_kind kind;
	enum rule rule;
	enum knob_stage stage;
	bool passing;      /* the file goes when its governor does, and the value with it */
	bool made;         /* something is there to undo */
	char *knob;        /* the setting's name, for messages */
	char *path;        /* below the root; the module's, the command's name */
	char *old;         /* what is put back (the undo command); NULL: nothing is */
	char *new;         /* what is set (the do command); NULL: nothing is */
	uint64_t sequence; /* in the journal, 0 while it is not there */
	int fd;            /* CHANGE_HOLD, else -1 */
};

struct changes {
	struct change *list;
	size_t n;
};

void change_done(struct change *change);
void changes_done(struct changes *changes);
#define _cleanup_changes_ _cleanup_(changes_done)

/* Drops all but the first N. */
void changes_cut(struct changes *changes, size_t n);

/*
 * Adds an empty one for PATH, unless a change of that kind for that path is there already, which is
 * returned then. NULL without memory.
 */
struct change *changes_add(struct changes *changes, enum change_kind kind, const char *knob,
			   const char *path);

/* The same where one for PATH may be there already. */
struct change *changes_append(struct changes *changes, enum change_kind kind, const char *knob,
			      const char *path);

/* Moves all of FROM to the end of TO. */
int changes_move(struct changes *to, struct changes *from, struct error *err);

const char *rule_name(enum rule rule);
const char *change_kind_name(enum change_kind kind);

/*
 * The value that the file of CHANGE has now, as the rule sees it (for a feature: HINT or its
 * opposite), allocated. An empty file gives "". A negative errno where it cannot be read.
 */
int change_read(const struct root *root, const struct change *change, const char *hint, char **ret);

/* Whether NOW, read from the file of CHANGE, is the same value as WANTED. */
bool change_equal(const struct change *change, const char *wanted, const char *now);

/* Whether NOW is what the kernel may show after WANTED was written. */
bool change_took(const struct root *root, const struct change *change, const char *wanted,
		 const char *now);

/* Whether the value that CHANGE set is in force, *RET_NOW (allocated, may be NULL) being there. */
int change_in_force(const struct root *root, const struct change *change, char **ret_now);

/* Writes TEXT to the file of CHANGE: with a line end, but for files on disk, which are put back as
 * they were. */
int change_write(const struct root *root, const struct change *change, const char *text);

/* Whether what is in PATH is gone after a reboot. */
bool path_is_volatile(const char *path);

/*
 * Makes one change and reads it back. On failure it may have been made in part: it is then marked
 * as made. HOLD: see command_run().
 */
int change_make(const struct root *root, struct change *change, int hold, struct error *err);

/*
 * Runs a command with /bin/sh, its output on standard error, out of reach of the terminal's
 * signals. -EIO with its exit status in ERR where that is not 0. HOLD (or -1) is a descriptor that
 * the command has open while it runs, so that a lock on it tells whether it still does.
 */
int command_run(const struct root *root, const char *name, const char *command, int hold,
		struct error *err);
