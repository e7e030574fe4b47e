/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What machine_read() makes of whole machines of each kind. */
#include "test-machine.h"

/* As an Arm Juno: clusters {0,3,4,5} and {1,2}, tunables with each policy. */
static void put_biglittle(const struct tree *tree)
{
	static const bool big[] = { false, true, true, false, false, false };

	put_cpus(tree, "0-5");
	put(tree, "aarch64", "/proc/sys/kernel/arch");
	put(tree, "6.12.0", "/proc/sys/kernel/osrelease");
	for (int cpu = 0; cpu < 6; cpu++) {
		put(tree, big[cpu] ? "1024" : "446", CPU "/cpu%d/cpu_capacity", cpu);
		put(tree, big[cpu] ? "0x00000000410fd080" : "0x00000000410fd033",
		    CPU "/cpu%d/regs/identification/midr_el1", cpu);
		put(tree, "WFI", CPU "/cpu%d/cpuidle/state0/name", cpu);
		put(tree, "ARM WFI", CPU "/cpu%d/cpuidle/state0/desc", cpu);
		put(tree, "1", CPU "/cpu%d/cpuidle/state0/latency", cpu);
		put(tree, "1", CPU "/cpu%d/cpuidle/state0/residency", cpu);
		put(tree, "0", CPU "/cpu%d/cpuidle/state0/disable", cpu);
		put(tree, "cpu-sleep-0", CPU "/cpu%d/cpuidle/state1/name", cpu);
		put(tree, "cpu-sleep-0", CPU "/cpu%d/cpuidle/state1/desc", cpu);
		put(tree, big[cpu] ? "1200" : "1500", CPU "/cpu%d/cpuidle/state1/latency", cpu);
		put(tree, "2000", CPU "/cpu%d/cpuidle/state1/residency", cpu);
		put(tree, cpu == 4 ? "1" : "0", CPU "/cpu%d/cpuidle/state1/disable", cpu);
	}
	put_policy(tree, &(struct policy_files) { 0, "0 3 4 5", "scmi-cpufreq", "schedutil",
						  "performance schedutil", "450000", "850000",
						  "850000 450000 575000 575000 700000" });
	put_policy(tree, &(struct policy_files) { 1, "1 2", "scmi-cpufreq", "schedutil",
						  "performance schedutil", "600000", "1150000",
						  "600000 800000 1000000 1150000" });
	put(tree, "1000", POLICY "/schedutil/rate_limit_us", 0);
	put(tree, "2000", POLICY "/schedutil/rate_limit_us", 1);
	put(tree, "4294967295", POLICY "/cpuinfo_transition_latency", 0);
	put(tree, "1", "/proc/sys/kernel/sched_energy_aware");
	put(tree, "", "/sys/kernel/debug/energy_model/cpu0/ps:450000/power");
	put(tree, "", "/sys/kernel/debug/energy_model/cpu1/ps:600000/power");
	put(tree, "", "/sys/kernel/debug/energy_model/gpu/ps:1/power");
	put(tree, "psci_idle", CPU "/cpuidle/current_driver");
	put(tree, "menu", CPU "/cpuidle/current_governor");
}

static void biglittle_types(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_biglittle(tree);
	m = read_tree(tree);
	assert_int_equal(m->n_types, 2);
	assert_string_equal(m->types[0].name, "little");
	assert_string_equal(list_of(&m->types[0].cpus), "0,3-5");
	assert_int_equal(m->types[0].midr, 0x410fd033);
	assert_int_equal(m->types[0].capacity, 446);
	assert_int_equal(m->types[0].max_khz, 850000);
	assert_string_equal(m->types[0].model, "Cortex-A53");
	assert_string_equal(m->types[1].name, "big");
	assert_string_equal(list_of(&m->types[1].cpus), "1-2");
	assert_int_equal(m->types[1].max_khz, 1150000);
	assert_int_equal(machine_type_of(m, 4), 0);
	assert_int_equal(machine_type_of(m, 2), 1);
	assert_int_equal(machine_type_of(m, 6), -1);
	assert_string_equal(m->model, "Cortex-A53 + Cortex-A72");
}

