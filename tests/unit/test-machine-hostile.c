/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trees that are damaged or made to do harm: nothing stops the reading, each item is unknown with a
 * reason. */
#include "test-machine.h"

static void put_good(const struct tree *tree)
{
	put_cpus(tree, "0-1");
	put(tree, "x86_64", "/proc/sys/kernel/arch");
	for (int i = 0; i < 2; i++)
		put_policy(tree, &(struct policy_files) { i, i ? "1" : "0", "acpi-cpufreq",
							  "schedutil", "performance schedutil",
							  "800000", "2000000", "2000000 800000" });
}

static void put_fifo(const struct tree *tree, const char *name)
{
	char path[512];

	tree_place(tree, name, path, sizeof(path));
	unlink(path);
	assert_int_equal(mkfifo(path, 0644), 0);
}

static void remove_file(const struct tree *tree, const char *name)
{
	char path[512];

	tree_place(tree, name, path, sizeof(path));
	assert_int_equal(unlink(path), 0);
}

static void numbers(void **state)
{
	static const struct {
		const char *text, *reason;
	} cases[] = {
		{ "-5", "does not hold what it should" },
		{ "12 monkeys", "does not hold what it should" },
		{ "1e6", "does not hold what it should" },
		{ "99999999999999999999999999", "does not hold what it should" },
		{ "18446744073709551615", "holds a number that cannot be" },
		{ "0", "holds a number that cannot be" },
		{ "", "empty" },
		{ "   ", "empty" },
		{ "<unknown>", "does not hold what it should" },
	};
	struct tree *tree = *state;

	put_good(tree);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct machine *m;

		put(tree, cases[i].text, POLICY "/cpuinfo_max_freq", 1);
		m = read_tree(tree);
		assert_int_equal(m->n_policies, 2);
		assert_int_equal(m->policies[0].hw_max_khz, 2000000);
		assert_true(m->policies[1].hw_max_khz == UNKNOWN);
		assert_int_equal(m->policies[1].hw_min_khz, 800000);
		assert_contains(why(m, "policyN/cpuinfo_max_freq"), cases[i].reason);
		assert_contains(why(m, "policyN/cpuinfo_max_freq"), "(policies 1)");
	}
}

static void texts(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;
	char *large = malloc(1 << 20);

	assert_non_null(large);
	memset(large, 'x', 1 << 20);
	put_good(tree);
	put_bytes(tree, CPU "/cpufreq/policy0/scaling_governor", large, 1 << 20);
	put_bytes(tree, CPU "/cpufreq/policy0/scaling_available_governors", "a\0b", 3);
	put_bytes(tree, CPU "/cpufreq/policy0/scaling_driver", "dri\xff\x01ver", 8);
	put(tree, "800000 abc", POLICY "/scaling_available_frequencies", 0);
	put_bytes(tree, "/proc/cmdline", "quiet \xc3\xa4 \xff\x1b[31m\n", 16);
	put_bytes(tree, "/proc/cpuinfo", large, 1 << 20);
	free(large);
	m = read_tree(tree);
	assert_null(m->policies[0].governor);
	assert_contains(why(m, "policyN/scaling_governor"), "longer than it can be");
	assert_null(m->policies[0].governors);
	assert_contains(why(m, "policyN/scaling_available_governors"), "binary");
	assert_null(m->policies[0].driver);
	assert_contains(why(m, "policyN/scaling_driver"), "does not hold what it should");
	assert_null(m->policies[0].frequencies);
	assert_int_equal(m->policies[0].n_frequencies, 0);
	assert_int_equal(m->policies[1].n_frequencies, 2);
	assert_string_equal(m->command_line, "quiet \xc3\xa4 ??[31m"); /* valid UTF-8 stays */
	assert_null(m->model);
}

/* Folders, pipes nobody writes to, and links that lead in a circle or out of the tree, in the place
 * of files. */
static void not_files(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_good(tree);
	remove_file(tree, CPU "/cpufreq/policy0/scaling_min_freq");
	put(tree, "", POLICY "/scaling_min_freq/inside", 0);
	put_fifo(tree, CPU "/cpufreq/policy0/scaling_max_freq");
	remove_file(tree, CPU "/cpufreq/policy0/scaling_driver");
	put_link(tree, "scaling_driver", CPU "/cpufreq/policy0/scaling_driver");
	put_link(tree, "/etc/hostname", "/proc/sys/kernel/hostname");
	put_fifo(tree, "/proc/cmdline");
	put_fifo(tree, "/proc/config.gz");
	put_fifo(tree, CPU "/cpu1/cpu_capacity");
	put_link(tree, "../cpu0", CPU "/cpu0/cpuidle");
	m = read_tree(tree);
	assert_true(m->policies[0].min_khz == UNKNOWN);
	assert_contains(why(m, "policyN/scaling_min_freq"), "a folder where a file was expected");
	assert_true(m->policies[0].max_khz == UNKNOWN);
	assert_contains(why(m, "policyN/scaling_max_freq"), "empty");
	assert_null(m->policies[0].driver);
	assert_contains(why(m, "policyN/scaling_driver"), "symbolic links");
	assert_null(m->hostname);
	assert_null(m->command_line);
	assert_contains(why(m, "/proc/cmdline"), "empty");
	assert_int_equal(m->n_types, 1);
}

