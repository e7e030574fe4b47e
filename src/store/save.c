/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/rows.h"

#include <endian.h>
#include <errno.h>

static const char *const saver_sql[N_SAVER] = {
	[SAVE_RUN] =
		"INSERT INTO run (experiment, block, attempt, ordinal, configuration, started, seconds, valid, reason,"
		" environment) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[SAVE_VALUE] =
		"INSERT INTO value (run, position, metric, labels, number, samples) VALUES (?, ?, ?, ?, ?, ?)",
	[SAVE_BLOCK_VALUE] =
		"INSERT INTO block_value (experiment, block, configuration, metric, labels, number, samples)"
		" VALUES (?, ?, ?, ?, ?, ?, ?)",
	[SAVE_DISCARD] =
		"INSERT INTO discard (experiment, block, attempt, reason) VALUES (?, ?, ?, ?)",
	[SAVE_LABELS] = "INSERT INTO labels (text) VALUES (?)",
	[FIND_LABELS] = "SELECT id FROM labels WHERE text = ?",
};

static const char *const better_texts[] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
	[BETTER_NONE] = "none",
};

static const char *const effect_texts[] = {
	[EFFECT_RATIO] = "ratio",
	[EFFECT_DIFFERENCE] = "difference",
};

const char *better_text(enum better better)
{
	return better_texts[better];
}

const char *effect_text(enum effect effect)
{
	return effect_texts[effect];
}

static int text_value(const char *const *texts, size_t n, const char *text)
{
	for (size_t i = 0; text && i < n; i++)
		if (streq(texts[i], text))
			return (int) i;
	return -1;
}

int better_value(const char *text)
{
	return text_value(better_texts, ARRAY_SIZE(better_texts), text);
}

int effect_value(const char *text)
{
	return text_value(effect_texts, ARRAY_SIZE(effect_texts), text);
}

int saver_init(struct saver *saver, struct store *store, int64_t experiment, struct error *err)
{
	*saver = (struct saver) { .store = store, .experiment = experiment };
	for (size_t i = 0; i < N_SAVER; i++) {
		int r = db_prepare(store, saver_sql[i], &saver->statements[i], err);

		if (r < 0) {
			saver_done(saver);
			return r;
		}
	}
	return 0;
}

void saver_done(struct saver *saver)
{
	for (size_t i = 0; i < N_SAVER; i++)
		sqlite3_finalize(saver->statements[i]);
	*saver = (struct saver) { 0 };
}

/* Labels repeat from run to run: each text is kept once. */
static int labels_id(struct saver *saver, const char *text, int64_t *ret, struct error *err)
{
	sqlite3_stmt *find = saver->statements[FIND_LABELS], *add = saver->statements[SAVE_LABELS];
	int r;

	text = text ? text : "{}";
	db_bind_text(find, 1, text);
	r = db_step(saver->store, find, err);
	if (r == 1)
		*ret = sqlite3_column_int64(find, 0);
	sqlite3_reset(find);
	if (r != 0)
		return r < 0 ? r : 0;
	db_bind_text(add, 1, text);
	r = db_run(saver->store, add, err);
	*ret = sqlite3_last_insert_rowid(saver->store->db);
	return r;
}

/* Samples are float64, little endian, one after the other. */
static int bind_samples(sqlite3_stmt *statement, int parameter, const struct value *value,
			struct error *err)
{
	size_t size = value->n_samples * sizeof(double);
	char *bytes;

	if (!value->n_samples || !value->samples) {
		sqlite3_bind_null(statement, parameter);
		return 0;
	}
	bytes = malloc(size);
	if (!bytes)
		return db_out_of_memory(err);
	for (size_t i = 0; i < value->n_samples; i++) {
		uint64_t bits;

		memcpy(&bits, &value->samples[i], sizeof(bits));
		bits = htole64(bits);
		memcpy(bytes + i * sizeof(bits), &bits, sizeof(bits));
	}
	/* Too large a one is refused here, and SQLite frees it in any case. */
	if (sqlite3_bind_blob64(statement, parameter, bytes, size, free) != SQLITE_OK)
		return fail(err, -E2BIG,
			    "%zu samples of one value are more than the database can hold",
			    value->n_samples);
	return 0;
}

/* The last four columns of value and block_value, from PARAMETER on. */
static int bind_value(struct saver *saver, sqlite3_stmt *statement, int parameter,
		      const struct value *value, struct error *err)
{
	int64_t labels = 0;
	int r = labels_id(saver, value->labels, &labels, err);

	if (r < 0)
		return r;
	sqlite3_bind_int64(statement, parameter, (sqlite3_int64) value->metric);
	sqlite3_bind_int64(statement, parameter + 1, labels);
	sqlite3_bind_double(statement, parameter + 2, value->number); /* NaN becomes NULL */
	return bind_samples(statement, parameter + 3, value, err);
}

int save_run(struct saver *saver, const struct run *run, struct error *err)
{
	sqlite3_stmt *s = saver->statements[SAVE_RUN], *v = saver->statements[SAVE_VALUE];
	sqlite3_int64 id;
	int r;

	sqlite3_bind_int64(s, 1, saver->experiment);
	sqlite3_bind_int64(s, 2, run->block);
	sqlite3_bind_int64(s, 3, run->attempt);
	sqlite3_bind_int64(s, 4, run->order);
	sqlite3_bind_int64(s, 5, (sqlite3_int64) run->configuration);
	sqlite3_bind_double(s, 6, run->started);
	sqlite3_bind_double(s, 7, run->seconds);
	sqlite3_bind_int(s, 8, run->valid);
	db_bind_text(s, 9, run->reason);
	db_bind_text(s, 10, run->environment);
	r = db_run(saver->store, s, err);
	id = sqlite3_last_insert_rowid(saver->store->db);
	for (size_t i = 0; r == 0 && i < run->n_values; i++) {
		sqlite3_bind_int64(v, 1, id);
		sqlite3_bind_int64(v, 2, (sqlite3_int64) i);
		r = bind_value(saver, v, 3, &run->values[i], err);
		if (r == 0)
			r = db_run(saver->store, v, err);
	}
	return r;
}