static void biglittle_policies(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;
	const struct policy *p;

	put_biglittle(tree);
	m = read_tree(tree);
	assert_int_equal(m->n_policies, 2);
	p = &m->policies[0];
	assert_int_equal(p->number, 0);
	assert_string_equal(p->folder, CPU "/cpufreq/policy0");
	assert_string_equal(list_of(&p->related), "0,3-5");
	assert_string_equal(p->governor, "schedutil");
	assert_string_equal(p->governors[0], "performance");
	assert_string_equal(p->governors[1], "schedutil");
	assert_null(p->governors[2]);
	assert_int_equal(p->n_frequencies, 4); /* sorted, the double gone */
	assert_int_equal(p->frequencies[0], 450000);
	assert_int_equal(p->frequencies[1], 575000);
	assert_int_equal(p->frequencies[3], 850000);
	assert_true(p->latency_ns == UNKNOWN);
	assert_string_equal(p->tunables_folder, CPU "/cpufreq/policy0/schedutil");
	assert_string_equal(p->tunables[0].name, "rate_limit_us");
	assert_string_equal(p->tunables[0].value, "1000");
	assert_string_equal(m->policies[1].tunables[0].value, "2000");
	assert_ptr_equal(machine_policy_of(m, 2), &m->policies[1]);
	assert_null(machine_policy_of(m, 17));
	assert_null(p->epp);
	assert_contains(why(m, "policyN/energy_performance_preference"), "(policies 0-1)");
}

static void biglittle_idle_and_energy(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_biglittle(tree);
	m = read_tree(tree);
	assert_int_equal(m->n_idle_states, 3);
	assert_string_equal(list_of(&m->idle_states[0].cpus), "0-5");
	assert_string_equal(m->idle_states[1].name, "cpu-sleep-0");
	assert_int_equal(m->idle_states[1].latency_us, 1500);
	assert_int_equal(m->idle_states[1].residency_us, 2000);
	assert_string_equal(list_of(&m->idle_states[1].cpus), "0,3-5");
	assert_string_equal(list_of(&m->idle_states[1].disabled_cpus), "4");
	assert_int_equal(m->idle_states[1].disabled, 0);
	assert_int_equal(m->idle_states[2].latency_us, 1200);
	assert_string_equal(list_of(&m->idle_states[2].cpus), "1-2");
	assert_string_equal(m->idle_driver, "psci_idle");
	assert_string_equal(m->energy_model, "2 performance domains");
	assert_int_equal(m->energy_aware, 1);
	assert_string_equal(why_cannot(m, "energy-aware scheduling"), "");
	assert_contains(why_cannot(m, "energy"), "no powercap zone");
	put(tree, "1", "/sys/class/hwmon/hwmon3/energy1_input");
	assert_string_equal(why_cannot(read_tree(tree), "energy"), "");
	put(tree, "performance", POLICY "/scaling_governor", 1);
	assert_contains(why_cannot(read_tree(tree), "energy-aware scheduling"), "schedutil");
}

/* Two policies with the same governor share its tunables where the driver does not ask for more. */
static void shared_tunables(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-1");
	for (int i = 0; i < 2; i++)
		put_policy(tree, &(struct policy_files) {
					 i, i ? "1" : "0", "acpi-cpufreq", "ondemand",
					 "ondemand ondemand performance", "800000", "2100000" });
	put(tree, "10000", CPU "/cpufreq/ondemand/sampling_rate");
	put(tree, "80", CPU "/cpufreq/ondemand/up_threshold");
	m = read_tree(tree);
	for (int i = 0; i < 2; i++) {
		assert_string_equal(m->policies[i].tunables_folder, CPU "/cpufreq/ondemand");
		assert_int_equal(m->policies[i].n_tunables, 2);
		assert_string_equal(m->policies[i].tunables[0].value, "10000");
		assert_string_equal(m->policies[i].governors[1], "performance");
	}
	assert_null(m->policies[0].frequencies);
	assert_contains(why(m, "policyN/scaling_available_frequencies"), "no table");
}

