/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "lib/file.h"
#include "lib/rng.h"
#include "lib/root.h"

struct tree {
	char path[64];
	struct root *root;
};

static void put(const struct tree *tree, const char *name, const char *content, size_t size)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", tree->path, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, content, size), 0);
	close(fd);
}

static int setup(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	char path[128];

	strcpy(tree->path, "/tmp/tacho-root.XXXXXX");
	assert_non_null(mkdtemp(tree->path));
	snprintf(path, sizeof(path), "%s/sys/dir", tree->path);
	assert_int_equal(make_folders(path), 0);
	assert_int_equal(root_new(tree->path, &tree->root, NULL), 0);
	*state = tree;
	return 0;
}

static int teardown(void **state)
{
	struct tree *tree = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", tree->path);
	assert_int_equal(system(command), 0);
	root_free(tree->root);
	free(tree);
	return 0;
}

static void reads(void **state)
{
	struct tree *tree = *state;
	struct cpus cpus;
	char buf[16], *all;
	uint64_t u;
	int64_t s;

	put(tree, "sys/number", "300000\n", 7);
	put(tree, "sys/hex", "0x1f\n", 5);
	put(tree, "sys/negative", "-5\n", 3);
	put(tree, "sys/empty", "", 0);
	put(tree, "sys/blank", "\n", 1);
	put(tree, "sys/garbage", "12 monkeys\n", 11);
	put(tree, "sys/zero", "a\0b\n", 4);
	put(tree, "sys/long", "0123456789abcdefgh\n", 19);
	put(tree, "sys/list", "0-3,8\n", 6);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/%s", "number"), 0);
	assert_int_equal(u, 300000);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/hex"), 0);
	assert_int_equal(u, 31);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/negative"), -EBADMSG);
	assert_int_equal(root_read_s64(tree->root, &s, "/sys/negative"), 0);
	assert_int_equal(s, -5);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/empty"), -ENODATA);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/blank"), -ENODATA);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/garbage"), -EBADMSG);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/zero"), -EBADMSG);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/absent"), -ENOENT);
	assert_int_equal(root_read_u64(tree->root, &u, "/sys/dir"), -EISDIR);
	assert_int_equal(root_read(tree->root, buf, sizeof(buf), "/sys/long"), -E2BIG);
	assert_int_equal(root_read(tree->root, buf, sizeof(buf), "/sys/number"), 6);
	assert_string_equal(buf, "300000");
	assert_int_equal(root_read_all(tree->root, 1 << 20, &all, "/sys/long"), 18);
	assert_string_equal(all, "0123456789abcdefgh");
	free(all);
	assert_int_equal(root_read_cpus(tree->root, &cpus, "/sys/list"), 0);
	assert_int_equal(cpus_count(&cpus), 5);
	assert_int_equal(root_read_cpus(tree->root, &cpus, "/sys/empty"), 0);
	assert_int_equal(cpus_count(&cpus), 0);
	assert_int_equal(root_read_cpus(tree->root, &cpus, "/sys/garbage"), -EBADMSG);
}

static void stays_inside(void **state)
{
	struct tree *tree = *state;
	char path[128], buf[64];

	snprintf(path, sizeof(path), "%s/sys/escape", tree->path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	snprintf(path, sizeof(path), "%s/sys/up", tree->path);
	assert_int_equal(symlink("../../../../../../etc/passwd", path), 0);
	snprintf(path, sizeof(path), "%s/sys/loop", tree->path);
	assert_int_equal(symlink("loop", path), 0);
	assert_int_equal(root_read(tree->root, buf, sizeof(buf), "/sys/escape"), -ENOENT);
	assert_int_equal(root_read(tree->root, buf, sizeof(buf), "/sys/up"), -ENOENT);
	assert_int_equal(root_read(tree->root, buf, sizeof(buf), "/sys/loop"), -ELOOP);
}

static void writes(void **state)
{
	struct tree *tree = *state;
	char buf[32];

	put(tree, "sys/knob", "a long old value\n", 17);
	assert_int_equal(root_write(tree->root, "new", "/sys/knob"), 0);
	root_read(tree->root, buf, sizeof(buf), "/sys/knob");
	assert_string_equal(buf, "new");
	assert_int_equal(root_write(tree->root, "new", "/sys/absent"), -ENOENT);
	assert_false(root_exists(tree->root, "/sys/absent"));
	assert_true(root_exists(tree->root, "/sys/knob"));
}

static void lists_by_number(void **state)
{
	struct tree *tree = *state;
	char **names;

	put(tree, "sys/dir/policy10", "", 0);
	put(tree, "sys/dir/policy2", "", 0);
	put(tree, "sys/dir/other", "", 0);
	assert_int_equal(root_list(tree->root, "policy", &names, "/sys/dir"), 2);
	assert_string_equal(names[0], "policy2");
	assert_string_equal(names[1], "policy10");
	assert_null(names[2]);
	strv_free(names);
	assert_int_equal(root_list(tree->root, "", &names, "/sys/nowhere"), -ENOENT);
}

static void never_waits(void **state)
{
	struct tree *tree = *state;
	char path[128], buf[8];

	snprintf(path, sizeof(path), "%s/sys/fifo", tree->path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(root_read(tree->root, buf, sizeof(buf), "/sys/fifo"), -ENODATA);
}

static void draws_the_same_again(void **state)
{
	struct rng a, b;
	size_t order[5], seen[5] = { 0 }, counts[3] = { 0 };

	rng_init(&a, 7);
	rng_init(&b, 7);
	for (int i = 0; i < 100; i++)
		assert_true(rng_next(&a) == rng_next(&b));
	/* splitmix64 from the seed 1234567, as its authors publish it */
	rng_init(&a, 1234567);
	assert_true(rng_next(&a) == 6457827717110365317ULL);
	assert_true(rng_next(&a) == 3203168211198807973ULL);
	rng_permutation(&a, order, 5);
	for (int i = 0; i < 5; i++)
		seen[order[i]]++;
	for (int i = 0; i < 5; i++)
		assert_int_equal(seen[i], 1);
	for (int i = 0; i < 30000; i++)
		counts[rng_below(&a, 3)]++;
	for (int i = 0; i < 3; i++)
		assert_in_range(counts[i], 9600, 10400); /* 5 sigma */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(reads, setup, teardown),
		cmocka_unit_test_setup_teardown(stays_inside, setup, teardown),
		cmocka_unit_test_setup_teardown(writes, setup, teardown),
		cmocka_unit_test_setup_teardown(lists_by_number, setup, teardown),
		cmocka_unit_test_setup_teardown(never_waits, setup, teardown),
		cmocka_unit_test(draws_the_same_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