static void claims(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_good(tree);
	put(tree, "0 1", POLICY "/related_cpus", 0);
	m = read_tree(tree);
	assert_int_equal(m->n_policies, 2);
	assert_string_equal(list_of(&m->policies[0].related), "0-1");
	assert_int_equal(cpus_count(&m->policies[1].related), 0);
	assert_int_equal(cpus_count(&m->policies[1].online), 0);
	assert_ptr_equal(machine_policy_of(m, 1), &m->policies[0]);
	assert_contains(why(m, "policyN/related_cpus"), "an earlier policy");
}

static void members(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_good(tree);
	remove_file(tree, CPU "/cpufreq/policy1/related_cpus"); /* affected_cpus is left */
	put(tree, "0 x", POLICY "/related_cpus", 0);
	put(tree, "9999", POLICY "/affected_cpus", 0); /* nothing is left but the number */
	m = read_tree(tree);
	assert_string_equal(list_of(&m->policies[0].related), "0");
	assert_string_equal(list_of(&m->policies[0].online), "0");
	assert_string_equal(list_of(&m->policies[1].related), "1");
	assert_contains(why(m, "policyN/related_cpus"), "(policies");
}

static void names(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_good(tree);
	put(tree, "0", CPU "/cpufreq/policy8192/related_cpus");
	put(tree, "0", CPU "/cpufreq/policy-1/related_cpus");
	put(tree, "0", CPU "/cpufreq/policyx/related_cpus");
	put(tree, "0", CPU "/cpufreq/policy99999999999999999999/related_cpus");
	put(tree, "", CPU "/cpu8192/uevent");
	put(tree, "", CPU "/cpu99999999999/uevent");
	put(tree, "POLL", CPU "/cpu0/cpuidle/statex/name");
	m = read_tree(tree);
	assert_int_equal(m->n_policies, 2);
	assert_contains(why(m, "policyN"), "without the number of a CPU");
	assert_string_equal(list_of(&m->present), "0-1");
	assert_int_equal(m->n_idle_states, 0);
}

static void lists_of_cpus(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_good(tree);
	put(tree, "0-9000", CPU "/present");
	put(tree, "garbage", CPU "/online");
	put(tree, "0", CPU "/cpu1/online");
	m = read_tree(tree);
	assert_string_equal(list_of(&m->present), "0-1"); /* by the folders */
	assert_string_equal(list_of(&m->online), "0");    /* by the switches */
	put(tree, "0-1", CPU "/present");
	put(tree, "0-7", CPU "/online");
	m = read_tree(tree);
	assert_string_equal(list_of(&m->online), "0-1");
	assert_contains(why(m, CPU "/online"), "not present");
	put(tree, "0-8191", CPU "/present");
	m = read_tree(tree);
	assert_int_equal(cpus_count(&m->present), 8192);
	assert_contains(why(m, "cpuN/cpu_capacity"), "(CPUs 0-8191)");
	assert_true(m->n_missing < 60);
}

/* However many files are broken, the list of what is missing ends. */
static void endless(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_good(tree);
	for (int i = 0; i < 300; i++) {
		char name[128];

		snprintf(name, sizeof(name), CPU "/cpufreq/schedutil/tunable%d", i);
		put_bytes(tree, name, "\0", 1);
	}
	m = read_tree(tree);
	assert_int_equal(m->policies[1].n_tunables, 300);
	assert_null(m->policies[1].tunables[5].value);
	assert_int_equal(m->n_missing, 201);
	assert_contains(why(m, "others"), "more kinds");
}

static void nothing(void **state)
{
	struct tree *tree = *state;
	const struct machine *m = read_tree(tree);
	struct cpus *sets;
	size_t n;
	struct error err = { 0 };
	json_object *o;

	assert_int_equal(m->n_policies + m->n_types + m->n_idle_states, 0);
	assert_int_equal(cpus_count(&m->present), 0);
	assert_contains(why(m, CPU), "no such folder");
	assert_int_equal(machine_select_cpus(m, NULL, &sets, &n, &err), -EINVAL);
	o = machine_json(m);
	assert_int_equal(json_object_array_length(json_object_object_get(o, "policies")), 0);
	json_object_put(o);
}

/* Root may read everything, so the reading is done as nobody. */
static void unreadable(void **state)
{
	struct tree *tree = *state;
	bool root = geteuid() == 0;
	const struct machine *m;
	char path[512];

	put_good(tree);
	assert_int_equal(chmod(tree->path, 0755), 0);
	tree_place(tree, CPU "/cpufreq/policy0/scaling_cur_freq", path, sizeof(path));
	assert_int_equal(chmod(path, 0), 0);
	if (root)
		assert_int_equal(seteuid(65534), 0);
	m = read_tree(tree);
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(m->n_policies, 2);
	assert_true(m->policies[0].current_khz == UNKNOWN);
	assert_int_equal(m->policies[1].current_khz, 800000);
	assert_contains(why(m, "policyN/scaling_cur_freq"), "permission denied");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(numbers), CASE(texts),      CASE(not_files),     CASE(claims),
		CASE(members), CASE(names),      CASE(lists_of_cpus), CASE(endless),
		CASE(nothing), CASE(unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
