/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A database with any byte changed, or cut at any length, is read or refused with a reason: no
 * crash, no hang. */
#include "test-store-record.h"

#include <errno.h>

#include "report/report.h"
#include "store/store.h"

#define FLIPS 400
#define CUTS 60

struct bytes {
	unsigned char *data;
	size_t size;
};

static struct bytes read_file(const char *path)
{
	struct bytes bytes = { 0 };
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	bytes.size = (size_t) ftell(f);
	rewind(f);
	bytes.data = malloc(bytes.size);
	assert_non_null(bytes.data);
	assert_int_equal(fread(bytes.data, 1, bytes.size, f), bytes.size);
	fclose(f);
	return bytes;
}

static void write_file(const char *path, const struct bytes *bytes, size_t size)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes->data, 1, size, f), size);
	fclose(f);
}

static struct bytes good_database(const char *path)
{
	struct record *a = made_record("0b5e7a10-0000-4000-8000-000000000001", 6);
	struct record *b = made_record("1c5e7a10-0000-4000-8000-000000000002", 3);
	struct error err = { 0 };
	struct store *store = NULL;

	assert_int_equal(store_open(path, false, &store, &err), 0);
	assert_int_equal(store_save(store, a, NULL, NULL, &err), 0);
	assert_int_equal(store_save(store, b, NULL, NULL, &err), 0);
	store_close(store);
	record_free(a);
	record_free(b);
	return read_file(path);
}

/* A refusal says why, with one of the codes that have a meaning. */
static bool refused(int r, struct error *err)
{
	if (r >= 0)
		return false;
	assert_true(r == -EINVAL || r == -EIO || r == -EACCES || r == -ENOMEM || r == -E2BIG);
	assert_int_equal(err->code, r);
	assert_true(strlen(err->text) > 20);
	error_clear(err);
	return true;
}

static void report(const struct record *record)
{
	struct error err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	refused(report_json(record, true, f, &err), &err);
	refused(report_text(record, f, false, 0, &err), &err);
	fclose(f);
	free(text);
}

/* Reads all there is; returns how many experiments came out. */
static size_t read_all(const char *path)
{
	struct store_entry *entries = NULL;
	struct error err = { 0 };
	struct store *store = NULL;
	size_t n = 0, whole = 0;

	if (refused(store_open(path, true, &store, &err), &err))
		return 0;
	if (refused(store_list(store, 0, &entries, &n, &err), &err))
		n = 0;
	store_entries_free(entries, n);
	for (int64_t id = 1; id <= 2; id++) {
		struct record *record = NULL;

		if (refused(store_load(store, id, true, &record, &err), &err))
			continue;
		report(record);
		record_free(record);
		whole++;
	}
	store_close(store);
	return whole;
}

static void test_flips(void **state)
{
	static const unsigned char masks[] = { 0xff, 0x01, 0x80 };
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct bytes bytes = good_database(path);
	size_t refusals = 0;

	assert_int_equal(read_all(path), 2);
	for (size_t i = 0; i < FLIPS; i++) {
		/* The header and the schema closely, the rest spread out. */
		size_t at = i < 200 ? i : 200 + (i - 200) * 104729 % (bytes.size - 200);

		bytes.data[at] ^= masks[i % ARRAY_SIZE(masks)];
		write_file(path, &bytes, bytes.size);
		refusals += read_all(path) < 2;
		bytes.data[at] ^= masks[i % ARRAY_SIZE(masks)];
	}
	print_message("%d changed bytes in %zu: %zu times something was refused\n", FLIPS,
		      bytes.size, refusals);
	assert_true(refusals > 0);
	free(bytes.data);
	free(path);
	folder_remove(folder);
}

static void test_cuts(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");
	struct bytes bytes = good_database(path);

	for (size_t i = 1; i < CUTS; i++) {
		write_file(path, &bytes, i * bytes.size / CUTS);
		assert_true(read_all(path) < 2);
	}
	free(bytes.data);
	free(path);
	folder_remove(folder);
}

/* Writing to a damaged one is refused or works, and importing from one leaves ours whole. */
static void test_import(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db"),
	     *home = path_in(folder, "home.db");
	struct bytes bytes = good_database(path);
	struct error err = { 0 };

	for (size_t i = 0; i < 60; i++) {
		size_t at = 100 + i * 7919 % (bytes.size - 100);
		struct store *store = NULL;

		bytes.data[at] ^= 0xff;
		write_file(path, &bytes, bytes.size);
		assert_int_equal(store_open(home, false, &store, &err), 0);
		refused(store_import_db(store, path, false, NULL, NULL, &err), &err);
		store_close(store);
		if (!refused(store_open(path, false, &store, &err), &err)) {
			struct record *record = made_record(NULL, 1);

			refused(store_save(store, record, NULL, NULL, &err), &err);
			record_free(record);
			store_close(store);
		}
		bytes.data[at] ^= 0xff;
	}
	assert_true(read_all(home) >= 1);
	free(bytes.data);
	free(path);
	free(home);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flips),
		cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_import),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