int save_block_value(struct saver *saver, const struct block_value *value, struct error *err)
{
	sqlite3_stmt *s = saver->statements[SAVE_BLOCK_VALUE];
	int r;

	sqlite3_bind_int64(s, 1, saver->experiment);
	sqlite3_bind_int64(s, 2, value->block);
	sqlite3_bind_int64(s, 3, (sqlite3_int64) value->configuration);
	r = bind_value(saver, s, 4, &value->value, err);
	return r == 0 ? db_run(saver->store, s, err) : r;
}

int save_discard(struct saver *saver, const struct discard *discard, struct error *err)
{
	sqlite3_stmt *s = saver->statements[SAVE_DISCARD];

	sqlite3_bind_int64(s, 1, saver->experiment);
	sqlite3_bind_int64(s, 2, discard->block);
	sqlite3_bind_int64(s, 3, discard->attempt);
	db_bind_text(s, 4, discard->reason);
	return db_run(saver->store, s, err);
}

static int save_metrics(struct store *store, int64_t id, const struct record *record,
			struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(store,
			   "INSERT OR REPLACE INTO metric VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			   &s, err);

	for (size_t i = 0; r == 0 && i < record->n_metrics; i++) {
		const struct metric *m = &record->metrics[i];

		sqlite3_bind_int64(s, 1, id);
		sqlite3_bind_int64(s, 2, (sqlite3_int64) i);
		db_bind_text(s, 3, m->name);
		db_bind_text(s, 4, m->unit);
		db_bind_text(s, 5, m->help);
		db_bind_text(s, 6, better_text(m->better));
		db_bind_text(s, 7, effect_text(m->effect));
		sqlite3_bind_int(s, 8, m->primary);
		sqlite3_bind_int(s, 9, m->per_block);
		sqlite3_bind_int(s, 10, m->per_work);
		sqlite3_bind_double(s, 11, m->margin);
		r = db_run(store, s, err);
	}
	return r;
}

static int save_configurations(struct store *store, int64_t id, const struct record *record,
			       struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(store,
			   "INSERT OR REPLACE INTO configuration VALUES (?, ?, ?, ?, ?, ?, ?)", &s,
			   err);

	for (size_t i = 0; r == 0 && i < record->n_configurations; i++) {
		const struct configuration *c = &record->configurations[i];

		sqlite3_bind_int64(s, 1, id);
		sqlite3_bind_int64(s, 2, (sqlite3_int64) i);
		db_bind_text(s, 3, c->id);
		db_bind_text(s, 4, c->name);
		db_bind_text(s, 5, c->knobs);
		db_bind_text(s, 6, c->options);
		sqlite3_bind_int(s, 7, c->reference);
		r = db_run(store, s, err);
	}
	return r;
}

static int save_head(struct store *store, const struct record *record, int64_t id, const char *uuid,
		     const char *status, const char *writer, struct error *err)
{
	/* Not OR REPLACE: that would delete the row, and with it the runs. */
	static const char sql[] =
		"INSERT INTO experiment (id, uuid, name, measurement, options, command, machine, facts, status, seed,"
		" started, finished, emulated, margin, baseline, writer)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
		" uuid = excluded.uuid, name = excluded.name, measurement = excluded.measurement,"
		" options = excluded.options, command = excluded.command, machine = excluded.machine,"
		" facts = excluded.facts, status = excluded.status, seed = excluded.seed, started = excluded.started,"
		" finished = excluded.finished, emulated = excluded.emulated, margin = excluded.margin,"
		" baseline = excluded.baseline, writer = excluded.writer";
	const char *const texts[] = { uuid,
				      record->name,
				      record->measurement,
				      record->options,
				      record->command,
				      record->machine,
				      record->facts,
				      status };
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(store, sql, &s, err);

	if (r < 0)
		return r;
	if (id)
		sqlite3_bind_int64(s, 1, id);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		db_bind_text(s, (int) i + 2, texts[i]);
	sqlite3_bind_int64(s, 10, (sqlite3_int64) record->seed);
	sqlite3_bind_double(s, 11, record->started);
	sqlite3_bind_double(s, 12, record->finished);
	sqlite3_bind_int(s, 13, record->emulated);
	sqlite3_bind_double(s, 14, record->margin);
	sqlite3_bind_int64(s, 15, (sqlite3_int64) record->baseline);
	db_bind_text(s, 16, writer);
	return db_run(store, s, err);
}

int save_experiment(struct store *store, const struct record *record, int64_t id, const char *uuid,
		    const char *status, const char *writer, int64_t *ret_id, struct error *err)
{
	int r = save_head(store, record, id, uuid, status, writer, err);

	if (r < 0)
		return r;
	if (!id)
		id = sqlite3_last_insert_rowid(store->db);
	r = save_metrics(store, id, record, err);
	if (r == 0)
		r = save_configurations(store, id, record, err);
	if (r == 0 && ret_id)
		*ret_id = id;
	return r;
}
