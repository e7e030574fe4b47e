/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bringing experiments home from another database, through the same reading and writing as
 * everything else. */
#include <errno.h>
#include <sys/stat.h>

#include "store/db.h"

static bool same_file(const struct store *a, const struct store *b)
{
	struct stat x, y;

	return stat(a->path, &x) == 0 && stat(b->path, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

int store_import_db(struct store *store, const char *other_path, bool newest, size_t *ret_n,
		    int64_t *ret_last, struct error *err)
{
	_cleanup_store_ struct store *other = NULL;
	struct store_entry *entries = NULL;
	size_t n = 0, written = 0;
	int64_t last = 0;
	int r = store_open(other_path, true, &other, err);

	if (r < 0)
		return r;
	if (same_file(store, other))
		return fail(
			err, -EINVAL,
			"%s: is the database that results are kept in; give another one to import",
			other_path);
	r = store_list(other, newest ? 1 : 0, &entries, &n, err);
	for (size_t i = 0; r == 0 && i < n; i++) {
		_cleanup_record_ struct record *record = NULL;
		bool saved = false;

		r = store_load(other, entries[i].id, true, &record, err);
		if (r == 0)
			r = store_save(store, record, &last, &saved, err);
		written += saved;
	}
	store_entries_free(entries, n);
	if (ret_n)
		*ret_n = written;
	if (ret_last)
		*ret_last = last;
	return r;
}
