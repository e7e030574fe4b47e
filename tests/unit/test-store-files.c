/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are something else, may not be written, or hold what no tacho wrote: refused with a
 * reason, left as they are. */
#include "test-store.h"

#include <sqlite3.h>
#include <sys/prctl.h>

static void test_read_only_disk(void **state)
{
	char *folder = folder_with_mounts(), *path = path_in(folder, "t ?#.db"),
	     *other = path_in(folder, "new.db");
	struct error err = { 0 };
	struct store *store = NULL;

	write_five(path);
	assert_int_equal(mount(folder, folder, NULL, MS_BIND, NULL), 0);
	assert_int_equal(mount("none", folder, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL), 0);
	assert_int_equal(store_open(path, false, &store, &err), -EROFS);
	assert_non_null(strstr(err.text, "read-only"));
	error_clear(&err);
	assert_int_equal(store_open(other, false, &store, &err), -EROFS);
	store = opened(path, true);
	runs_are_whole(store, 1, 5, 5);
	store_close(store);
	assert_int_equal(umount(folder), 0);
	free(path);
	free(other);
	folder_remove(folder);
}

/* The message starts with the file or a folder above it. */
static void refused(const char *path, bool readonly, int code, const char *part)
{
	struct store *store = NULL;
	struct error err = { 0 };
	int r = store_open(path, readonly, &store, &err);

	if (r != code || !strstr(err.text, part) ||
	    strncmp(err.text, path, strcspn(path + 6, "/") + 6) != 0)
		fail_msg("%s: %d: %s", path, r, err.text);
	assert_null(store);
}

static void test_permissions(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db"),
	     *other = path_in(folder, "new/x.db");
	struct store *store;

	write_five(path);
	if (geteuid() == 0) {
		assert_int_equal(chmod(folder, 0755), 0);
		assert_int_equal(seteuid(65534), 0);
	} else {
		assert_int_equal(chmod(folder, 0555), 0);
		assert_int_equal(chmod(path, 0444), 0);
	}
	refused(path, false, -EACCES, "permission denied");
	refused(other, false, -EACCES, "/new: permission denied");
	store = opened(path, true); /* in WAL mode, in a folder where its index cannot be made */
	runs_are_whole(store, 1, 5, 5);
	store_close(store);
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(folder, 0700), 0);
	if (getuid() == 0) {
		assert_int_equal(seteuid(65534), 0);
		refused(path, true, -EACCES, "permission denied");
		assert_int_equal(seteuid(0), 0);
		prctl(PR_SET_DUMPABLE, 1); /* again, or the check for leaks cannot look at us */
	}
	free(path);
	free(other);
	folder_remove(folder);
}

static void make_file(const char *path, const void *bytes, size_t size)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

static void make_database(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static size_t size_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (size_t) st.st_size;
}

static void test_wrong_files(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "f"),
	     *below = path_in(folder, "f/t.db");
	char *other = path_in(folder, "other"), *missing = path_in(folder, "missing"),
	     *link = path_in(folder, "link");
	char *fifo = path_in(folder, "fifo"), text[3000];
	size_t size;

	memset(text, 'x', sizeof(text));
	for (int readonly = 0; readonly < 2; readonly++) {
		for (size_t n = 1; n <= sizeof(text); n = n * 3 + 1) {
			make_file(path, text, n);
			refused(path, readonly, -EINVAL, "not a tacho database");
			assert_int_equal(size_of(path), n); /* and it is left as it was */
		}
		refused(folder, readonly, -EINVAL, "is a folder");
		refused(below, readonly, -EINVAL, "no folder");
		refused("/dev/null", readonly, -EINVAL, "not a regular file");
	}
	refused(missing, true, -ENOENT, "no such file");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	refused(fifo, false, -EINVAL, "not a regular file");
	refused(fifo, true, -EINVAL, "not a regular file");
	assert_int_equal(symlink("nowhere", link), 0);
	refused(link, false, -ENOENT, "link");
	make_database(other, "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
	size = size_of(other);
	refused(other, false, -EINVAL, "another program");
	refused(other, true, -EINVAL, "another program");
	assert_int_equal(size_of(other), size);
	unlink(other);
	make_database(
		other,
		"PRAGMA application_id = 1952539496; PRAGMA user_version = 99; CREATE TABLE t (x)");
	refused(other, false, -EINVAL, "newer tacho (schema 99");
	unlink(other);
	free(path);
	free(below);
	free(other);
	free(missing);
	free(link);
	free(fifo);
	folder_remove(folder);
}

