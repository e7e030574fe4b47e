/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings of the machine. A setting `NAME=VALUE` belongs to one knob, which turns it into writes
 * of files (or commands, or a file descriptor held open). All changes go through a session: it
 * holds the machine's lock, journals before it changes, and puts everything back.
 */
#pragma once

#include "lib/root.h"
#include "machine/machine.h"

/* In which order settings are made; undone in reverse (DESIGN §6). */
enum knob_stage {
	STAGE_MODE, /* driver_mode: re-creates policies, so everything else follows it */
	STAGE_BOOST,
	STAGE_GOVERNOR,
	STAGE_TUNABLE,
	STAGE_LIMIT, /* widen before narrowing */
	STAGE_EPP,
	STAGE_OTHER,
};

struct knob; /* knob-internal.h */

struct setting {
	char *name; /* `governor`, `governor@policy4`, `ondemand/sampling_rate`, `idle/C6@cpu3`,
		       `file:/sys/...` */
	char *value;
};

/* `NAME=VALUE`, split at the last `=`. Returns 0 or -EINVAL; the texts are allocated. */
int setting_parse(const char *text, struct setting *ret, struct error *err);
void setting_done(struct setting *setting);

/* Whether NAME is spelt as a knob's name is (whatever this machine has). */
bool knob_is_name(const char *name);

/*
 * Checks that a setting can be made on this machine, without changing anything: the knob exists
 * here, the value is one that it takes. -EINVAL (unknown name, unknown governor: the text lists
 * those there are), -EOPNOTSUPP (this machine lacks it), -EACCES (needs root).
 */
int knob_check(const struct root *root, const struct machine *m, const struct setting *setting,
	       struct error *err);

/*
 * The same for settings that are made together: a tunable then needs its governor in force or among
 * them (-EINVAL says so).
 */
int knob_check_all(const struct root *root, const struct machine *m, const struct setting *settings,
		   size_t n, struct error *err);

/* The value now in force, as text in the form that it is set in; allocated. -EXDEV where policies
 * or CPUs differ in it. */
int knob_get(const struct root *root, const struct machine *m, const char *name, char **ret,
	     struct error *err);

/* Every governor that the kernel offers here, those of modules not yet loaded included, userspace
 * excluded; NULL-terminated, sorted, allocated. */
int knob_governors(const struct root *root, const struct machine *m, char ***ret,
		   struct error *err);

/* One line of `tacho list knobs`. */
struct knob_info {
	const char *name; /* `governor`, `GOVERNOR/TUNABLE`, ... */
	const char *help;
	const char *scope;    /* machine, policy, cpu */
	const char *verified; /* "" or `read from its documentation` where it never ran on real
				 hardware */
};
size_t knob_count(void);
void knob_describe(size_t index, struct knob_info *ret);
/* 0 where knob INDEX can be used here, else a negative errno with the reason in ERR. */
int knob_available(const struct root *root, const struct machine *m, size_t index,
		   struct error *err);

struct session;

struct session_options {
	const char *state_dir;     /* --state, or NULL for the default places */
	bool wait;                 /* wait for another tacho instead of refusing */
	const volatile bool *stop; /* set by the caller's signal handlers: ends waiting with -EINTR;
				      may be NULL */
};

/*
 * Takes the machine's lock (-EBUSY with the other's pid in ERR), first puts back what an earlier
 * session that died left changed, starts the watchdog. Writes nothing to the machine itself, so it
 * works without privilege.
 */
int session_open(const struct root *root, const struct session_options *options,
		 struct session **ret, struct error *err);

/*
 * Brings the machine to exactly its state at the start plus SETTINGS: what an earlier apply changed
 * and SETTINGS does not name is put back first. Each batch is journalled and fsynced before it is
 * made; each write is read back and compared by the knob's own rule. On failure everything is put
 * back before it returns.
 */
int session_apply(struct session *s, const struct setting *settings, size_t n, struct error *err);

/* Whether all that the last apply set is still so: 0, or -ESTALE with what was changed by someone
 * else in ERR. */
int session_verify(struct session *s, struct error *err);

/*
 * Puts everything back, removes the journal, ends the watchdog, gives the lock away, frees. 0, or
 * -ENOTRECOVERABLE with the list of what could not be put back in ERR (the journal then stays, for
 * `tacho restore`).
 */
int session_close(struct session *s, struct error *err);

/*
 * `tacho restore`: puts back what dead sessions left. *RET_N: how many settings were put back. 0,
 * -ENOTRECOVERABLE with the list, -EBUSY where a live tacho holds the lock.
 */
int session_restore(const struct root *root, const char *state_dir, size_t *ret_n,
		    struct error *err);
