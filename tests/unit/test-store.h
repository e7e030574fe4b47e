/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of the store share: opening that must succeed, runs that are known, mounts. */
#pragma once

#include "test-store-record.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "store/store.h"

static inline struct store *opened(const char *path, bool readonly)
{
	struct error err = { 0 };
	struct store *store = NULL;

	if (store_open(path, readonly, &store, &err) < 0)
		fail_msg("%s", err.text);
	return store;
}

/* In a child: writes runs for ever (or N), and a byte to FD after each that the store has taken. */
static inline int write_runs(const char *path, int fd, unsigned n)
{
	struct record *record = made_head(NULL);
	struct error err = { 0 };
	struct store *store;
	struct sink sink;
	int r = store_open(path, false, &store, &err);

	if (r < 0)
		return r;
	store_sink(store, &sink);
	r = sink.begin(sink.context, record, &err);
	for (unsigned i = 0; r == 0 && (!n || i < n); i++) {
		struct run run;

		made_run(&run, i / 4 + 1, 1, i % 4, i % 4 + 1);
		r = sink.run(sink.context, record, &run, &err);
		run_done(&run);
		if (r == 0 && write(fd, "x", 1) != 1)
			r = -errno;
	}
	if (r == 0) {
		record->finished = record->started + 1;
		r = sink.end(sink.context, record, &err);
	}
	if (r < 0)
		fprintf(stderr, "%s\n", err.text);
	store_close(store);
	record_free(record);
	return r;
}

static inline void runs_are_whole(struct store *store, int64_t id, size_t least, size_t most)
{
	struct record *record = NULL;
	struct error err = { 0 };

	if (store_load(store, id, true, &record, &err) < 0)
		fail_msg("%s", err.text);
	if (record->n_runs < least || record->n_runs > most)
		fail_msg("%zu runs, expected %zu to %zu", record->n_runs, least, most);
	for (size_t i = 0; i < record->n_runs; i++) {
		struct run expected;

		made_run(&expected, (unsigned) i / 4 + 1, 1, i % 4, (unsigned) i % 4 + 1);
		same_run(&expected, &record->runs[i], true);
		run_done(&expected);
	}
	record_free(record);
}

static inline void write_five(const char *path)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write_runs(path, fd, 5), 0);
	close(fd);
}

/* A folder as folder_make() makes it, with mounts of this process alone; skips the test, before it
 * has allocated anything, where that is not allowed. */
static inline char *folder_with_mounts(void)
{
	if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) {
		print_message("may not mount here\n");
		skip();
	}
	return folder_make();
}