/* An empty file is a new database to a writer, and one without results to a reader. */
static void test_empty_file(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct store_entry *entries = NULL;
	struct record *record = NULL;
	struct error err = { 0 };
	struct store *store;
	int64_t id;
	size_t n = 1;

	make_file(path, "", 0);
	store = opened(path, true);
	assert_int_equal(store_list(store, 0, &entries, &n, &err), 0);
	assert_int_equal(n, 0);
	assert_int_equal(store_find(store, "1", &id, &err), -EINVAL);
	error_clear(&err);
	assert_int_equal(store_load(store, 1, true, &record, &err), -EINVAL);
	error_clear(&err);
	assert_int_equal(store_save(store, &(struct record) { 0 }, &id, NULL, &err), -EACCES);
	store_close(store);
	assert_int_equal(size_of(path), 0);
	write_five(path);
	store = opened(path, true);
	runs_are_whole(store, 1, 5, 5);
	store_close(store);
	free(path);
	folder_remove(folder);
}

/* What a database brings along that runs by itself is not run, and texts that are no texts do no
 * harm. */
static void test_planted(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct error err = { 0 };
	struct store *store;
	size_t n = 1;
	struct store_entry *entries = NULL;

	write_five(path);
	make_database(path, "CREATE TRIGGER evil AFTER INSERT ON run BEGIN DELETE FROM value; END;"
			    "UPDATE run SET environment = x'ff00fe' WHERE id = 1;"
			    "UPDATE run SET started = 'soon', valid = 'perhaps' WHERE id = 2;"
			    "UPDATE experiment SET writer = '%n%s 1 2', machine = '{';");
	write_five(path);
	store = opened(path, true);
	assert_int_equal(store_list(store, 0, &entries, &n, &err), 0);
	assert_int_equal(n, 2);
	store_entries_free(entries, n);
	runs_are_whole(store, 2, 5, 5);
	store_close(store);
	free(path);
	folder_remove(folder);
}

static void out_of_range(const char *sql)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct record *record = NULL;
	struct error err = { 0 };
	struct store *store;

	write_five(path);
	make_database(path, sql);
	store = opened(path, true);
	if (store_load(store, 1, true, &record, &err) != -EINVAL || !strstr(err.text, "damaged") ||
	    record)
		fail_msg("%s: %s", sql, err.text);
	store_close(store);
	free(path);
	folder_remove(folder);
}

static void test_out_of_range(void **state)
{
	static const char *const changes[] = {
		"UPDATE run SET configuration = 4 WHERE id = 3",
		"UPDATE run SET configuration = -1 WHERE id = 3",
		"UPDATE run SET block = 5000000000 WHERE id = 3",
		"UPDATE value SET metric = 99 WHERE run = 2",
		"UPDATE value SET samples = x'0001020304' WHERE run = 2",
		"UPDATE value SET labels = NULL WHERE run = 2",
		"UPDATE metric SET better = 'faster' WHERE position = 1",
		"UPDATE metric SET position = 9 WHERE position = 3",
		"UPDATE metric SET name = NULL",
		"UPDATE experiment SET baseline = 4",
		"UPDATE experiment SET status = NULL",
		"DELETE FROM configuration WHERE position = 0",
		"INSERT INTO block_value (experiment, block, configuration, metric, labels) VALUES (1, 1, 7, 0, 1)",
		"INSERT INTO discard (experiment, block, attempt) VALUES (1, -1, 1)",
		"DROP TABLE discard",
		"ALTER TABLE run DROP COLUMN reason",
	};

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
		out_of_range(changes[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_only_disk), cmocka_unit_test(test_permissions),
		cmocka_unit_test(test_wrong_files),    cmocka_unit_test(test_empty_file),
		cmocka_unit_test(test_planted),        cmocka_unit_test(test_out_of_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