static void hybrid(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-5");
	put(tree,
	    "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Some  Core(TM)\nmicrocode\t: 0x437\n"
	    "siblings\t: 6\ncpu cores\t: 4\nflags\t\t: fpu lm hypervisor mmx",
	    "/proc/cpuinfo");
	put(tree, "0-3", "/sys/devices/cpu_core/cpus");
	put(tree, "4-5", "/sys/devices/cpu_atom/cpus");
	put(tree, "active", CPU "/intel_pstate/status");
	put(tree, "1", CPU "/intel_pstate/no_turbo");
	put(tree, "QEMU", "/sys/class/dmi/id/sys_vendor");
	for (int i = 0; i < 6; i++) {
		char related[16];

		snprintf(related, sizeof(related), "%d", i);
		put_policy(tree, &(struct policy_files) { i, related, "intel_pstate", "powersave",
							  "performance powersave", "400000",
							  i < 4 ? "4700000" : "3400000" });
		put(tree, "balance_performance\nbalance_performance",
		    POLICY "/energy_performance_preference", i);
		put(tree, "default performance power \ndefault performance power",
		    POLICY "/energy_performance_available_preferences", i);
	}
	m = read_tree(tree);
	assert_int_equal(m->n_types, 2);
	assert_string_equal(m->types[0].name, "core");
	assert_string_equal(m->types[0].size, "big");
	assert_string_equal(list_of(&m->types[0].cpus), "0-3");
	assert_string_equal(m->types[1].name, "atom");
	assert_string_equal(m->types[1].size, "little");
	assert_int_equal(m->types[1].max_khz, 3400000);
	assert_true(m->types[1].capacity == UNKNOWN && m->types[1].midr == UNKNOWN);
	assert_string_equal(m->architecture, "x86_64");
	assert_string_equal(m->microcode, "0x437");
	assert_string_equal(m->model, "Some  Core(TM)");
	assert_string_equal(m->hypervisor, "QEMU");
	assert_string_equal(m->driver_mode, "active");
	assert_int_equal(m->boost, 0);
	assert_int_equal(m->smt, 1);
	assert_string_equal(m->policies[3].epp, "balance_performance");
	assert_string_equal(m->policies[3].epps[2], "power");
	assert_null(m->policies[3].epps[3]);
	assert_null(m->policies[3].tunables_folder);
}

/* amd-pstate with preferred cores: a highest frequency, even a capacity, of each core's own, but
 * one make. */
static void preferred_cores(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-2");
	put(tree, "x86_64", "/proc/sys/kernel/arch");
	for (int i = 0; i < 3; i++) {
		char related[16], high[16];

		snprintf(related, sizeof(related), "%d", i);
		snprintf(high, sizeof(high), "%d", 5000000 + 50000 * i);
		put_policy(tree,
			   &(struct policy_files) { i, related, "amd-pstate-epp", "powersave",
						    "performance powersave", "400000", high });
		put(tree, i ? "1024" : "1000", CPU "/cpu%d/cpu_capacity", i);
	}
	m = read_tree(tree);
	assert_int_equal(m->n_types, 1);
	assert_string_equal(m->types[0].name, "cpu");
	assert_int_equal(m->types[0].max_khz, 5100000);
	assert_int_equal(m->types[0].capacity, 1024);
	assert_null(m->types[0].size);
}

