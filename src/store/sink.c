/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping an experiment while it runs, one transaction a step; and a whole one at once. */
#include <errno.h>

#include "store/rows.h"
#include "store/writer.h"

static int give_uuid(struct record *record, struct error *err)
{
	char uuid[37];

	if (record->uuid)
		return 0;
	uuid_new(uuid);
	record->uuid = strdup(uuid);
	return record->uuid ? 0 : db_out_of_memory(err);
}

/* Continuing needs the experiment that the record says it is. */
static int check_same(struct store *store, const struct record *record, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(store, "SELECT 1 FROM experiment WHERE id = ? AND uuid = ?", &s, err);

	if (r < 0)
		return r;
	sqlite3_bind_int64(s, 1, record->id);
	db_bind_text(s, 2, record->uuid);
	r = db_step(store, s, err);
	if (r == 0)
		return fail(
			err, -EINVAL,
			"%s: experiment %lld is not there, or is another one than that to be continued",
			store->path, (long long) record->id);
	return r < 0 ? r : 0;
}

struct beginning {
	int64_t id; /* continued, or 0; then the new one */
	char *writer;
};

/* One step of an experiment: what is written, in a transaction. */
struct step {
	struct store *store;
	const struct record *record;
	const void *what;
	size_t n;
	struct beginning *beginning;
	int (*write)(const struct step *step, struct error *err);
};

static int take_step(const struct step *step, struct error *err)
{
	int r = db_begin(step->store, err);

	return r == 0 ? db_end(step->store, step->write(step, err), err) : r;
}

static int write_begin(const struct step *step, struct error *err)
{
	int r = step->record->id ? check_same(step->store, step->record, err) : 0;

	if (r < 0)
		return r;
	return save_experiment(step->store, step->record, step->record->id, step->record->uuid,
			       "running", step->beginning->writer, &step->beginning->id, err);
}

static int sink_begin(void *context, struct record *record, struct error *err)
{
	_cleanup_free_ char *writer = writer_self();
	struct beginning beginning = { .id = record->id, .writer = writer };
	struct step step = {
		.store = context, .record = record, .beginning = &beginning, .write = write_begin
	};
	int r = give_uuid(record, err);

	if (r == 0)
		r = take_step(&step, err);
	if (r == 0)
		record->id = beginning.id;
	return r;
}

static int write_run(const struct step *step, struct error *err)
{
	_cleanup_saver_ struct saver saver = { 0 };
	int r = saver_init(&saver, step->store, step->record->id, err);

	return r == 0 ? save_run(&saver, step->what, err) : r;
}

static int sink_run(void *context, const struct record *record, const struct run *run,
		    struct error *err)
{
	struct step step = { .store = context, .record = record, .what = run, .write = write_run };

	return take_step(&step, err);
}

static int write_block(const struct step *step, struct error *err)
{
	_cleanup_saver_ struct saver saver = { 0 };
	const struct block_value *values = step->what;
	int r = saver_init(&saver, step->store, step->record->id, err);

	for (size_t i = 0; r == 0 && i < step->n; i++)
		r = save_block_value(&saver, &values[i], err);
	return r;
}

static int sink_block(void *context, const struct record *record, unsigned block,
		      const struct block_value *values, size_t n, struct error *err)
{
	struct step step = {
		.store = context, .record = record, .what = values, .n = n, .write = write_block
	};

	return n ? take_step(&step, err) : 0;
}

static int write_discard(const struct step *step, struct error *err)
{
	_cleanup_saver_ struct saver saver = { 0 };
	int r = saver_init(&saver, step->store, step->record->id, err);

	return r == 0 ? save_discard(&saver, step->what, err) : r;
}

static int sink_discard(void *context, const struct record *record, const struct discard *discard,
			struct error *err)
{
	struct step step = {
		.store = context, .record = record, .what = discard, .write = write_discard
	};

	return take_step(&step, err);
}

