/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading an experiment. Whatever the file holds, what comes out is whole: every index is in its
 * range. */
#include <endian.h>
#include <errno.h>
#include <limits.h>

#include "store/rows.h"
#include "store/writer.h"

struct loader {
	struct store *store;
	struct record *record;
	int64_t id;
	bool with_samples;
	int64_t *run_ids; /* in the order of record->runs */
	size_t n_run_ids;
};

static int prepare_for(const struct loader *l, const char *sql, sqlite3_stmt **ret,
		       struct error *err)
{
	int r = db_prepare(l->store, sql, ret, err);

	if (r == 0)
		sqlite3_bind_int64(*ret, 1, l->id);
	return r;
}

static int column_index(const struct loader *l, sqlite3_stmt *s, int column, size_t n, size_t *ret,
			struct error *err)
{
	int64_t i = sqlite3_column_int64(s, column);

	if (i < 0 || (uint64_t) i >= n)
		return db_damaged(l->store, err, sqlite3_column_name(s, column));
	*ret = (size_t) i;
	return 0;
}

static int column_unsigned(const struct loader *l, sqlite3_stmt *s, int column, unsigned *ret,
			   struct error *err)
{
	int64_t i = sqlite3_column_int64(s, column);

	if (i < 0 || i > UINT_MAX)
		return db_damaged(l->store, err, sqlite3_column_name(s, column));
	*ret = (unsigned) i;
	return 0;
}

/* Columns FIRST, FIRST + 1, ... into the texts. */
static int column_texts(sqlite3_stmt *s, int first, char **const *texts, size_t n,
			struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if (db_column_text(s, first + (int) i, texts[i]) < 0)
			return db_out_of_memory(err);
	return 0;
}

static int load_head(struct loader *l, struct error *err)
{
	static const char sql[] =
		"SELECT uuid, name, measurement, options, command, machine, facts, status, seed, started,"
		" finished, emulated, margin, baseline, writer FROM experiment WHERE id = ?";
	struct record *x = l->record;
	char **const texts[] = { &x->uuid,    &x->name,    &x->measurement, &x->options,
				 &x->command, &x->machine, &x->facts,       &x->status };
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = l->store->empty ? 0 : prepare_for(l, sql, &s, err);

	if (r == 0 && s)
		r = db_step(l->store, s, err);
	if (r == 0)
		return fail(
			err, -EINVAL,
			"%s: there is no experiment %lld; `tacho log` lists those that are there",
			l->store->path, (long long) l->id);
	if (r == 1)
		r = column_texts(s, 0, texts, ARRAY_SIZE(texts), err);
	if (r < 0)
		return r;
	x->id = l->id;
	x->seed = (uint64_t) sqlite3_column_int64(s, 8);
	x->started = db_column_double(s, 9);
	x->finished = db_column_double(s, 10);
	x->emulated = sqlite3_column_int(s, 11) != 0;
	x->margin = db_column_double(s, 12);
	x->baseline = (size_t) sqlite3_column_int64(s, 13);
	if (!x->uuid || !x->status)
		return db_damaged(l->store, err, "an experiment without uuid or status");
	if (streq(x->status, "running") &&
	    !writer_alive((const char *) sqlite3_column_text(s, 14))) {
		free(x->status);
		x->status = strdup("interrupted");
		return x->status ? 0 : db_out_of_memory(err);
	}
	return 0;
}

