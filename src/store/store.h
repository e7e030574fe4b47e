/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that results are kept in: one SQLite database, which two processes may write to at once.
 * Every finished run is one transaction, so that a kill, a crash of the kernel or a full disk loses
 * at most the run in progress.
 *
 * Errors, for all functions here, name the file and what to do about it: -EINVAL where the file, or
 * what the user named in it, is wrong (not a database, of another program, of a newer tacho,
 * damaged; no such experiment); -ENOENT where there is no file; -EACCES, -EROFS, -ENOSPC, -EBUSY,
 * -EIO, -ENOMEM as usual.
 */
#pragma once

#include <stdint.h>

#include "lib/error.h"
#include "lib/macro.h"
#include "lib/record.h"

struct store;

/*
 * The path of the database, allocated: OPTION (--db) where it is not NULL, else $TACHO_DB, else
 * tacho/tacho.db in the invoking user's data folder ($XDG_DATA_HOME, else ~/.local/share; also
 * under sudo, by SUDO_UID), else tacho.db here where that user has no home.
 */
int store_default_path(const char *option, char **ret, struct error *err);

/*
 * Opens the database at PATH. Unless READONLY, makes the file and its folders where they are
 * missing (under sudo they then belong to the invoking user), and brings an older schema up to
 * date. READONLY changes nothing and needs no permission to write; a database without any results
 * in it is fine.
 */
int store_open(const char *path, bool readonly, struct store **ret, struct error *err);
void store_close(struct store *store);
static inline void store_closep(struct store **store)
{
	store_close(*store);
}
#define _cleanup_store_ _cleanup_(store_closep)

const char *store_path(const struct store *store);

/*
 * A sink that writes to STORE as an experiment goes, for as long as STORE is open. begin() gives
 * record->id, and record->uuid where it has none; where record->id is set already, that experiment
 * is continued (its status is running again, its configurations and metrics are replaced by those
 * of the record, which must start with the same ones).
 */
void store_sink(struct store *store, struct sink *ret);

/*
 * Writes a whole record in one transaction and returns its id in *RET_ID (which may be NULL).
 * record->id is ignored. One of the same uuid is left alone and its id returned, unless it is
 * incomplete and RECORD has more runs or an end: then it is replaced under its id. *RET_SAVED (may
 * be NULL) says whether anything was written.
 */
int store_save(struct store *store, const struct record *record, int64_t *ret_id, bool *ret_saved,
	       struct error *err);

/*
 * Reads an experiment. Without WITH_SAMPLES the values have none (n_samples is 0). An experiment
 * whose process is gone is `interrupted`, whatever the file says.
 */
int store_load(struct store *store, int64_t id, bool with_samples, struct record **ret,
	       struct error *err);

/* One line of `tacho log`. */
struct store_entry {
	int64_t id;
	char *uuid, *name; /* name NULL: none given */
	char *measurement, *status;
	char *kernel;             /* from the machine's description, or NULL */
	char *configurations;     /* their names, separated by `, `; references left out */
	double started, finished; /* seconds since the epoch; finished 0: no end */
	bool emulated;
	unsigned blocks; /* the highest block of a run */
	size_t n_runs, n_invalid;
};

/* All experiments, oldest first, at most the newest LIMIT of them (0: all). Freed with
 * store_entries_free(). */
int store_list(struct store *store, size_t limit, struct store_entry **ret, size_t *ret_n,
	       struct error *err);
void store_entries_free(struct store_entry *entries, size_t n);

/*
 * The id of what the user calls an experiment: its number, `-1` for the last one, `-2` for the one
 * before, its name, or at least four characters of the start of its uuid. -EINVAL where there is
 * none or more than one.
 */
int store_find(struct store *store, const char *what, int64_t *ret_id, struct error *err);

/*
 * Copies experiments out of another tacho database: all of them, or with NEWEST the last one. As
 * store_save() each: what is here already stays. *RET_N: how many were written; *RET_LAST: the id
 * here of the last one looked at, 0: none. Both may be NULL.
 */
int store_import_db(struct store *store, const char *other_path, bool newest, size_t *ret_n,
		    int64_t *ret_last, struct error *err);
