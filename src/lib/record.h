/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record of an experiment: what experiment/ hands out, store/ keeps and report/ reads. Plain
 * data; texts are owned by the record that holds them.
 */
#pragma once

#include <stdint.h>

#include "lib/error.h"
#include "lib/metric.h"

/* One named number of a measurement. Tables of these are const in measurement/. */
struct metric {
	const char *name;
	const char *unit; /* SI base unit as JSON shows it: s, J, Hz, %, points; "" for a count */
	const char *help; /* one line */
	enum better better;
	enum effect effect;
	bool primary;   /* gets a verdict; all others are shown without one */
	bool per_block; /* made from the runs of a whole block, as efficiency is */
	bool per_work;  /* comparable between experiments with different loop counts */
	double margin;  /* of its own in the terms of its effect (0.01 or 1 point); 0: --margin */
};

/* A value of a metric in one run (or of one configuration in one block). */
struct value {
	size_t metric;   /* index into the record's metrics */
	char *labels;    /* a JSON object with its keys sorted, "{}" where there are none */
	double number;   /* NAN: there is no number; INFINITY: censored, ranked as the longest */
	double *samples; /* every iteration, in order; NULL where none are kept */
	size_t n_samples;
};

struct configuration {
	char *id;       /* a, b, ... z, aa, ... in the order of the plan */
	char *name;     /* what tables call it: `ondemand`, `governor=ondemand cpus=1` */
	char *knobs;    /* a JSON object: full knob name to value */
	char *options;  /* a JSON object: the measurement's options that differ here */
	bool reference; /* there for the metric's definition; compared only where it is the baseline
			 */
};

struct run {
	unsigned block;       /* from 1 */
	unsigned attempt;     /* 1, or more where the block was discarded and repeated */
	unsigned order;       /* within the block, from 1 */
	size_t configuration; /* index into the record's configurations */
	double started;       /* seconds since the epoch */
	double seconds;       /* how long it took, settling included */
	bool valid;
	char *reason;      /* why it is not valid, or NULL */
	char *environment; /* a JSON object: what was seen around the run */
	struct value *values;
	size_t n_values;
};

/* A value that a whole block gives for one configuration. */
struct block_value {
	unsigned block;
	size_t configuration;
	struct value value;
};

struct discard {
	unsigned block, attempt;
	char *reason;
};

struct record {
	int64_t id;        /* in the store, 0 before */
	char *uuid;        /* the same in every store that it is carried to */
	char *name;        /* the user's, or NULL */
	char *measurement; /* efficiency, ... */
	char *options; /* a JSON object: options of the measurement and of the plan, the defaults
			  too */
	char *command; /* a JSON array: the command line */
	char *machine; /* a JSON object: machine_json() */
	char *facts;   /* a JSON object: what the measurement found out before: calibration, loop
			  counts, references */
	char *status;  /* running, finished, interrupted, failed */
	uint64_t seed;
	double started, finished; /* seconds since the epoch; finished 0 while it runs */
	bool emulated;
	double margin;   /* --margin as a fraction: 0.01 */
	size_t baseline; /* index of the configuration that the others are compared with */
	struct metric *metrics;
	size_t n_metrics;
	struct configuration *configurations;
	size_t n_configurations;
	struct run *runs;
	size_t n_runs;
	struct block_value *block_values;
	size_t n_block_values;
	struct discard *discards;
	size_t n_discards;
	bool metrics_owned; /* the metrics' texts were allocated (read from a store) */
};

/* Empties a run, a value or a whole record; the struct itself belongs to the caller. */
void value_done(struct value *value);
void run_done(struct run *run);
void record_done(struct record *record);
void record_free(struct record *record);
static inline void record_freep(struct record **record)
{
	record_free(*record);
}
#define _cleanup_record_ _cleanup_(record_freep)

/* `a` .. `z`, `aa` ..; BUF of 8 suffices. */
void configuration_id(size_t index, char *buf, size_t size);

/* Makes room for one more element of SIZE in a growing array; returns it zeroed, or NULL without
 * memory. */
void *array_add(void *array_pointer, size_t *n, size_t size);

/* A random name for an experiment, RFC 4122 version 4; BUF of 37. */
void uuid_new(char buf[37]);

/* Where the results of an experiment go while it runs. Each returns 0 or a negative errno with ERR
 * set. */
struct sink {
	void *context;
	int (*begin)(void *context, struct record *record,
		     struct error *err); /* may set record->id */
	int (*run)(void *context, const struct record *record, const struct run *run,
		   struct error *err);
	/* a block is whole: its values, possibly none */
	int (*block)(void *context, const struct record *record, unsigned block,
		     const struct block_value *values, size_t n, struct error *err);
	int (*discard)(void *context, const struct record *record, const struct discard *discard,
		       struct error *err);
	int (*end)(void *context, const struct record *record,
		   struct error *err); /* status and finished are set */
};