static int read_metric(struct loader *l, sqlite3_stmt *s, struct error *err)
{
	struct record *x = l->record;
	struct metric *m = array_add(&x->metrics, &x->n_metrics, sizeof(*m));
	int better = better_value((const char *) sqlite3_column_text(s, 4));
	int effect = effect_value((const char *) sqlite3_column_text(s, 5));
	char *texts[3] = { NULL };

	if (!m || db_column_text(s, 1, &texts[0]) < 0 || db_column_text(s, 2, &texts[1]) < 0 ||
	    db_column_text(s, 3, &texts[2]) < 0) {
		free(texts[0]);
		free(texts[1]);
		return db_out_of_memory(err);
	}
	m->name = texts[0];
	m->unit = texts[1];
	m->help = texts[2];
	if (!m->name || better < 0 || effect < 0 ||
	    sqlite3_column_int64(s, 0) != (int64_t) x->n_metrics - 1)
		return db_damaged(l->store, err, "a metric");
	m->better = (enum better) better;
	m->effect = (enum effect) effect;
	m->primary = sqlite3_column_int(s, 6) != 0;
	m->per_block = sqlite3_column_int(s, 7) != 0;
	m->per_work = sqlite3_column_int(s, 8) != 0;
	m->margin = db_column_double(s, 9);
	return 0;
}

static int read_configuration(struct loader *l, sqlite3_stmt *s, struct error *err)
{
	struct record *x = l->record;
	struct configuration *c = array_add(&x->configurations, &x->n_configurations, sizeof(*c));
	char **const texts[] = { c ? &c->id : NULL, c ? &c->name : NULL, c ? &c->knobs : NULL,
				 c ? &c->options : NULL };

	if (!c || column_texts(s, 1, texts, ARRAY_SIZE(texts), err) < 0)
		return db_out_of_memory(err);
	c->reference = sqlite3_column_int(s, 5) != 0;
	if (!c->id || sqlite3_column_int64(s, 0) != (int64_t) x->n_configurations - 1)
		return db_damaged(l->store, err, "a configuration");
	return 0;
}

static int read_discard(struct loader *l, sqlite3_stmt *s, struct error *err)
{
	struct discard *d = array_add(&l->record->discards, &l->record->n_discards, sizeof(*d));
	int r;

	if (!d || db_column_text(s, 2, &d->reason) < 0)
		return db_out_of_memory(err);
	r = column_unsigned(l, s, 0, &d->block, err);
	return r == 0 ? column_unsigned(l, s, 1, &d->attempt, err) : r;
}

static int read_run(struct loader *l, sqlite3_stmt *s, struct error *err)
{
	struct record *x = l->record;
	struct run *run = array_add(&x->runs, &x->n_runs, sizeof(*run));
	int64_t *id = array_add(&l->run_ids, &l->n_run_ids, sizeof(*id));
	int r;

	if (!run || !id || db_column_text(s, 8, &run->reason) < 0 ||
	    db_column_text(s, 9, &run->environment) < 0)
		return db_out_of_memory(err);
	*id = sqlite3_column_int64(s, 0);
	r = column_unsigned(l, s, 1, &run->block, err);
	if (r == 0)
		r = column_unsigned(l, s, 2, &run->attempt, err);
	if (r == 0)
		r = column_unsigned(l, s, 3, &run->order, err);
	if (r == 0)
		r = column_index(l, s, 4, x->n_configurations, &run->configuration, err);
	run->started = db_column_double(s, 5);
	run->seconds = db_column_double(s, 6);
	run->valid = sqlite3_column_int(s, 7) != 0;
	return r;
}

static int read_samples(const struct loader *l, sqlite3_stmt *s, int column, struct value *value,
			struct error *err)
{
	const char *bytes = sqlite3_column_blob(s, column);
	int size = sqlite3_column_bytes(s, column);

	if (!bytes || size <= 0)
		return 0;
	if ((size_t) size % sizeof(double))
		return db_damaged(l->store, err, "samples");
	value->samples = malloc((size_t) size);
	if (!value->samples)
		return db_out_of_memory(err);
	value->n_samples = (size_t) size / sizeof(double);
	for (size_t i = 0; i < value->n_samples; i++) {
		uint64_t bits;

		memcpy(&bits, bytes + i * sizeof(bits), sizeof(bits));
		bits = le64toh(bits);
		memcpy(&value->samples[i], &bits, sizeof(bits));
	}
	return 0;
}

/* metric, labels' text, number and samples, from COLUMN on. */
static int read_value(const struct loader *l, sqlite3_stmt *s, int column, struct value *value,
		      struct error *err)
{
	int r;

