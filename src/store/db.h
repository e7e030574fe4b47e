/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of this folder share: the open database, and SQLite's errors turned into ours. Not
 * for other folders. */
#pragma once

#include <sqlite3.h>

#include "store/store.h"

struct store {
	sqlite3 *db;
	char *path;
	bool readonly;
	bool empty; /* read-only, and without a schema: nothing was ever stored */
};

/* Records what SQLite says about the last call on the database, as DOING (`reading experiment 3`).
 * Returns the code. */
int db_fail(const struct store *store, struct error *err, const char *doing);

/* The contents make no sense. WHAT says where. Returns -EINVAL. */
int db_damaged(const struct store *store, struct error *err, const char *what);

int db_out_of_memory(struct error *err);

/* Runs SQL without results. */
int db_exec(const struct store *store, const char *sql, struct error *err);

/* Prepares one statement, to be finalised by the caller. */
int db_prepare(const struct store *store, const char *sql, sqlite3_stmt **ret, struct error *err);

/* Steps once: 1 where there is a row, 0 at the end, or a negative errno. */
int db_step(const struct store *store, sqlite3_stmt *statement, struct error *err);

/* Steps a statement that gives no rows and resets it for its next use. */
int db_run(const struct store *store, sqlite3_stmt *statement, struct error *err);

/* The first column of the only row that SQL gives, or OTHERWISE where it gives none. */
int db_number(const struct store *store, const char *sql, int64_t otherwise, int64_t *ret,
	      struct error *err);

/* Transactions. db_begin() takes the right to write at once, so that it cannot fail half-way for
 * another writer. */
int db_begin(const struct store *store, struct error *err);
/* Commits where R is 0, else takes everything back. Returns R, or why the commit failed. */
int db_end(const struct store *store, int r, struct error *err);

static inline void finalizep(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}
#define _cleanup_statement_ _cleanup_(finalizep)

/* Parameters from 1. A text of NULL and a NaN become NULL. */
void db_bind_text(sqlite3_stmt *statement, int parameter, const char *text);

/* A copy of a column's text; NULL where it is NULL. 0 or -ENOMEM. */
int db_column_text(sqlite3_stmt *statement, int column, char **ret);

/* A column's number; NAN where it is NULL. */
double db_column_double(sqlite3_stmt *statement, int column);
