/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written comes back the same: through the sink, whole, after an import, with every odd
 * value. */
#include "test-store.h"

#include <float.h>

static const char uuid_a[] = "0b5e7a10-0000-4000-8000-000000000001";
static const char uuid_b[] = "1c5e7a10-0000-4000-8000-000000000002";

static int64_t saved(struct store *store, const struct record *record)
{
	struct error err = { 0 };
	bool written = false;
	int64_t id = 0;

	if (store_save(store, record, &id, &written, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(written);
	return id;
}

static struct record *loaded(struct store *store, int64_t id, bool with_samples)
{
	struct error err = { 0 };
	struct record *record = NULL;

	if (store_load(store, id, with_samples, &record, &err) < 0)
		fail_msg("%s", err.text);
	return record;
}

static void check_saved(struct store *store, const struct record *record, bool with_samples)
{
	int64_t id = 0;
	struct error err = { 0 };
	struct record *back;

	assert_int_equal(store_find(store, record->uuid, &id, &err), 0);
	back = loaded(store, id, with_samples);
	assert_int_equal(back->id, id);
	same_record(record, back, with_samples);
	record_free(back);
}

static void test_whole(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "deep/er/t.db");
	struct record *record = made_record(uuid_a, 6);
	struct store *store = opened(path, false);

	assert_int_equal(saved(store, record), 1);
	check_saved(store, record, true);
	check_saved(store, record, false);
	store_close(store);
	store = opened(path, true);
	check_saved(store, record, true);
	store_close(store);
	record_free(record);
	free(path);
	folder_remove(folder);
}

/* Writes RECORD step by step, as an experiment does. */
static void sink_all(struct store *store, struct record *record, bool end)
{
	struct error err = { 0 };
	struct sink sink;

	store_sink(store, &sink);
	if (sink.begin(sink.context, record, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < record->n_runs; i++)
		assert_int_equal(sink.run(sink.context, record, &record->runs[i], &err), 0);
	for (size_t i = 0; i < record->n_block_values; i++)
		assert_int_equal(sink.block(sink.context, record, record->block_values[i].block,
					    &record->block_values[i], 1, &err),
				 0);
	assert_int_equal(sink.block(sink.context, record, 99, NULL, 0, &err), 0);
	for (size_t i = 0; i < record->n_discards; i++)
		assert_int_equal(sink.discard(sink.context, record, &record->discards[i], &err), 0);
	if (end)
		assert_int_equal(sink.end(sink.context, record, &err), 0);
}

static void test_sink(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct record *record = made_record(NULL, 3), *back;
	struct store *store = opened(path, false);

	sink_all(store, record, false);
	assert_int_equal(record->id, 1);
	assert_int_equal(strlen(record->uuid), 36);
	back = loaded(store, 1, true);
	assert_string_equal(back->status, "running"); /* we are alive */
	record_free(back);
	store_close(store);
	store = opened(path, false);
	sink_all(store, record, true); /* continued: the runs are added to those there */
	back = loaded(store, 1, true);
	assert_string_equal(back->status, "finished");
	assert_int_equal(back->n_runs, 2 * record->n_runs);
	same_run(&record->runs[2], &back->runs[record->n_runs + 2], true);
	record_free(back);
	store_close(store);
	record_free(record);
	free(path);
	folder_remove(folder);
}

static void test_continue_other(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct record *record = made_record(uuid_a, 1);
	struct store *store = opened(path, false);
	struct error err = { 0 };
	struct sink sink;

	store_sink(store, &sink);
	record->id = 7;
	assert_int_equal(sink.begin(sink.context, record, &err), -EINVAL);
	assert_non_null(strstr(err.text, "experiment 7"));
	store_close(store);
	record_free(record);
	free(path);
	folder_remove(folder);
}

static void test_odd_values(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "a ?#%41 name");
	struct record *record = made_record(uuid_a, 2);
	struct store *store = opened(path, false);
	static const double odd[] = {
		NAN, INFINITY, -INFINITY, -0.0, DBL_MIN / 4, DBL_MAX, 1e-300
	};

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		record->runs[i % record->n_runs].values[i % 3].number = odd[i];
		record->runs[0].values[0].samples[i] = odd[i];
	}
	record->seed = UINT64_MAX;
	record->finished = 0;
	record->emulated = true;
	record->baseline = 1;
	free(record->name);
	record->name = made_text("quote ' \" ; DROP TABLE run; -- \n\t\033[31m \xff\xfe end");
	free(record->facts);
	record->facts = NULL;
	free(record->runs[1].environment);
	record->runs[1].environment = NULL;
	saved(store, record);
	check_saved(store, record, true);
	store_close(store);
	store = opened(path, true);
	check_saved(store, record, true);
	store_close(store);
	record_free(record);
	free(path);
	folder_remove(folder);
}