	if (db_column_text(s, column + 1, &value->labels) < 0)
		return db_out_of_memory(err);
	if (!value->labels)
		return db_damaged(l->store, err, "a value without labels");
	value->number = db_column_double(s, column + 2);
	r = column_index(l, s, column, l->record->n_metrics, &value->metric, err);
	if (r == 0 && l->with_samples)
		r = read_samples(l, s, column + 3, value, err);
	return r;
}

static int read_block_value(struct loader *l, sqlite3_stmt *s, struct error *err)
{
	struct record *x = l->record;
	struct block_value *v = array_add(&x->block_values, &x->n_block_values, sizeof(*v));
	int r;

	if (!v)
		return db_out_of_memory(err);
	r = column_unsigned(l, s, 0, &v->block, err);
	if (r == 0)
		r = column_index(l, s, 1, x->n_configurations, &v->configuration, err);
	return r == 0 ? read_value(l, s, 2, &v->value, err) : r;
}

static int load_values(struct loader *l, struct error *err)
{
	static const char sql[] =
		"SELECT metric, (SELECT text FROM labels WHERE id = value.labels), number, samples"
		" FROM value WHERE run = ? ORDER BY position";
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(l->store, sql, &s, err);

	for (size_t i = 0; r == 0 && i < l->record->n_runs; i++) {
		struct run *run = &l->record->runs[i];

		sqlite3_bind_int64(s, 1, l->run_ids[i]);
		while ((r = db_step(l->store, s, err)) == 1) {
			struct value *value =
				array_add(&run->values, &run->n_values, sizeof(*value));

			r = value ? read_value(l, s, 0, value, err) : db_out_of_memory(err);
			if (r < 0)
				return r;
		}
		sqlite3_reset(s);
	}
	return r;
}

static const struct {
	const char *sql;
	int (*read)(struct loader *l, sqlite3_stmt *s, struct error *err);
} tables[] = {
	{ "SELECT position, name, unit, help, better, effect, is_primary, per_block, per_work, margin FROM metric"
	  " WHERE experiment = ? ORDER BY position",
	  read_metric },
	{ "SELECT position, id, name, knobs, options, reference FROM configuration WHERE experiment = ? ORDER BY position",
	  read_configuration },
	{ "SELECT id, block, attempt, ordinal, configuration, started, seconds, valid, reason, environment FROM run"
	  " WHERE experiment = ? ORDER BY id",
	  read_run },
	{ "SELECT block, configuration, metric, (SELECT text FROM labels WHERE id = block_value.labels), number, samples"
	  " FROM block_value WHERE experiment = ? ORDER BY id",
	  read_block_value },
	{ "SELECT block, attempt, reason FROM discard WHERE experiment = ? ORDER BY id",
	  read_discard },
};

static int load_tables(struct loader *l, struct error *err)
{
	int r = load_head(l, err);

	l->record->metrics_owned = true;
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(tables); i++) {
		_cleanup_statement_ sqlite3_stmt *s = NULL;

		r = prepare_for(l, tables[i].sql, &s, err);
		while (r == 0 && (r = db_step(l->store, s, err)) == 1)
			r = tables[i].read(l, s, err);
	}
	if (r == 0)
		r = load_values(l, err);
	if (r == 0 && l->record->baseline && l->record->baseline >= l->record->n_configurations)
		r = db_damaged(l->store, err, "baseline");
	return r;
}

int store_load(struct store *store, int64_t id, bool with_samples, struct record **ret,
	       struct error *err)
{
	_cleanup_record_ struct record *record = calloc(1, sizeof(*record));
	struct loader l = {
		.store = store, .record = record, .id = id, .with_samples = with_samples
	};
	int r;

	if (!record)
		return db_out_of_memory(err);
	r = db_exec(store, "BEGIN", err); /* one state of the file, whoever else is writing */
	if (r < 0)
		return r;
	r = load_tables(&l, err);
	sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	free(l.run_ids);
	if (r < 0)
		return r;
	*ret = steal_ptr(record);
	return 0;
}
