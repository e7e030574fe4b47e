/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of knob/ share: how a setting becomes changes of files, how values are compared,
 * and the table of knobs. A new knob is a file of its own, one X() line and one line in
 * meson.build.
 */
#pragma once

#include "knob/change.h"
#include "knob/knob.h"

/* A setting that was taken apart. The texts belong to the setting or to the request. */
struct request {
	const struct root *root;
	const struct knob *knob;
	const char *name;  /* as it was given */
	const char *value; /* NULL when only the value in force is asked for */
	char *base;        /* behind the knob's prefix, without `@...`; the whole name otherwise */
	int policy, cpu;   /* what it is narrowed to, -1 for all */
	const struct request *batch; /* all that is set together */
	size_t n_batch;
	bool dry; /* nothing of the batch was set yet: what depends on it cannot be looked at */
};

struct knob {
	const char *name, *help, *scope, *verified;
	const char *prefix; /* of its names, as `idle/`; NULL where the name is all */
	enum knob_stage stage;
	bool open; /* takes any name with a `/`: asked last */

	/* Whether this machine has it at all; NULL: as find() says. */
	int (*available)(const struct root *root, struct error *err);

	/* Adds the files that the setting concerns, with the rule that they are compared by. */
	int (*find)(const struct request *rq, struct changes *ret, struct error *err);

	/* The value for one of these files as the kernel takes it (allocated); NULL: as given. */
	int (*encode)(const struct request *rq, const struct change *file, char **ret,
		      struct error *err);

	/* The reverse, for knob_get(); NULL: as read. */
	int (*decode)(const struct request *rq, const struct change *file, const char *text,
		      char **ret, struct error *err);

	/* All changes for the setting, in order; NULL: find() and encode(). Nothing is written. */
	int (*plan)(const struct request *rq, struct changes *ret, struct error *err);

	/* The value in force; NULL: what all files of find() agree on. */
	int (*get)(const struct request *rq, char **ret, struct error *err);
};

#define KNOBS(X)         \
	X(governor)      \
	X(tunable)       \
	X(min_freq)      \
	X(max_freq)      \
	X(epp)           \
	X(boost)         \
	X(driver_mode)   \
	X(idle)          \
	X(dma_latency)   \
	X(sched_feature) \
	X(sched)         \
	X(eas)           \
	X(sysctl)        \
	X(file)          \
	X(command)

#define X(name) extern const struct knob knob_##name;
KNOBS(X)
#undef X

/* Takes SETTING apart; the request points into it. -EINVAL for a name that no knob has. */
int request_init(struct request *rq, const struct root *root, const struct setting *setting,
		 struct error *err);
void request_done(struct request *rq);

/*
 * The changes that the request stands for, none of them made. With rq->dry what the value is and
 * whether the files can be written is checked too: -EACCES, -EOPNOTSUPP, -EINVAL.
 */
int request_plan(const struct request *rq, struct changes *ret, struct error *err);

/* find() and encode() for all files: what knobs without a plan of their own do. */
int plan_files(const struct request *rq, struct changes *ret, struct error *err);

/* encode() and decode() of knobs whose value is 0 or 1 (also on, off, yes, no). */
int encode_switch(const struct request *rq, const struct change *file, char **ret,
		  struct error *err);
int parse_switch(const char *name, const char *value, bool *ret, struct error *err);

int out_of_memory(struct error *err);