static void find_is(struct store *store, const char *what, int64_t expected)
{
	struct error err = { 0 };
	int64_t id = 0;
	int r = store_find(store, what, &id, &err);

	if (expected < 0) {
		assert_int_equal(r, -EINVAL);
		assert_non_null(strstr(err.text, what));
		return;
	}
	if (r < 0)
		fail_msg("%s", err.text);
	assert_int_equal(id, expected);
}

static void test_find(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct record *a = made_record(uuid_a, 1), *b = made_record(uuid_b, 1),
		      *c = made_record(NULL, 1);
	struct store *store = opened(path, false);

	free(b->name);
	b->name = made_text("100%");
	free(c->name);
	c->name = made_text("100%");
	find_is(store, "1", -1);
	find_is(store, "-1", -1);
	saved(store, a);
	saved(store, b);
	find_is(store, "1", 1);
	find_is(store, "2", 2);
	find_is(store, "3", -1);
	find_is(store, "-1", 2);
	find_is(store, "-2", 1);
	find_is(store, "-3", -1);
	find_is(store, "-9223372036854775808", -1);
	find_is(store, "made up", 1);
	find_is(store, "100%", 2);
	find_is(store, "0b5e", 1);
	find_is(store, "1C5E7A10-", 2);
	find_is(store, uuid_a, 1);
	find_is(store, "0b5", -1);
	find_is(store, "____", -1);
	find_is(store, "", -1);
	saved(store, c);
	find_is(store, "100%", -1); /* two of that name */
	store_close(store);
	record_free(a);
	record_free(b);
	record_free(c);
	free(path);
	folder_remove(folder);
}

