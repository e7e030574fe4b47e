/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing the parts of a record as rows, inside a transaction of the caller. Not for other folders.
 */
#pragma once

#include "store/db.h"

enum saver_statement {
	SAVE_RUN,
	SAVE_VALUE,
	SAVE_BLOCK_VALUE,
	SAVE_DISCARD,
	SAVE_LABELS,
	FIND_LABELS,
	N_SAVER
};

/* The prepared statements for the rows of one experiment. */
struct saver {
	struct store *store;
	int64_t experiment;
	sqlite3_stmt *statements[N_SAVER];
};

int saver_init(struct saver *saver, struct store *store, int64_t experiment, struct error *err);
void saver_done(struct saver *saver);
#define _cleanup_saver_ _cleanup_(saver_done)

int save_run(struct saver *saver, const struct run *run, struct error *err);
int save_block_value(struct saver *saver, const struct block_value *value, struct error *err);
int save_discard(struct saver *saver, const struct discard *discard, struct error *err);

/*
 * The experiment itself with its metrics and configurations, no runs. ID 0: a new number; else that
 * one, whose row is overwritten. WRITER: who is writing it now, or NULL. *RET_ID may be NULL.
 */
int save_experiment(struct store *store, const struct record *record, int64_t id, const char *uuid,
		    const char *status, const char *writer, int64_t *ret_id, struct error *err);

/* How enums are written; the text's value, or -1 where it is none of them. */
const char *better_text(enum better better);
const char *effect_text(enum effect effect);
int better_value(const char *text);
int effect_value(const char *text);
