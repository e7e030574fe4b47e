/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's configuration: where it is found, what it tells, and what is made of damaged ones.
 */
#include "test-machine.h"

#include <zlib.h>

static void put_packed(const struct tree *tree, const char *text, size_t cut)
{
	char path[512], head[64];
	gzFile file;
	size_t n;
	int fd;

	tree_place(tree, "/proc/config.gz", path, sizeof(path));
	file = gzopen(path, "wb");
	assert_non_null(file);
	assert_true(gzwrite(file, text, (unsigned) strlen(text)) > 0);
	gzclose(file);
	if (!cut)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	n = (size_t) read(fd, head, MIN(cut, sizeof(head)));
	close(fd);
	put_bytes(tree, "/proc/config.gz", head, n);
}

static void packed(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_packed(
		tree,
		"# Linux/arm64 6.1.0 Kernel Configuration\nCONFIG_HZ_250=y\nCONFIG_HZ=250\n"
		"# CONFIG_PREEMPT_NONE is not set\nCONFIG_PREEMPT_VOLUNTARY=y\n"
		"CONFIG_PROVE_LOCKING=y\nCONFIG_KASAN=m\n# CONFIG_KCSAN is not set\nCONFIG_LOCK_STAT=n\n"
		"CONFIG_DEBUG_PREEMPT=y\n",
		0);
	m = read_tree(tree);
	assert_string_equal(m->config_source, "/proc/config.gz");
	assert_int_equal(m->hz, 250);
	assert_string_equal(m->preemption, "voluntary");
	assert_string_equal(m->distorting[0], "CONFIG_PROVE_LOCKING");
	assert_string_equal(m->distorting[1], "CONFIG_DEBUG_PREEMPT");
	assert_null(m->distorting[2]);
}

static void below_boot(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put(tree, "6.6.1-rt", "/proc/sys/kernel/osrelease");
	put(tree,
	    "CONFIG_HZ=\"1000\"\r\nCONFIG_PREEMPT=y\nCONFIG_PREEMPT_RT=y\nCONFIG_PREEMPT_LAZY=y",
	    "/lib/modules/6.6.1-rt/config");
	m = read_tree(tree);
	assert_string_equal(m->config_source, "/lib/modules/6.6.1-rt/config");
	assert_int_equal(m->hz, 1000);
	assert_string_equal(m->preemption, "rt");
	assert_non_null(m->distorting);
	assert_null(m->distorting[0]);
	put(tree, "CONFIG_HZ=100\nCONFIG_PREEMPT_NONE=y", "/boot/config-6.6.1-rt");
	m = read_tree(tree);
	assert_string_equal(m->config_source, "/boot/config-6.6.1-rt");
	assert_int_equal(m->hz, 100);
	assert_string_equal(m->preemption, "none");
}

static void dynamic(void **state)
{
	struct tree *tree = *state;

	put_packed(tree, "CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_DYNAMIC=y\nCONFIG_HZ=250\n",
		   0);
	assert_string_equal(read_tree(tree)->preemption, "voluntary (dynamic)");
	put(tree, "quiet preempt=full ro", "/proc/cmdline");
	assert_string_equal(read_tree(tree)->preemption, "full (dynamic)");
	put(tree, "quiet nopreempt=full ro", "/proc/cmdline");
	assert_string_equal(read_tree(tree)->preemption, "voluntary (dynamic)");
	put(tree, "none voluntary full (lazy)", "/sys/kernel/debug/sched/preempt");
	assert_string_equal(read_tree(tree)->preemption, "lazy (dynamic)");
}

static void damaged(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_packed(tree, "CONFIG_HZ=250\nCONFIG_PREEMPT_NONE=y\n", 20);
	m = read_tree(tree);
	assert_true(m->hz == UNKNOWN);
	assert_null(m->config_source);
	assert_null(m->distorting);
	assert_contains(why(m, "/proc/config.gz"), "does not hold what it should");
	assert_contains(why(m, "tick"), "cannot be read");
	put_bytes(tree, "/proc/config.gz", "not packed at all", 17);
	assert_contains(why(read_tree(tree), "/proc/config.gz"), "does not hold what it should");
	put_packed(
		tree,
		"CONFIG_HZ=lots\nCONFIG_\n=\nCONFIG_HZ\n\x7f\x01\xff\nCONFIG_HZ=99999999999999999999\n",
		0);
	m = read_tree(tree);
	assert_string_equal(m->config_source, "/proc/config.gz");
	assert_true(m->hz == UNKNOWN);
	assert_contains(why(m, "tick"), "no CONFIG_HZ");
}

/* 64 MiB of zeros pack into 64 kB: unpacking stops at its limit. */
static void bomb(void **state)
{
	struct tree *tree = *state;
	char path[512], *block = calloc(1, 1 << 20);
	gzFile file;

	assert_non_null(block);
	tree_place(tree, "/proc/config.gz", path, sizeof(path));
	file = gzopen(path, "wb");
	for (int i = 0; i < 64; i++)
		assert_int_equal(gzwrite(file, block, 1 << 20), 1 << 20);
	gzclose(file);
	free(block);
	assert_contains(why(read_tree(tree), "/proc/config.gz"), "longer than it can be");
}

static void strange_release(void **state)
{
	struct tree *tree = *state;

	put(tree, "../../etc/x", "/proc/sys/kernel/osrelease");
	put(tree, "CONFIG_HZ=250", "/etc/x");
	assert_null(read_tree(tree)->config_source);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(packed),  CASE(below_boot), CASE(dynamic),
		CASE(damaged), CASE(bomb),       CASE(strange_release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
