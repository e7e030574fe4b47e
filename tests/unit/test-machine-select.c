/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --cpus on machines of several kinds, and what is said about values that name nothing here. */
#include "test-machine.h"

/* Types little 0,3-5 and big 1-2, policies 0 and 1; CPU 5 offline; CPU 6 not there. */
static const struct machine *biglittle(struct tree *tree)
{
	put_cpus(tree, "0-5");
	put(tree, "0-4", CPU "/online");
	for (int cpu = 0; cpu < 6; cpu++)
		put(tree, cpu == 1 || cpu == 2 ? "1024" : "446", CPU "/cpu%d/cpu_capacity", cpu);
	put_policy(tree, &(struct policy_files) { 0, "0 3 4 5" });
	put(tree, "0 3 4", POLICY "/affected_cpus", 0);
	put_policy(tree, &(struct policy_files) { 1, "1 2" });
	return read_tree(tree);
}

static void expect_sets(const struct machine *m, const char *text, const char *expected)
{
	struct error err = { 0 };
	char got[512] = "";
	struct cpus *sets;
	size_t n, used = 0;
	int r = machine_select_cpus(m, text, &sets, &n, &err);

	if (r < 0)
		print_error("--cpus %s: %s\n", text ? text : "(none)", err.text);
	assert_int_equal(r, 0);
	for (size_t i = 0; i < n; i++)
		used += (size_t) snprintf(got + used, sizeof(got) - used, "%s%s", i ? " | " : "",
					  list_of(&sets[i]));
	free(sets);
	assert_string_equal(got, expected);
}

static void expect_error(const struct machine *m, const char *text, const char *part)
{
	struct error err = { 0 };
	struct cpus *sets;
	size_t n;

	assert_int_equal(machine_select_cpus(m, text, &sets, &n, &err), -EINVAL);
	assert_contains(err.text, part);
	assert_contains(err.text, "--cpus");
}

static void places(void **state)
{
	const struct machine *m = biglittle(*state);

	expect_sets(m, "0-2", "0-2");
	expect_sets(m, "0+3+4", "0,3-4");
	expect_sets(m, "0,2", "0,2");
	expect_sets(m, "policy0", "0,3-4");
	expect_sets(m, "policy1", "1-2");
	expect_sets(m, "little", "0,3-4");
	expect_sets(m, "big", "1-2");
	expect_sets(m, "each-type", "4 | 2");
	expect_sets(m, "each-policy", "4 | 2");
	expect_sets(m, "any", "0-4");
	expect_sets(m, NULL, "4 | 2");
}

static void mistakes(void **state)
{
	const struct machine *m = biglittle(*state);

	expect_error(m, "5", "CPU 5 is offline; online are 0-4");
	expect_error(m, "5", CPU "/cpu5/online");
	expect_error(m, "4-6", "there is no CPU 6 on this machine; it has 0-5");
	expect_error(m, "9000", "at most 8191");
	expect_error(m, "0-", "expected numbers and ranges");
	expect_error(m, "", "empty");
	expect_error(m, "policy7", "no such policy; N of policyN is one of 0-1");
	expect_error(m, "middle", "no such CPUs");
	expect_error(m, "middle", "little, big");
	expect_error(m, "litle", "did you mean `little`?");
	expect_error(m, "each-typ", "did you mean `each-type`?");
	expect_error(m, "policyx", "policyN");
}

static void one_kind(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-3");
	m = read_tree(tree);
	expect_sets(m, NULL, "3");
	expect_sets(m, "cpu", "0-3");
	expect_error(m, "big", "no such CPUs");
	expect_error(m, "policy0", "no cpufreq policies");
	expect_error(m, "each-policy", "no cpufreq policies");
	put_cpus(tree, "0");
	expect_sets(read_tree(tree), NULL, "0"); /* there is no other */
}

static void hybrid(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-5");
	put(tree, "0-3", "/sys/devices/cpu_core/cpus");
	put(tree, "4-5", "/sys/devices/cpu_atom/cpus");
	m = read_tree(tree);
	expect_sets(m, "big", "0-3");
	expect_sets(m, "core", "0-3");
	expect_sets(m, "little", "4-5");
	expect_sets(m, "atom", "4-5");
	expect_sets(m, NULL, "3 | 5");
	expect_error(m, "middle", "core, atom");
}

/* Three sizes, the middle one of two makes. */
static void middles(void **state)
{
	static const char *const capacities[] = { "280", "855", "855", "1024" };
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-3");
	put(tree, "aarch64", "/proc/sys/kernel/arch");
	for (int i = 0; i < 4; i++) {
		put(tree, capacities[i], CPU "/cpu%d/cpu_capacity", i);
		put(tree, i == 2 ? "0x412fd470" : "0x411fd4d0",
		    CPU "/cpu%d/regs/identification/midr_el1", i);
	}
	m = read_tree(tree);
	expect_sets(m, "middle", "1-2");
	expect_sets(m, "middle1", "1");
	expect_sets(m, "middle2", "2");
	expect_sets(m, NULL, "0 | 1 | 2 | 3");
}

/* The set of CPUs that the process may use confines what is picked, not what is asked for. */
static void confined(void **state)
{
	struct tree *tree = *state;

	biglittle(tree);
	assert_int_equal(cpus_parse("0,1,3", &tree->m->allowed, NULL), 0);
	expect_sets(tree->m, NULL, "3 | 1");
	expect_sets(tree->m, "any", "0-1,3");
	expect_sets(tree->m, "2", "2");
	assert_int_equal(cpus_parse("0", &tree->m->allowed, NULL), 0);
	expect_sets(tree->m, "each-type", "0");
	expect_error(tree->m, "big", "none of its CPUs (1-2)");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(places), CASE(mistakes), CASE(one_kind),
		CASE(hybrid), CASE(middles),  CASE(confined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
