/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of one session: what it is about to change, on disk before it does. Text, so that a
 * person can read it: one record a line, `CRC FIELDS`, fields separated by tabs, tabs, line ends
 *and backslashes in them escaped as \t \n \\, a value that is not there written \-. CRC is the
 *CRC-32 (IEEE 802.3) of what is behind the space, eight hexadecimal digits. The records:
 *
 *	T 1 BOOT HOST ROOT PID START		the first: whose journal it is
 *	C NUMBER KIND RULE PASSING KNOB PATH OLD NEW	a change, written before it is made
 *	U NUMBER				that change was undone
 *
 * A last line that is torn was not synced, so its change was not made. The file gets its name only
 * when its first record is whole, and is removed when all was undone.
 *
 * Whoever works with a journal holds a flock(2) on it, and so do the commands that it runs: one
 *that outlives its killed session is waited for before it is undone.
 */
#pragma once

#include <sys/types.h>

#include "knob/change.h"

#define JOURNAL_PREFIX "journal."
#define JOURNAL_NEW_PREFIX "new." /* HOST.PID: not yet whole */

/* Who writes a journal. START: clock ticks since boot (proc(5), stat, field 22). */
struct journal_owner {
	char boot[64], host[65];
	char *root; /* absolute, `/` for the real one */
	pid_t pid;
	unsigned long long start;
};

/* Fills in this process and ROOT. */
int journal_owner_self(struct journal_owner *ret, const struct root *root, struct error *err);
void journal_owner_done(struct journal_owner *owner);

/* Whether the process that OWNER names lives. */
bool journal_owner_alive(const struct journal_owner *owner);

struct journal {
	int folder, fd;
	char *folder_path, *name; /* the folder absolute */
	struct journal_owner owner;
	off_t length; /* of whole records; what is behind is cut off before the next one */
	uint64_t sequence;
	size_t undone; /* records of no more use */
};

/* A new journal in FOLDER_PATH, without changes. Returns 0 or a negative errno with ERR set. */
int journal_create(const char *folder_path, const struct root *root, struct journal **ret,
		   struct error *err);
void journal_free(struct journal *journal);
static inline void journal_freep(struct journal **journal)
{
	journal_free(*journal);
}
#define _cleanup_journal_ _cleanup_(journal_freep)

/*
 * Writes and syncs the changes from FROM to TO (exclusive) and gives them their numbers. Where that
 * fails the journal is as before. Those with nothing to undo, and those that the kernel itself
 * undoes, are left out.
 */
int journal_append(struct journal *journal, struct changes *changes, size_t from, size_t to,
		   struct error *err);

/* Notes that a change was undone. Not synced, and no failure: undoing it again does no harm. */
void journal_undone(struct journal *journal, const struct change *change);

/* Writes the journal anew with CHANGES alone, numbered as they are. */
int journal_rewrite(struct journal *journal, const struct changes *changes, struct error *err);

/* Removes the file. */
int journal_remove(struct journal *journal, struct error *err);

/*
 * Opens a journal that is there. *RET_CHANGES: those not undone, in order, all taken as made.
 * -ENOENT where it is gone, -EPERM where another user owns it, -EBADMSG where a record in its
 * middle, or the first, is damaged (whole ones are returned all the same, the journal is not).
 */
int journal_open(const char *folder_path, const char *name, struct journal **ret,
		 struct changes *ret_changes, struct error *err);

/* Waits until no command of the journal's session runs any more, but not for ever: a command may
 * have left a daemon behind that has its files open. */
void journal_settle(struct journal *journal);

/* Removes what a process of this machine left that was killed while it wrote one. */
void journal_sweep(const char *folder_path);

/* Between the two halves of the implementation. */
uint32_t journal_crc(const char *text, size_t size);
char *journal_field(
	char **cursor); /* the next field, unescaped in place; NULL where there is none */
int journal_parse(char *text, size_t size, struct journal *ret, struct changes *ret_changes);
