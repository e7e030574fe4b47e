/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/schema.h"

#include <errno.h>

/* Enums are kept as texts, so that their numbers may change and people can read the file. */
static const char first_schema[] =
	"CREATE TABLE experiment (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, name TEXT,"
	" measurement TEXT, options TEXT, command TEXT, machine TEXT, facts TEXT, status TEXT, seed INTEGER,"
	" started REAL, finished REAL, emulated INTEGER, margin REAL, baseline INTEGER, writer TEXT);"
	"CREATE INDEX experiment_name ON experiment (name);"
	"CREATE TABLE metric (experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE, position INTEGER,"
	" name TEXT, unit TEXT, help TEXT, better TEXT, effect TEXT, is_primary INTEGER, per_block INTEGER,"
	" per_work INTEGER, margin REAL, PRIMARY KEY (experiment, position)) WITHOUT ROWID;"
	"CREATE TABLE configuration (experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,"
	" position INTEGER, id TEXT, name TEXT, knobs TEXT, options TEXT, reference INTEGER,"
	" PRIMARY KEY (experiment, position)) WITHOUT ROWID;"
	"CREATE TABLE run (id INTEGER PRIMARY KEY, experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE,"
	" block INTEGER, attempt INTEGER, ordinal INTEGER, configuration INTEGER, started REAL, seconds REAL,"
	" valid INTEGER, reason TEXT, environment TEXT);"
	"CREATE INDEX run_block ON run (experiment, block);"
	"CREATE INDEX run_invalid ON run (experiment) WHERE valid = 0;"
	"CREATE TABLE labels (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
	"CREATE TABLE value (run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, position INTEGER, metric INTEGER,"
	" labels INTEGER REFERENCES labels, number REAL, samples BLOB, PRIMARY KEY (run, position)) WITHOUT ROWID;"
	"CREATE TABLE block_value (id INTEGER PRIMARY KEY,"
	" experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE, block INTEGER, configuration INTEGER,"
	" metric INTEGER, labels INTEGER REFERENCES labels, number REAL, samples BLOB);"
	"CREATE INDEX block_value_experiment ON block_value (experiment);"
	"CREATE TABLE discard (id INTEGER PRIMARY KEY,"
	" experiment INTEGER NOT NULL REFERENCES experiment ON DELETE CASCADE, block INTEGER, attempt INTEGER,"
	" reason TEXT);"
	"CREATE INDEX discard_experiment ON discard (experiment);";

/* steps[N] leads from version N to N + 1. A step that was released is never changed. */
static const char *const steps[] = { first_schema };

#define PRESENT_VERSION ((int64_t) ARRAY_SIZE(steps))

struct header {
	int64_t application, version, tables;
};

static int read_header(const struct store *store, struct header *ret, struct error *err)
{
	int r = db_number(store, "PRAGMA application_id", 0, &ret->application, err);

	if (r == 0)
		r = db_number(store, "PRAGMA user_version", 0, &ret->version, err);
	if (r == 0)
		r = db_number(store, "SELECT count(*) FROM sqlite_schema", 0, &ret->tables, err);
	return r;
}

static bool nothing_in_it(const struct header *h)
{
	return h->application == 0 && h->version == 0 && h->tables == 0;
}

static int check_header(const struct store *store, const struct header *h, struct error *err)
{
	if (nothing_in_it(h))
		return 0;
	if (h->application != SCHEMA_APPLICATION)
		return fail(
			err, -EINVAL,
			"%s: is a database of another program, not of tacho; give the right file, or a new name",
			store->path);
	if (h->version > PRESENT_VERSION)
		return fail(
			err, -EINVAL,
			"%s: was written by a newer tacho (schema %lld, this one knows up to %lld); use that one",
			store->path, (long long) h->version, (long long) PRESENT_VERSION);
	if (h->version < 1)
		return db_damaged(store, err, "no schema version");
	return 0;
}

static int upgrade(struct store *store, struct error *err)
{
	struct header h;
	char sql[96];
	int r = db_begin(store, err);

	if (r < 0)
		return r;
	/* Another process may have done it in between. */
	r = read_header(store, &h, err);
	if (r == 0)
		r = check_header(store, &h, err);
	for (int64_t v = h.version; r == 0 && v < PRESENT_VERSION; v++)
		r = db_exec(store, steps[v], err);
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 SCHEMA_APPLICATION, (int) PRESENT_VERSION);
	if (r == 0)
		r = db_exec(store, sql, err);
	return db_end(store, r, err);
}

int schema_check(struct store *store, struct error *err)
{
	struct header h;
	int r = read_header(store, &h, err);

	if (r == 0)
		r = check_header(store, &h, err);
	if (r < 0)
		return r;
	store->empty = nothing_in_it(&h);
	if (h.version == PRESENT_VERSION)
		return 0;
	if (!store->readonly) {
		store->empty = false;
		return upgrade(store, err);
	}
	if (store->empty)
		return 0;
	return fail(err, -EINVAL,
		    "%s: was written by an older tacho; let this one write to it once",
		    store->path);
}
