/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small wrappers around SQLite, and its errors in words that say what to do. */
#include "store/db.h"

#include <errno.h>
#include <math.h>

int db_out_of_memory(struct error *err)
{
	return fail(err, -ENOMEM, "out of memory");
}

int db_damaged(const struct store *store, struct error *err, const char *what)
{
	return fail(
		err, -EINVAL,
		"%s: the database is damaged (%s); save what can be read with `sqlite3 DAMAGED .recover | sqlite3 "
		"NEW` and use the new file with --db",
		store->path, what);
}

static int fail_io(const struct store *store, struct error *err, const char *doing, int code)
{
	switch (code) {
	case -ENOSPC:
	case -EDQUOT:
		return fail(
			err, -ENOSPC,
			"%s: %s: no space left on its file system; finished runs are kept: make room, or give "
			"another place with --db",
			store->path, doing);
	case -EACCES:
	case -EPERM:
		return fail(
			err, -EACCES,
			"%s: %s: permission denied (the file and its folder must be writable for this user); "
			"change that, or give another place with --db",
			store->path, doing);
	case -EROFS:
		return fail(err, -EROFS,
			    "%s: %s: its file system is read-only; give another place with --db",
			    store->path, doing);
	default:
		return fail(err, code,
			    "%s: %s: %s (%s); give another place with --db if its disk has failed",
			    store->path, doing, sqlite3_errmsg(store->db), strerror(-code));
	}
}

static int system_code(const struct store *store, int otherwise)
{
	int code = sqlite3_system_errno(store->db);

	return code > 0 ? -code : otherwise;
}

int db_fail(const struct store *store, struct error *err, const char *doing)
{
	switch (sqlite3_errcode(store->db) & 0xff) {
	case SQLITE_NOTADB:
		return fail(
			err, -EINVAL,
			"%s: is not a tacho database (not an SQLite file at all); give the right file, or a new name",
			store->path);
	case SQLITE_CORRUPT:
	case SQLITE_ERROR: /* our statements are right: a table or a column is not there */
	case SQLITE_FORMAT:
	case SQLITE_MISMATCH:
	case SQLITE_CONSTRAINT:
		return db_damaged(store, err, sqlite3_errmsg(store->db));
	case SQLITE_FULL:
		return fail_io(store, err, doing, -ENOSPC);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return fail_io(store, err, doing, -EACCES);
	case SQLITE_CANTOPEN: {
		int code = system_code(store, -EACCES);

		/* A file beside the database is not there, because it could not be made. */
		return fail_io(store, err, doing, code == -ENOENT ? -EACCES : code);
	}
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fail(
			err, -EBUSY,
			"%s: %s: another process has been writing to it for too long; try again, or use a database of "
			"its own with --db",
			store->path, doing);
	case SQLITE_NOMEM:
		return db_out_of_memory(err);
	case SQLITE_TOOBIG:
		return fail(err, -E2BIG, "%s: %s: one value is larger than the database can hold",
			    store->path, doing);
	default:
		return fail_io(store, err, doing, system_code(store, -EIO));
	}
}

int db_exec(const struct store *store, const char *sql, struct error *err)
{
	return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
		       ? 0
		       : db_fail(store, err, "writing");
}

int db_prepare(const struct store *store, const char *sql, sqlite3_stmt **ret, struct error *err)
{
	return sqlite3_prepare_v2(store->db, sql, -1, ret, NULL) == SQLITE_OK
		       ? 0
		       : db_fail(store, err, "reading");
}

int db_step(const struct store *store, sqlite3_stmt *statement, struct error *err)
{
	switch (sqlite3_step(statement)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return db_fail(store, err,
			       sqlite3_stmt_readonly(statement) ? "reading" : "writing");
	}
}

int db_run(const struct store *store, sqlite3_stmt *statement, struct error *err)
{
	int r = db_step(store, statement, err);

	sqlite3_reset(statement);
	return r < 0 ? r : 0;
}

int db_number(const struct store *store, const char *sql, int64_t otherwise, int64_t *ret,
	      struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *statement = NULL;
	int r = db_prepare(store, sql, &statement, err);

	if (r == 0)
		r = db_step(store, statement, err);
	if (r < 0)
		return r;
	*ret = r == 1 ? sqlite3_column_int64(statement, 0) : otherwise;
	return 0;
}

int db_begin(const struct store *store, struct error *err)
{
	if (store->readonly)
		return fail(err, -EACCES, "%s: was opened for reading only", store->path);
	return db_exec(store, "BEGIN IMMEDIATE", err);
}

int db_end(const struct store *store, int r, struct error *err)
{
	if (r == 0)
		r = db_exec(store, "COMMIT", err);
	/* After some failures (a full disk) SQLite has rolled back by itself. */
	if (r < 0 && !sqlite3_get_autocommit(store->db))
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return r;
}

void db_bind_text(sqlite3_stmt *statement, int parameter, const char *text)
{
	sqlite3_bind_text(statement, parameter, text, -1, SQLITE_STATIC);
}

int db_column_text(sqlite3_stmt *statement, int column, char **ret)
{
	const char *text = (const char *) sqlite3_column_text(statement, column);

	*ret = text ? strdup(text) : NULL;
	/* NULL without a NULL in the file means that SQLite had no memory for the text. */
	return *ret || sqlite3_column_type(statement, column) == SQLITE_NULL ? 0 : -ENOMEM;
}

double db_column_double(sqlite3_stmt *statement, int column)
{
	return sqlite3_column_type(statement, column) == SQLITE_NULL
		       ? NAN
		       : sqlite3_column_double(statement, column);
}