static void test_list(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct record *a = made_record(uuid_a, 3), *b = made_record(uuid_b, 1);
	struct store *store = opened(path, false);
	struct store_entry *entries = NULL;
	struct error err = { 0 };
	size_t n = 9;

	assert_int_equal(store_list(store, 0, &entries, &n, &err), 0);
	assert_int_equal(n, 0);
	free(b->machine);
	b->machine = made_text("no JSON");
	free(b->name);
	b->name = NULL;
	saved(store, a);
	saved(store, b);
	assert_int_equal(store_list(store, 0, &entries, &n, &err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(entries[0].id, 1);
	assert_string_equal(entries[0].uuid, uuid_a);
	assert_string_equal(entries[0].name, "made up");
	assert_string_equal(entries[0].kernel, "6.1.0-test");
	assert_string_equal(entries[0].configurations, "schedutil, ondemand");
	assert_int_equal(entries[0].n_runs, 14);
	assert_int_equal(entries[0].n_invalid, 1);
	assert_int_equal(entries[0].blocks, 3);
	assert_true(entries[0].finished == a->finished);
	assert_null(entries[1].name);
	assert_null(entries[1].kernel);
	store_entries_free(entries, n);
	assert_int_equal(store_list(store, 1, &entries, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(entries[0].id, 2);
	store_entries_free(entries, n);
	store_close(store);
	record_free(a);
	record_free(b);
	free(path);
	folder_remove(folder);
}

static void import_is(struct store *store, const char *other, bool newest, size_t written,
		      int64_t last)
{
	struct error err = { 0 };
	int64_t id = 0;
	size_t n = 0;

	if (store_import_db(store, other, newest, &n, &id, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(n, written);
	assert_int_equal(id, last);
}

static void test_import(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db"),
	     *other = path_in(folder, "o.db");
	struct record *a = made_record(uuid_a, 3), *b = made_record(uuid_b, 1);
	struct store *store = opened(path, false), *guest = opened(other, false);
	struct error err = { 0 };

	import_is(store, other, false, 0, 0);
	saved(guest, a);
	saved(guest, b);
	import_is(store, other, true, 1, 1);
	check_saved(store, b, true);
	import_is(store, other, false, 1, 1); /* b, the last one looked at, is 1 here */
	check_saved(store, a, true);
	import_is(store, other, false, 0, 1);
	assert_int_equal(store_import_db(store, path, false, NULL, NULL, &err), -EINVAL);
	store_close(store);
	store_close(guest);
	record_free(a);
	record_free(b);
	free(path);
	free(other);
	folder_remove(folder);
}

/* One that was brought home too early is completed later, under its number; a complete one is never
 * overwritten. */
static void test_import_incomplete(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct record *part = made_record(uuid_a, 2), *whole = made_record(uuid_a, 5), *back;
	struct store *store = opened(path, false);
	struct error err = { 0 };
	bool written = true;
	int64_t id;

	free(part->status);
	part->status = made_text("running");
	saved(store, part);
	back = loaded(store, 1, true);
	assert_string_equal(back->status, "interrupted");
	record_free(back);
	assert_int_equal(store_save(store, part, &id, &written, &err), 0);
	assert_false(written);
	assert_int_equal(saved(store, whole), 1);
	check_saved(store, whole, true);
	assert_int_equal(store_save(store, part, &id, &written, &err), 0);
	assert_false(written);
	assert_int_equal(id, 1);
	check_saved(store, whole, true);
	store_close(store);
	record_free(part);
	record_free(whole);
	free(path);
	folder_remove(folder);
}

static void test_space_per_run(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct record *record = made_record(uuid_a, 250); /* 1002 runs of 3 values */
	struct store *store = opened(path, false);
	struct stat st;

	for (size_t i = 0; i < record->n_runs; i++) {
		free(record->runs[i].values[0].samples);
		record->runs[i].values[0].samples = NULL;
		record->runs[i].values[0].n_samples = 0;
	}
	saved(store, record);
	store_close(store);
	assert_int_equal(stat(path, &st), 0);
	print_message("%zu runs: %lld bytes each\n", record->n_runs,
		      (long long) st.st_size / (long long) record->n_runs);
	assert_true(st.st_size / (long long) record->n_runs < 1024);
	record_free(record);
	free(path);
	folder_remove(folder);
}

static void check_default(const char *option, const char *expected)
{
	struct error err = { 0 };
	char *path = NULL;

	assert_int_equal(store_default_path(option, &path, &err), 0);
	assert_string_equal(path, expected);
	free(path);
}

static void test_default_path(void **state)
{
	struct error err = { 0 };
	char *path = NULL;

	unsetenv("SUDO_UID");
	setenv("TACHO_DB", "x.db", 1);
	check_default("y.db", "y.db");
	check_default(NULL, "x.db");
	setenv("TACHO_DB", "", 1);
	setenv("XDG_DATA_HOME", "/data", 1);
	check_default(NULL, "/data/tacho/tacho.db");
	setenv("XDG_DATA_HOME", "relative", 1);
	setenv("HOME", "/tmp", 1);
	check_default(NULL, "/tmp/.local/share/tacho/tacho.db");
	setenv("HOME", "/no/such/home", 1);
	check_default(NULL, "tacho.db");
	assert_int_equal(store_default_path("", &path, &err), -EINVAL);
	if (geteuid() == 0) {
		setenv("HOME", "/tmp", 1);
		setenv("SUDO_UID", "4000000000", 1);
		setenv("SUDO_GID", "4000000000", 1);
		check_default(NULL, "tacho.db"); /* nobody's home */
		setenv("SUDO_UID", "0x", 1);
		check_default(NULL, "/tmp/.local/share/tacho/tacho.db"); /* no number */
	}
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
}

static void owned_by(const char *folder, const char *name, uid_t uid)
{
	char *path = path_in(folder, name);
	struct stat st;

	if (strchr(name, '-') && access(path, F_OK) < 0) { /* no such log on this file system */
		free(path);
		return;
	}
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_uid, uid);
	free(path);
}

static void test_owner(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "new/er/t.db");
	struct record *record = made_record(uuid_a, 1);
	struct store *store;

	if (geteuid() != 0) {
		folder_remove(folder);
		free(path);
		record_free(record);
		skip();
	}
	setenv("SUDO_UID", "4321", 1);
	setenv("SUDO_GID", "4321", 1);
	store = opened(path, false);
	saved(store, record);
	owned_by(folder, "new", 4321);
	owned_by(folder, "new/er", 4321);
	owned_by(folder, "new/er/t.db", 4321);
	owned_by(folder, "new/er/t.db-wal", 4321);
	owned_by(folder, "new/er/t.db-shm", 4321);
	owned_by(folder, ".", 0);
	store_close(store);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	record_free(record);
	free(path);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),          cmocka_unit_test(test_sink),
		cmocka_unit_test(test_continue_other), cmocka_unit_test(test_odd_values),
		cmocka_unit_test(test_find),           cmocka_unit_test(test_list),
		cmocka_unit_test(test_import),         cmocka_unit_test(test_import_incomplete),
		cmocka_unit_test(test_space_per_run),  cmocka_unit_test(test_default_path),
		cmocka_unit_test(test_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
