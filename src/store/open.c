/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening the database: write-ahead logging where the file system can do it (writers do not stop
 * readers, one fsync a transaction), a rollback journal where it cannot, and files that nobody may
 * write to.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "store/db.h"
#include "store/path.h"
#include "store/schema.h"

#define BUSY_MS 10000
#define LARGEST_VALUE (1 << 30) /* bytes; a damaged file shall not make us ask for more */
#define FUSE_MAGIC 0x65735546   /* FUSE_SUPER_MAGIC in the kernel, not in its exported headers */
#define CIFS_MAGIC 0xff534d42   /* likewise */

/* WAL needs memory shared by all that have the file open (sqlite.org/wal.html), which these do not
 * promise. */
static bool wal_unfit(const char *path)
{
	struct statfs fs;

	if (statfs(path, &fs) < 0)
		return true;
	switch ((unsigned long) fs.f_type & 0xffffffffUL) {
	case NFS_SUPER_MAGIC:
	case SMB_SUPER_MAGIC:
	case CIFS_MAGIC:
	case SMB2_SUPER_MAGIC:
	case V9FS_MAGIC:
	case AFS_SUPER_MAGIC:
	case CEPH_SUPER_MAGIC:
	case FUSE_MAGIC:
		return true;
	default:
		return false;
	}
}

static int open_database(struct store *store, const char *name, int flags, struct error *err)
{
	int r;

	sqlite3_close(store->db);
	store->db = NULL;
	r = sqlite3_open_v2(name, &store->db,
			    flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);
	if (!store->db)
		return db_out_of_memory(err);
	if (r != SQLITE_OK)
		return db_fail(store, err, "opening");
	sqlite3_extended_result_codes(store->db, 1);
	sqlite3_busy_timeout(store->db, BUSY_MS);
	sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, LARGEST_VALUE);
	/* A database that was sent to us is data: what it brings as triggers or views is not
	 * carried out. */
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	return db_exec(
		store,
		"PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL; "
		"PRAGMA wal_autocheckpoint = 100",
		err);
}

/* Changing the mode needs the file for itself, and SQLite does not wait for that by itself. */
static int set_journal(const struct store *store, const char *mode)
{
	char sql[64];
	int r = SQLITE_BUSY;

	snprintf(sql, sizeof(sql), "PRAGMA journal_mode = %s", mode);
	for (int i = 0; i < BUSY_MS / 20 && (r & 0xff) == SQLITE_BUSY; i++) {
		if (i)
			usleep(20000);
		r = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
	}
	return r;
}

/* Whatever mode comes of it, the database works: a file system that refuses WAL keeps the journal
 * that it had. */
static void choose_journal(struct store *store)
{
	if (!wal_unfit(store->path) && set_journal(store, "WAL") == SQLITE_OK)
		return;
	sqlite3_exec(store->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
	set_journal(store, "DELETE");
	sqlite3_exec(store->db, "PRAGMA locking_mode = NORMAL", NULL, NULL, NULL);
}

/* Whether what SQLite would have to put in or take back first lies beside the file. */
static bool has_rest(const struct store *store)
{
	static const char *const suffixes[] = { "wal", "journal" };

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *name = NULL;
		struct stat st;

		if (asprintf(&name, "%s-%s", store->path, suffixes[i]) < 0) {
			name = NULL;
			return true;
		}
		if (stat(name, &st) == 0 && st.st_size > 0)
			return true;
	}
	return false;
}

/*
 * A database in WAL mode in a folder that may not be written: readers cannot make the shared index.
 * As long as there is no log beside it the file is complete in itself, and nobody else can be
 * writing to it there.
 */
static int open_immutable(struct store *store, struct error *err)
{
	_cleanup_free_ char *uri = malloc(strlen(store->path) * 3 + 32);
	char *p = uri;

	if (!uri)
		return db_out_of_memory(err);
	p += sprintf(p, "file:");
	for (const char *s = store->path; *s; s++)
		p += strchr("?#%", *s) ? sprintf(p, "%%%02x", (unsigned char) *s)
				       : sprintf(p, "%c", *s);
	sprintf(p, "?immutable=1");
	return open_database(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
}

static int open_checked(struct store *store, int flags, struct error *err)
{
	int r = open_database(store, store->path, flags, err);

	if (r == 0)
		r = db_exec(store, "PRAGMA query_only = ON", err);
	return r == 0 ? schema_check(store, err) : r;
}

static int open_readonly(struct store *store, struct error *err)
{
	struct error why = { 0 };
	int r = -EACCES;

	/* Where we may write, SQLite can finish what a killed writer left; the contents stay as
	 * they are. */
	if (faccessat(AT_FDCWD, store->path, W_OK, AT_EACCESS) == 0)
		r = open_checked(store, SQLITE_OPEN_READWRITE, &why);
	if (r == -EACCES || r == -EROFS || r == -EIO) {
		error_clear(&why);
		r = open_checked(store, SQLITE_OPEN_READONLY, &why);
	}
	if (r != -EACCES && r != -EROFS && r != -EIO)
		return r == 0 ? 0 : fail(err, r, "%s", why.text);
	if (has_rest(store))
		return fail(
			err, r,
			"%s: cannot be read where its folder is not writable, because its last results are still in the "
			"-wal or -journal file beside it; copy both to another folder and give that with --db",
			store->path);
	r = open_immutable(store, err);
	return r == 0 ? schema_check(store, err) : r;
}

static int open_writable(struct store *store, struct error *err)
{
	int r = open_database(store, store->path, SQLITE_OPEN_READWRITE, err);
	struct error first = { 0 };

	if (r < 0)
		return r;
	r = schema_check(store, &first);
	/* In WAL mode from elsewhere, where this file system cannot share memory. */
	if (r == -EIO && wal_unfit(store->path)) {
		sqlite3_exec(store->db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL);
		error_clear(&first);
		r = schema_check(store, &first);
	}
	if (r < 0)
		return fail(err, r, "%s", first.text);
	choose_journal(store);
	return 0;
}

int store_open(const char *path, bool readonly, struct store **ret, struct error *err)
{
	_cleanup_store_ struct store *store = NULL;
	int r = readonly ? path_check(path, err) : path_prepare(path, err);

	if (r < 0)
		return r;
	store = calloc(1, sizeof(*store));
	if (!store)
		return db_out_of_memory(err);
	store->readonly = readonly;
	/* SQLite gives a meaning to names such as `:memory:` and `file:...`; a path has none. */
	if (asprintf(&store->path, "%s%s", *path == '/' ? "" : "./", path) < 0) {
		store->path = NULL;
		return db_out_of_memory(err);
	}
	r = readonly ? open_readonly(store, err) : open_writable(store, err);
	if (r < 0)
		return r;
	*ret = steal_ptr(store);
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close(store->db);
	free(store->path);
	free(store);
}

const char *store_path(const struct store *store)
{
	return store->path;
}