static int write_end(const struct step *step, struct error *err)
{
	const struct record *x = step->record;

	return save_experiment(step->store, x, x->id, x->uuid, x->status ? x->status : "finished",
			       NULL, NULL, err);
}

static int sink_end(void *context, const struct record *record, struct error *err)
{
	struct step step = { .store = context, .record = record, .write = write_end };

	return take_step(&step, err);
}

void store_sink(struct store *store, struct sink *ret)
{
	*ret = (struct sink) {
		.context = store,
		.begin = sink_begin,
		.run = sink_run,
		.block = sink_block,
		.discard = sink_discard,
		.end = sink_end,
	};
}

/* What is here already under UUID: its id (0: nothing), and whether RECORD brings more. */
static int find_present(struct store *store, const struct record *record, const char *uuid,
			int64_t *ret_id, bool *ret_better, struct error *err)
{
	static const char sql[] =
		"SELECT id, status, writer, (SELECT count(*) FROM run WHERE experiment = experiment.id)"
		" FROM experiment WHERE uuid = ?";
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(store, sql, &s, err);
	const char *status;

	*ret_id = 0;
	*ret_better = true;
	if (r < 0)
		return r;
	db_bind_text(s, 1, uuid);
	r = db_step(store, s, err);
	if (r <= 0)
		return r;
	*ret_id = sqlite3_column_int64(s, 0);
	status = (const char *) sqlite3_column_text(s, 1);
	if (status && streq(status, "finished"))
		*ret_better = false;
	else if (status && streq(status, "running") &&
		 writer_alive((const char *) sqlite3_column_text(s, 2)))
		*ret_better = false;
	else
		*ret_better = record->n_runs > (size_t) sqlite3_column_int64(s, 3) ||
			      (record->status && streq(record->status, "finished"));
	return 0;
}

static int remove_experiment(struct store *store, int64_t id, struct error *err)
{
	_cleanup_statement_ sqlite3_stmt *s = NULL;
	int r = db_prepare(store, "DELETE FROM experiment WHERE id = ?", &s,
			   err); /* cascades to all its rows */

	if (r < 0)
		return r;
	sqlite3_bind_int64(s, 1, id);
	return db_run(store, s, err);
}

static int save_whole(struct store *store, const struct record *record, const char *uuid,
		      int64_t *id, struct error *err)
{
	/* Nobody writes to it here: what was still running elsewhere ends where the copy ends. */
	bool running = record->status && streq(record->status, "running");
	_cleanup_saver_ struct saver saver = { 0 };
	int r = *id ? remove_experiment(store, *id, err) : 0;

	if (r == 0)
		r = save_experiment(store, record, *id, uuid,
				    running ? "interrupted" : record->status, NULL, id, err);
	if (r == 0)
		r = saver_init(&saver, store, *id, err);
	for (size_t i = 0; r == 0 && i < record->n_runs; i++)
		r = save_run(&saver, &record->runs[i], err);
	for (size_t i = 0; r == 0 && i < record->n_block_values; i++)
		r = save_block_value(&saver, &record->block_values[i], err);
	for (size_t i = 0; r == 0 && i < record->n_discards; i++)
		r = save_discard(&saver, &record->discards[i], err);
	return r;
}

int store_save(struct store *store, const struct record *record, int64_t *ret_id, bool *ret_saved,
	       struct error *err)
{
	bool better = true;
	char uuid[37];
	int64_t id = 0;
	int r = db_begin(store, err);

	if (r < 0)
		return r;
	uuid_new(uuid);
	if (record->uuid)
		r = find_present(store, record, record->uuid, &id, &better, err);
	if (r == 0 && better)
		r = save_whole(store, record, record->uuid ? record->uuid : uuid, &id, err);
	r = db_end(store, r, err);
	if (r < 0)
		return r;
	if (ret_id)
		*ret_id = id;
	if (ret_saved)
		*ret_saved = better;
	return 0;
}