/* Before policyN: cpuN/cpufreq, a link to another CPU's where they share one. */
static void old_layout(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-3");
	for (int i = 0; i < 4; i += i ? 1 : 2) { /* 0, 2, 3; 1 is a link */
		put(tree, i < 2 ? "0 1" : "2 3", CPU "/cpu%d/cpufreq/related_cpus", i);
		put(tree,
		    i < 2    ? "0 1"
		    : i == 2 ? "2"
			     : "3",
		    CPU "/cpu%d/cpufreq/affected_cpus", i);
		put(tree, "acpi-cpufreq", CPU "/cpu%d/cpufreq/scaling_driver", i);
		put(tree, "ondemand", CPU "/cpu%d/cpufreq/scaling_governor", i);
		put(tree, "2000000 1000000", CPU "/cpu%d/cpufreq/scaling_available_frequencies", i);
		put(tree, "11", CPU "/cpu%d/cpufreq/ondemand/up_threshold", i);
	}
	put_link(tree, "../cpu0/cpufreq", CPU "/cpu1/cpufreq");
	put(tree, "95", CPU "/cpufreq/ondemand/up_threshold");
	m = read_tree(tree);
	assert_int_equal(m->n_policies, 2);
	assert_string_equal(m->policies[0].folder, CPU "/cpu0/cpufreq");
	assert_string_equal(list_of(&m->policies[0].online), "0-1");
	assert_int_equal(m->policies[1].number, 2);
	assert_string_equal(m->policies[1].folder, CPU "/cpu2/cpufreq");
	assert_string_equal(list_of(&m->policies[1].related), "2-3");
	assert_string_equal(list_of(&m->policies[1].online), "2-3");
	assert_string_equal(m->policies[1].tunables_folder, CPU "/cpufreq/ondemand");
	assert_string_equal(m->policies[1].tunables[0].value, "95");
	assert_int_equal(m->policies[1].frequencies[0], 1000000);
}

/* Four makes, two of them with the same capacity: each is a type of its own. */
static void two_middles(void **state)
{
	static const char *const capacities[] = { "280", "855", "855", "1024" };
	static const char *const parts[] = { "0xd46", "0xd4d", "0xd47", "0xd4e" };
	struct tree *tree = *state;
	const struct machine *m;
	char cpuinfo[2048] = "";
	size_t used = 0;

	put_cpus(tree, "0-3");
	for (int i = 0; i < 4; i++) {
		put(tree, capacities[i], CPU "/cpu%d/cpu_capacity", i);
		used += (size_t) snprintf(
			cpuinfo + used, sizeof(cpuinfo) - used,
			"processor\t: %d\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
			"CPU variant\t: 0x1\nCPU part\t: %s\nCPU revision\t: %d\n\n",
			i, parts[i], i);
	}
	put(tree, cpuinfo, "/proc/cpuinfo");
	m = read_tree(tree);
	assert_string_equal(m->architecture, "aarch64");
	assert_int_equal(m->n_types, 4);
	assert_string_equal(m->types[0].name, "little");
	assert_string_equal(m->types[1].name, "middle1");
	assert_string_equal(m->types[2].name, "middle2");
	assert_string_equal(m->types[2].kind, "middle");
	assert_string_equal(m->types[3].name, "big");
	assert_int_equal(m->types[2].midr, 0x411fd472);
	assert_string_equal(m->types[3].model, "Cortex-X3");
}

/* CPU 3 is offline: no MIDR, but its capacity tells; CPU 2's policy lists it as related only. */
static void offline(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0-3");
	put(tree, "0-2", CPU "/online");
	put(tree, "aarch64", "/proc/sys/kernel/arch");
	for (int i = 0; i < 4; i++) {
		put(tree, i < 2 ? "400" : "1024", CPU "/cpu%d/cpu_capacity", i);
		if (i < 3)
			put(tree, i < 2 ? "0x410fd034" : "0x410fd082",
			    CPU "/cpu%d/regs/identification/midr_el1", i);
	}
	put_policy(tree, &(struct policy_files) { 2, "2 3", "scmi-cpufreq", "performance",
						  "performance", "1", "9" });
	put(tree, "2", POLICY "/affected_cpus", 2);
	m = read_tree(tree);
	assert_int_equal(m->n_types, 2);
	assert_string_equal(list_of(&m->types[1].cpus), "2-3");
	assert_string_equal(list_of(&m->policies[0].related), "2-3");
	assert_string_equal(list_of(&m->policies[0].online), "2");
	assert_string_equal(list_of(&m->online), "0-2");
	assert_contains(why(m, "cpuN/regs/identification/midr_el1"), "(CPUs 3)");
}

