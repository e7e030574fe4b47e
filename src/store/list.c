/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `tacho log` lists, and what the user means by a word that names an experiment. Reads no
 * values. */
#include <errno.h>
#include <limits.h>

#include "lib/units.h"
#include "store/db.h"
#include "store/writer.h"

#define SHORTEST_UUID 4 /* characters of one that may stand for it */

static const char list_sql[] =
	"SELECT id, uuid, name, measurement, status,"
	" CASE WHEN json_valid(machine) THEN json_extract(machine, '$.kernel') END,"
	" (SELECT group_concat(name, ', ') FROM (SELECT coalesce(name, id) AS name FROM configuration"
	"  WHERE experiment = experiment.id AND NOT reference ORDER BY position)),"
	" started, finished, emulated, writer,"
	" (SELECT max(block) FROM run WHERE experiment = experiment.id),"
	" (SELECT count(*) FROM run WHERE experiment = experiment.id),"
	" (SELECT count(*) FROM run WHERE experiment = experiment.id AND valid = 0)"
	" FROM (SELECT * FROM experiment ORDER BY id DESC LIMIT ?) AS experiment ORDER BY id";

static int read_entry(const struct store *store, sqlite3_stmt *s, struct store_entry *e,
		      struct error *err)
{
	char **const texts[] = { &e->uuid,   &e->name,   &e->measurement,
				 &e->status, &e->kernel, &e->configurations };
	int64_t blocks = sqlite3_column_int64(s, 11);

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (db_column_text(s, (int) i + 1, texts[i]) < 0)
			return db_out_of_memory(err);
	if (!e->uuid || !e->status || blocks < 0 || blocks > UINT_MAX)
		return db_damaged(store, err, "an experiment");
	e->id = sqlite3_column_int64(s, 0);
	e->started = db_column_double(s, 7);
	e->finished = db_column_double(s, 8);
	e->emulated = sqlite3_column_int(s, 9) != 0;
	e->blocks = (unsigned) blocks;
	e->n_runs = (size_t) sqlite3_column_int64(s, 12);
	e->n_invalid = (size_t) sqlite3_column_int64(s, 13);
	if (streq(e->status, "running") &&
	    !writer_alive((const char *) sqlite3_column_text(s, 10))) {
		free(e->status);
		e->status = strdup("interrupted");
		return e->status ? 0 : db_out_of_memory(err);
	}
	return 0;
}

int store_list(struct store *store, size_t limit, struct store_entry **ret, size_t *ret_n,
	       struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	struct store_entry *entries = NULL;
	size_t n = 0;
	int r = store->empty ? 0 : db_prepare(store, list_sql, &s, err);

	if (s)
		sqlite3_bind_int64(s, 1, limit ? (sqlite3_int64) limit : -1);
	while (r == 0 && s && (r = db_step(store, s, err)) == 1) {
		struct store_entry *e = array_add(&entries, &n, sizeof(*e));

		r = e ? read_entry(store, s, e, err) : db_out_of_memory(err);
	}
	if (r < 0) {
		store_entries_free(entries, n);
		return r;
	}
	*ret = entries;
	*ret_n = n;
	return 0;
}

void store_entries_free(struct store_entry *entries, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(entries[i].uuid);
		free(entries[i].name);
		free(entries[i].measurement);
		free(entries[i].status);
		free(entries[i].kernel);
		free(entries[i].configurations);
	}
	free(entries);
}

/* Steps through the ids that match: 0 and *RET_ID where it is one, 1 where there is none, -EINVAL
 * with several. */
static int only_one(struct store *store, sqlite3_stmt *s, const char *what, int64_t *ret_id,
		    struct error *err)
{
	char ids[128] = "";
	size_t n = 0, used = 0;
	int r;

	while ((r = db_step(store, s, err)) == 1) {
		int64_t id = sqlite3_column_int64(s, 0);

		n++;
		*ret_id = id;
		if (used < sizeof(ids))
			used += (size_t) snprintf(ids + used, sizeof(ids) - used, "%s%lld",
						  n > 1 ? ", " : "", (long long) id);
	}
	if (r < 0)
		return r;
	if (n > 1)
		return fail(err, -EINVAL, "`%s` means %zu experiments (%s): give the number of one",
			    what, n, ids);
	return n == 0;
}

static int find_text(struct store *store, const char *sql, const char *text, const char *what,
		     int64_t *ret_id, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(store, sql, &s, err);

	if (r < 0)
		return r;
	db_bind_text(s, 1, text);
	return only_one(store, s, what, ret_id, err);
}

static int find_number(struct store *store, const char *what, int64_t *ret_id, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	struct error ignored = { 0 };
	int64_t number;
	int r;

	if (parse_s64_text("experiment", what, &number, &ignored) < 0)
		return 1;
	r = db_prepare(store,
		       number < 0 ? "SELECT id FROM experiment ORDER BY id DESC LIMIT 1 OFFSET ?"
				  : "SELECT id FROM experiment WHERE id = ?",
		       &s, err);
	if (r < 0)
		return r;
	sqlite3_bind_int64(s, 1, number < 0 ? -(number + 1) : number);
	return only_one(store, s, what, ret_id, err);
}

static int find_uuid(struct store *store, const char *what, int64_t *ret_id, struct error *err)
{
	char pattern[40];
	size_t n = strlen(what);

	if (n < SHORTEST_UUID || n > 36 || strspn(what, "0123456789abcdefABCDEF-") != n)
		return 1;
	snprintf(pattern, sizeof(pattern), "%s%%", what);
	return find_text(store, "SELECT id FROM experiment WHERE uuid LIKE ?", pattern, what,
			 ret_id, err);
}

int store_find(struct store *store, const char *what, int64_t *ret_id, struct error *err)
{
	int r = 1;

	if (!store->empty) {
		r = find_number(store, what, ret_id, err);
		if (r == 1)
			r = find_text(store, "SELECT id FROM experiment WHERE name = ?", what, what,
				      ret_id, err);
		if (r == 1)
			r = find_uuid(store, what, ret_id, err);
	}
	if (r == 1)
		return fail(
			err, -EINVAL,
			"there is no experiment `%s` in %s; `tacho log` lists those that are there",
			what, store->path);
	return r;
}