static void virtual_machine(void **state)
{
	struct tree *tree = *state;
	const struct machine *m;

	put_cpus(tree, "0");
	m = read_tree(tree);
	assert_int_equal(m->n_policies, 0);
	assert_int_equal(m->n_idle_states, 0);
	assert_int_equal(m->n_types, 1);
	assert_contains(why_cannot(m, "frequency"), "no cpufreq policies");
	assert_contains(why_cannot(m, "idle"), "no cpuidle states");
	assert_contains(why_cannot(m, "several CPUs"), "only one");
	assert_null(m->kernel);
	assert_contains(why(m, "/proc/version"), "no such file");
	assert_false(m->emulated);
	put(tree, "", "/etc/tacho-lab");
	put(tree, "simple", "/sys/kernel/sched_ext/root/ops");
	put(tree, "enabled", "/sys/kernel/sched_ext/state");
	put(tree,
	    "Linux version 6.1.0-9-amd64 (a@b) (gcc (Debian) 12.2, GNU ld) #1 SMP PREEMPT_DYNAMIC Debian",
	    "/proc/version");
	put(tree, "MemTotal:        2048 kB\nMemFree: 1 kB", "/proc/meminfo");
	m = read_tree(tree);
	assert_true(m->emulated);
	assert_string_equal(m->sched_ext, "simple");
	assert_string_equal(m->kernel, "6.1.0-9-amd64");
	assert_string_equal(m->kernel_build, "#1 SMP PREEMPT_DYNAMIC Debian");
	assert_string_equal(m->preemption, "dynamic");
	assert_int_equal(m->memory_kb, 2048);
}

static json_object *at(json_object *o, const char *key)
{
	json_object *value = NULL;

	assert_true(json_object_object_get_ex(o, key, &value));
	return value;
}

static void as_json(void **state)
{
	struct tree *tree = *state;
	json_object *o, *p, *s;

	put_biglittle(tree);
	o = machine_json(read_tree(tree));
	assert_string_equal(json_object_get_string(at(o, "kernel")), "6.12.0");
	assert_null(at(o, "cmdline"));
	assert_null(at(o, "hz"));
	assert_int_equal(json_object_array_length(at(o, "policies")), 2);
	p = json_object_array_get_idx(at(o, "policies"), 0);
	assert_int_equal(json_object_get_int64(at(p, "max_khz")), 850000);
	assert_int_equal(json_object_array_length(at(p, "frequencies_khz")), 4);
	assert_null(at(p, "transition_latency"));
	assert_null(at(p, "boost_frequencies_khz"));
	assert_int_equal(json_object_array_length(at(p, "related_cpus")), 4);
	assert_string_equal(json_object_get_string(at(at(p, "tunables"), "rate_limit_us")), "1000");
	s = json_object_array_get_idx(at(o, "idle_states"), 1);
	assert_true(json_object_get_double(at(s, "latency")) == 0.0015);
	assert_string_equal(json_object_get_string(at(s, "latency")), "0.0015");
	assert_string_equal(json_object_get_string(
				    at(json_object_array_get_idx(at(o, "cpu_types"), 1), "midr")),
			    "0x410fd080");
	assert_true(json_object_get_boolean(at(o, "energy_aware")));
	assert_true(json_object_array_length(at(o, "missing")) > 0);
	json_object_put(o);
}

static void as_text(void **state)
{
	struct tree *tree = *state;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	put_biglittle(tree);
	machine_print(read_tree(tree), out);
	fclose(out);
	assert_contains(text, "policy 0: CPUs 0,3-5\n");
	assert_contains(text, "performance [schedutil]");
	assert_contains(text, "little   CPUs 0,3-5, Cortex-A53, capacity 446");
	assert_contains(text, "rate_limit_us      2000");
	assert_contains(text, "what this machine cannot do:\n");
	assert_contains(text, "  energy: no powercap zone");
	free(text);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(biglittle_types),
		CASE(biglittle_policies),
		CASE(biglittle_idle_and_energy),
		CASE(shared_tunables),
		CASE(hybrid),
		CASE(preferred_cores),
		CASE(old_layout),
		CASE(two_middles),
		CASE(offline),
		CASE(virtual_machine),
		CASE(as_json),
		CASE(as_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
