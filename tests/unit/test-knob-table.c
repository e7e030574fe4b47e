/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every knob on a made-up tree: set, read back, put back, and what is wrong said. */
#include "test-knob.h"

#include <sys/wait.h>

#define THP "/sys/kernel/mm/transparent_hugepage/enabled"

static char *get(const struct tree *t, const char *name)
{
	static char buf[256];
	struct error err = { 0 };
	char *value = NULL;

	if (knob_get(t->root, NULL, name, &value, &err) < 0)
		snprintf(buf, sizeof(buf), "error: %.200s", err.text);
	else
		snprintf(buf, sizeof(buf), "%s", value);
	free(value);
	return buf;
}

static void names(void **state)
{
	static const char *const good[] = {
		"governor",
		"governor@policy4",
		"governor@cpu3",
		"ondemand/sampling_rate",
		"min_freq",
		"max_freq@policy0",
		"epp",
		"boost",
		"driver_mode",
		"idle/C6",
		"idle/2@cpu3",
		"cpu_dma_latency",
		"sched_feature/PLACE_LAG",
		"sched/base_slice_ns",
		"eas",
		"sysctl/vm.swappiness",
		"file:/sys/a@b",
		"command:name",
	};
	static const char *const bad[] = {
		"",      "gov", "governor@", "governor@policy", "governor@4", "eas@policy0",
		"idle/", "/a",  "a/",        "intervals",       "file:",      "driver_mode@cpu0",
		"a:b/c"
	};
	struct error err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (!knob_is_name(good[i]))
			stop_test("`%s` is a name", good[i]);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (knob_is_name(bad[i]))
			stop_test("`%s` is no name", bad[i]);
	assert_int_equal(check(*state, "governer=ondemand", &err), -EINVAL);
	assert_says(err, "governor");
	assert_int_equal(check(*state, "eas@policy0=1", &err), -EINVAL);
	assert_says(err, "machine");
	for (size_t i = 0; i < knob_count(); i++) {
		struct knob_info info;

		knob_describe(i, &info);
		assert_true(info.name[0] && info.help[0] && info.scope[0] && info.verified);
	}
	assert_int_equal(knob_count(), 15);
}

static void settings_split_at_the_last_sign(void **state)
{
	struct setting s;
	struct error err = { 0 };

	assert_int_equal(setting_parse("file:/sys/a=b=1", &s, &err), 0);
	assert_string_equal(s.name, "file:/sys/a=b");
	assert_string_equal(s.value, "1");
	setting_done(&s);
	assert_int_equal(setting_parse("governor", &s, &err), -EINVAL);
	error_clear(&err);
	assert_int_equal(setting_parse("governor=", &s, &err), -EINVAL);
	error_clear(&err);
	assert_int_equal(setting_parse("=x", &s, &err), -EINVAL);
}

static void governor(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	assert_string_equal(get(t, "governor"), "schedutil");
	assert_int_equal(check(t, "governor=ondemand", &err), 0);
	assert_int_equal(check(t, "governor=ondemannd", &err), -EINVAL);
	assert_says(err, "ondemand");
	assert_int_equal(check(t, "governor@policy1=ondemand", &err), -EINVAL);
	assert_says(err, "policy0, policy4");
	assert_int_equal(check(t, "governor=ondemand@1GHz", &err), -EINVAL);
	assert_int_equal(check(t, "governor=userspace@9GHz", &err), -EINVAL);
	assert_int_equal(check(t, "governor=userspace@x", &err), -EINVAL);
	apply_ok(s, "governor@cpu5=ondemand");
	assert_file(t, FREQ "/policy0/scaling_governor", "schedutil");
	assert_file(t, FREQ "/policy4/scaling_governor", "ondemand");
	assert_true(strstr(get(t, "governor"), "differs"));
	assert_string_equal(get(t, "governor@policy4"), "ondemand");
	apply_ok(s, "governor=userspace@1.2GHz");
	assert_file(t, FREQ "/policy4/scaling_setspeed", "1200000");
	assert_string_equal(get(t, "governor"), "userspace@1200000");
	close_ok(s);
	assert_string_equal(get(t, "governor"), "schedutil");
}

/* In force at the start, the speed of userspace comes back. */
static void userspace_speed(void **state)
{
	struct tree *t = *state;
	struct session *s;

	put(t, FREQ "/policy0/scaling_governor", "userspace\n");
	put(t, FREQ "/policy0/scaling_setspeed", "900000\n");
	s = open_session(t);
	apply_ok(s, "governor@policy0=userspace@600MHz");
	assert_file(t, FREQ "/policy0/scaling_setspeed", "600000");
	apply_ok(s, "governor@policy0=performance");
	assert_file(t, FREQ "/policy0/scaling_setspeed", "900000");
	put(t, FREQ "/policy0/scaling_setspeed", "300000\n"); /* as the kernel may at the switch */
	close_ok(s);
	assert_file(t, FREQ "/policy0/scaling_setspeed", "900000");
}

static void expect_governors(const struct tree *t, const char *expected)
{
	char **list = NULL, joined[256] = "";
	struct error err = { 0 };

	if (knob_governors(t->root, NULL, &list, &err) < 0)
		stop_test("%s", err.text);
	for (char **name = list; *name; name++)
		snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s%s",
			 joined[0] ? " " : "", *name);
	assert_string_equal(joined, expected);
	strv_free(list);
}

static void governors(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s;

	expect_governors(t, "conservative ondemand performance powersave schedutil");
	put(t, FREQ "/policy0/scaling_available_governors", "performance schedutil \n");
	put(t, FREQ "/policy4/scaling_available_governors", "performance schedutil \n");
	expect_governors(t, "performance schedutil");
	assert_int_equal(check(t, "governor=ondemand", &err), -EINVAL);
	put(t, "/lib/modules/6.12.0-test/kernel/drivers/cpufreq/cpufreq_ondemand.ko.xz", "");
	put(t, "/lib/modules/6.12.0-test/kernel/drivers/cpufreq/cpufreq-dt.ko.xz", "");
	expect_governors(t, "ondemand performance schedutil");
	put(t, "/lib/modules/6.12.0-test/modules.dep",
	    "kernel/drivers/cpufreq/cpufreq_conservative.ko.xz:\n"
	    "kernel/drivers/cpufreq/cpufreq_userspace.ko:\n"
	    "kernel/drivers/cpufreq/cpufreq-dt.ko: kernel/drivers/cpufreq/cpufreq_ondemand.ko\n"
	    "kernel/drivers/cpufreq/cpufreq_stats.ko:\n");
	expect_governors(t, "conservative performance schedutil");
	assert_int_equal(check(t, "governor=conservative", &err), 0);
	s = open_session(t);
	apply_ok(s, "governor=conservative");
	close_ok(s);
	put(t, "/proc/sys/kernel/modules_disabled", "1\n");
	expect_governors(t, "performance schedutil");
	put(t, "/proc/sys/kernel/modules_disabled", "0\n");
	put(t, FREQ "/policy0/scaling_driver", "intel_pstate\n");
	put(t, FREQ "/policy0/scaling_available_governors", "performance powersave\n");
	expect_governors(t, "performance");
}

static void tunables(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct setting both[] = { { (char[]) { "governor" }, (char[]) { "ondemand" } },
				  { (char[]) { "ondemand/sampling_rate" }, (char[]) { "1" } } };
	struct session *s = open_session(t);

	assert_int_equal(check(t, "schedutil/rate_limit_us=500", &err), 0);
	assert_int_equal(check(t, "schedutil/nothing=500", &err), -EINVAL);
	assert_says(err, "rate_limit_us");
	assert_int_equal(check(t, "ondemand/sampling_rate=500", &err), 0);
	assert_int_equal(check(t, "nosuch/sampling_rate=500", &err), -EINVAL);
	error_clear(&err);
	assert_int_equal(knob_check_all(t->root, NULL, both, 2, &err), 0);
	assert_int_equal(knob_check_all(t->root, NULL, &both[1], 1, &err), -EINVAL);
	assert_says(err, "governor=ondemand");
	error_clear(&err);
	assert_int_equal(apply(s, "ondemand/sampling_rate=500", &err), -EINVAL);
	assert_says(err, "governor=ondemand");
	assert_int_equal(check(t, "schedutil/rate_limit_us@policy0=5", &err), -EOPNOTSUPP);
	assert_string_equal(get(t, "schedutil/rate_limit_us"), "1000");
	/* a driver that keeps them with the policy */
	put(t, FREQ "/policy0/schedutil/rate_limit_us", "2000\n");
	put(t, FREQ "/policy4/schedutil/rate_limit_us", "3000\n");
	apply_ok(s, "schedutil/rate_limit_us=500");
	assert_file(t, FREQ "/policy4/schedutil/rate_limit_us", "500");
	assert_file(t, FREQ "/schedutil/rate_limit_us", "1000");
	apply_ok(s, "schedutil/rate_limit_us@policy4=700");
	assert_file(t, FREQ "/policy0/schedutil/rate_limit_us", "2000");
	assert_file(t, FREQ "/policy4/schedutil/rate_limit_us", "700");
	close_ok(s);
	assert_file(t, FREQ "/policy0/schedutil/rate_limit_us", "2000");
	assert_file(t, FREQ "/policy4/schedutil/rate_limit_us", "3000");
}

static void limits(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	assert_int_equal(check(t, "max_freq=9GHz", &err), -EINVAL);
	assert_says(err, "1800000");
	assert_int_equal(check(t, "max_freq=fast", &err), -EINVAL);
	assert_int_equal(check(t, "min_freq=1.2GHz", &err), 0);
	apply_ok(s, "max_freq=min");
	assert_string_equal(get(t, "max_freq"), "300000");
	apply_ok(s, "max_freq=max min_freq=max");
	assert_string_equal(get(t, "min_freq"), "1800000");
	close_ok(s);
	assert_string_equal(get(t, "min_freq"), "300000");
	/* held down at the start: what the user asked for is not known */
	put(t, FREQ "/policy0/scaling_max_freq", "900000\n");
	put(t, "/sys/class/thermal/cooling_device0/type", "thermal-cpufreq-0\n");
	put(t, "/sys/class/thermal/cooling_device0/cur_state", "2\n");
	s = open_session(t);
	assert_int_equal(apply(s, "max_freq=min", &err), -EAGAIN);
	assert_says(err, "cooling_device0");
	apply_ok(s, "max_freq@policy4=min");
	put(t, "/sys/class/thermal/cooling_device0/cur_state", "0\n");
	apply_ok(s, "max_freq=min"); /* a limit of the user's own */
	close_ok(s);
	assert_file(t, FREQ "/policy0/scaling_max_freq", "900000");
	/* the firmware, too; but a limit at the top of the table is none, whatever the boost gives
	 */
	put(t, FREQ "/policy0/bios_limit", "900000\n");
	error_clear(&err);
	assert_int_equal(check(t, "max_freq=min", &err), -EAGAIN);
	assert_says(err, "bios_limit");
	put(t, FREQ "/policy0/bios_limit", "1800000\n");
	put(t, FREQ "/policy0/cpuinfo_max_freq", "2400000\n");
	assert_int_equal(check(t, "max_freq=min", &err), 0);
}

/* A neighbour in the table is as good as what was asked for, anything else is not. */
static void rounding(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);
	struct error err = { 0 };

	apply_ok(s, "max_freq=1000MHz"); /* the copy keeps it; the kernel would have rounded */
	put(t, FREQ "/policy0/scaling_max_freq", "900000\n");
	assert_int_equal(session_verify(s, &err), 0);
	put(t, FREQ "/policy0/scaling_max_freq", "1200000\n");
	assert_int_equal(session_verify(s, &err), 0);
	put(t, FREQ "/policy0/scaling_max_freq", "600000\n");
	assert_int_equal(session_verify(s, &err), -ESTALE);
	assert_says(err, "600000");
	remove_file(t, FREQ "/policy0/scaling_available_frequencies");
	put(t, FREQ "/policy0/scaling_max_freq", "999000\n");
	assert_int_equal(session_verify(s, NULL), 0);
	put(t, FREQ "/policy0/scaling_max_freq", "890000\n");
	assert_int_equal(session_verify(s, NULL), -ESTALE);
	close_ok(s);
	assert_file(t, FREQ "/policy0/scaling_max_freq", "1800000");
}

static void put_epp(const struct tree *t, const char *governor, const char *epp)
{
	for (int i = 0; i <= 4; i += 4) {
		char path[128];

		snprintf(path, sizeof(path), FREQ "/policy%d/scaling_driver", i);
		put(t, path, "intel_pstate\n");
		snprintf(path, sizeof(path), FREQ "/policy%d/scaling_available_governors", i);
		put(t, path, "performance powersave\n");
		snprintf(path, sizeof(path), FREQ "/policy%d/scaling_governor", i);
		put(t, path, governor);
		snprintf(path, sizeof(path), FREQ "/policy%d/energy_performance_preference", i);
		put(t, path, epp);
		snprintf(path, sizeof(path),
			 FREQ "/policy%d/energy_performance_available_preferences", i);
		put(t, path, "default performance balance_performance balance_power power\n");
	}
}

static void epp(void **state)
{
	struct setting both[] = { { (char[]) { "governor" }, (char[]) { "powersave" } },
				  { (char[]) { "epp" }, (char[]) { "power" } } };
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s;

	assert_int_equal(check(t, "epp=power", &err), -EOPNOTSUPP);
	put_epp(t, "powersave\n", "balance_performance\n");
	assert_int_equal(check(t, "epp=power", &err), 0);
	assert_int_equal(check(t, "epp=200", &err), 0);
	assert_int_equal(check(t, "epp=256", &err), -EINVAL);
	assert_int_equal(check(t, "epp=cheap", &err), -EINVAL);
	assert_says(err, "balance_power");
	s = open_session(t);
	apply_ok(s, "epp=128");
	put(t, FREQ "/policy0/energy_performance_preference", "balance_performance\n");
	assert_int_equal(session_verify(s, &err), 0); /* 128 by name */
	put(t, FREQ "/policy0/energy_performance_preference", "power\n");
	assert_int_equal(session_verify(s, &err), -ESTALE);
	error_clear(&err);
	assert_int_equal(apply(s, "governor=performance epp=power", &err), -EINVAL);
	/* the driver forgets the preference with the governor performance */
	apply_ok(s, "governor=performance");
	put(t, FREQ "/policy0/energy_performance_preference", "performance\n");
	close_ok(s);
	assert_string_equal(get(t, "epp"), "balance_performance");
	put_epp(t, "performance\n", "performance\n");
	assert_int_equal(check(t, "epp=power", &err), -EINVAL);
	assert_says(err, "governor=powersave");
	/* amd-pstate lists no other while performance governs */
	put(t, FREQ "/policy0/energy_performance_available_preferences", "performance\n");
	error_clear(&err);
	assert_int_equal(knob_check_all(t->root, NULL, both, 2, &err), 0);
	assert_int_equal(knob_check_all(t->root, NULL, &both[1], 1, &err), -EINVAL);
}

static void boost(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	assert_int_equal(check(t, "boost=1", &err), -EOPNOTSUPP);
	put(t, CPU "/intel_pstate/no_turbo", "0\n");
	assert_string_equal(get(t, "boost"), "1");
	apply_ok(s, "boost=0");
	assert_file(t, CPU "/intel_pstate/no_turbo", "1");
	assert_string_equal(get(t, "boost"), "0");
	/* the switch resets the limits */
	put(t, FREQ "/policy4/scaling_max_freq", "1500000\n");
	apply_ok(s, "boost=1");
	assert_file(t, FREQ "/policy4/scaling_max_freq", "1800000");
	remove_file(t, CPU "/intel_pstate/no_turbo");
	put(t, FREQ "/boost", "1\n");
	apply_ok(s, "boost=off");
	assert_file(t, FREQ "/boost", "0");
	apply_ok(s, "");
	remove_file(t, FREQ "/boost");
	put(t, FREQ "/policy0/boost", "0\n");
	put(t, FREQ "/policy4/boost", "0\n");
	apply_ok(s, "boost@policy4=1");
	assert_file(t, FREQ "/policy0/boost", "0");
	assert_file(t, FREQ "/policy4/boost", "1");
	assert_int_equal(check(t, "boost=2", &err), -EINVAL);
	close_ok(s);
	assert_string_equal(get(t, "boost"), "0");
}

/* The policies are made anew with defaults; all comes back. */
static void driver_mode(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s;

	assert_int_equal(check(t, "driver_mode=passive", &err), -EOPNOTSUPP);
	put_epp(t, "powersave\n", "balance_power\n");
	put(t, FREQ "/policy0/scaling_max_freq", "1500000\n");
	put(t, FREQ "/policy0/scaling_min_freq", "600000\n");
	put(t, CPU "/intel_pstate/status", "active\n");
	assert_int_equal(check(t, "driver_mode=guided", &err), -EINVAL);
	s = open_session(t);
	apply_ok(s, "driver_mode=passive");
	put_policy(t, 0, "0 1\n", "schedutil\n"); /* what the kernel makes of them */
	put_policy(t, 4, "4 5\n", "schedutil\n");
	put_epp(t, "schedutil\n", "power\n");
	put(t, FREQ "/policy0/scaling_max_freq", "1800000\n");
	put(t, FREQ "/policy0/scaling_min_freq", "300000\n");
	close_ok(s);
	assert_file(t, CPU "/intel_pstate/status", "active");
	assert_string_equal(get(t, "governor"), "powersave");
	assert_string_equal(get(t, "epp"), "balance_power");
	assert_file(t, FREQ "/policy0/scaling_max_freq", "1500000");
	assert_file(t, FREQ "/policy0/scaling_min_freq", "600000");
	remove_file(t, CPU "/intel_pstate/status");
	put(t, CPU "/amd_pstate/status", "active\n");
	assert_int_equal(check(t, "driver_mode=guided", &err), 0);
	assert_int_equal(check(t, "driver_mode=off", &err), -EINVAL);
}

static void idle(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	assert_int_equal(check(t, "idle/C6=0", &err), -EOPNOTSUPP);
	for (int cpu = 0; cpu < 2; cpu++) {
		for (int i = 0; i < 3; i++) {
			static const char *const state_names[] = { "POLL\n", "C1\n", "C6\n" };
			char path[128];

			snprintf(path, sizeof(path), CPU "/cpu%d/cpuidle/state%d/name", cpu, i);
			put(t, path, state_names[i]);
			snprintf(path, sizeof(path), CPU "/cpu%d/cpuidle/state%d/disable", cpu, i);
			put(t, path, "0\n");
		}
	}
	assert_int_equal(check(t, "idle/C7=0", &err), -EINVAL);
	assert_says(err, "POLL, C1, C6");
	assert_int_equal(check(t, "idle/C6=maybe", &err), -EINVAL);
	assert_string_equal(get(t, "idle/C6"), "1");
	apply_ok(s, "idle/C6=0 idle/1@cpu1=0");
	assert_file(t, CPU "/cpu0/cpuidle/state2/disable", "1");
	assert_file(t, CPU "/cpu1/cpuidle/state2/disable", "1");
	assert_file(t, CPU "/cpu0/cpuidle/state1/disable", "0");
	assert_file(t, CPU "/cpu1/cpuidle/state1/disable", "1");
	assert_string_equal(get(t, "idle/C6"), "0");
	close_ok(s);
	assert_file(t, CPU "/cpu1/cpuidle/state2/disable", "0");
	assert_file(t, CPU "/cpu1/cpuidle/state1/disable", "0");
}

static void dma_latency(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);
	int32_t now;
	char path[128];
	int fd;

	assert_int_equal(check(t, "cpu_dma_latency=10", &err), -EOPNOTSUPP);
	put(t, "/dev/cpu_dma_latency", "....");
	assert_int_equal(check(t, "cpu_dma_latency=10", &err), 0);
	assert_int_equal(check(t, "cpu_dma_latency=9999999999", &err), -EINVAL);
	assert_int_equal(check(t, "cpu_dma_latency=low", &err), -EINVAL);
	apply_ok(s, "cpu_dma_latency=10");
	snprintf(path, sizeof(path), "%s/dev/cpu_dma_latency", t->path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(read(fd, &now, sizeof(now)), sizeof(now));
	assert_int_equal(now, 10);
	assert_string_equal(get(t, "cpu_dma_latency"), "10");
	now = 20; /* the request is not in force */
	assert_int_equal(pwrite(fd, &now, sizeof(now), 0), sizeof(now));
	assert_int_equal(session_verify(s, &err), -ESTALE);
	close(fd);
	assert_int_equal(journals(t), 0); /* the kernel itself puts it back */
	close_ok(s);
}

static void scheduler(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	assert_int_equal(check(t, "sched_feature/PLACE_LAG=0", &err), -EOPNOTSUPP);
	assert_int_equal(check(t, "sched/base_slice_ns=1", &err), -EOPNOTSUPP);
	put(t, "/proc/sys/kernel/sched_migration_cost_ns", "500000\n");
	apply_ok(s, "sched/migration_cost_ns=1000");
	assert_file(t, "/proc/sys/kernel/sched_migration_cost_ns", "1000");
	put(t, "/sys/kernel/debug/sched/features", "PLACE_LAG NO_HRTICK TTWU_QUEUE\n");
	put(t, "/sys/kernel/debug/sched/migration_cost_ns", "600000\n");
	put(t, "/sys/kernel/debug/sched/preempt", "none voluntary (full) lazy\n");
	assert_string_equal(get(t, "sched_feature/PLACE_LAG"), "1");
	assert_string_equal(get(t, "sched_feature/HRTICK"), "0");
	assert_int_equal(check(t, "sched_feature/HRTICK=1", &err), 0);
	assert_int_equal(check(t, "sched_feature/NO_SUCH=1", &err), -EINVAL);
	assert_says(err, "TTWU_QUEUE");
	assert_string_equal(get(t, "sched/preempt"), "full");
	apply_ok(s, "sched/migration_cost_ns=2000 sched/preempt=none");
	assert_file(t, "/proc/sys/kernel/sched_migration_cost_ns", "500000");
	assert_file(t, "/sys/kernel/debug/sched/migration_cost_ns", "2000");
	apply_ok(s, "sched_feature/PLACE_LAG=1"); /* in force already */
	/* a copy keeps what is written instead of the list: the kernel's answer is played */
	assert_int_equal(apply(s, "sched_feature/PLACE_LAG=0", &err), 0);
	assert_file(t, "/sys/kernel/debug/sched/features", "NO_PLACE_LAG");
	close_ok(s);
	assert_file(t, "/sys/kernel/debug/sched/features", "PLACE_LAG");
	assert_file(t, "/sys/kernel/debug/sched/preempt", "full");
}

static void eas(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	assert_int_equal(check(t, "eas=0", &err), -EOPNOTSUPP);
	put(t, "/proc/sys/kernel/sched_energy_aware", "");
	assert_int_equal(check(t, "eas=0", &err), -EOPNOTSUPP);
	assert_says(err, "energy model");
	put(t, "/proc/sys/kernel/sched_energy_aware", "1\n");
	assert_int_equal(check(t, "eas=2", &err), -EINVAL);
	apply_ok(s, "eas=0");
	assert_string_equal(get(t, "eas"), "0");
	close_ok(s);
	assert_string_equal(get(t, "eas"), "1");
}

static void sysctls(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	put(t, "/proc/sys/net/ipv4/conf/eth0.1/x", "4096\t131072\t6291456\n");
	put(t, "/proc/sys/vm/swappiness", "60\n");
	assert_int_equal(check(t, "sysctl/vm.swap=1", &err), -EOPNOTSUPP);
	assert_int_equal(check(t, "sysctl/../etc=1", &err), -EINVAL);
	assert_string_equal(get(t, "sysctl/net.ipv4.conf.eth0/1.x"), "4096\t131072\t6291456");
	assert_string_equal(get(t, "sysctl/net/ipv4/conf/eth0.1/x"), "4096\t131072\t6291456");
	apply_ok(s, "sysctl/vm.swappiness=10");
	assert_string_equal(get(t, "sysctl/vm/swappiness"), "10");
	close_ok(s);
	assert_string_equal(get(t, "sysctl/vm.swappiness"), "60");
}

static void files(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);
	char buf[64] = "", path[128];
	FILE *f;

	assert_int_equal(check(t, "file:" THP "=never", &err), -EOPNOTSUPP);
	assert_int_equal(check(t, "file:relative=1", &err), -EINVAL);
	assert_int_equal(check(t, "file:/sys=1", &err), -EINVAL);
	put(t, THP, "always [madvise] never\n");
	put(t, "/sys/module/m/parameters/flag", "Y\n");
	put(t, "/etc/conf", "a\n\nb");
	put(t, "/sys/binary", "x");
	assert_string_equal(get(t, "file:" THP), "madvise");
	apply_ok(s, "file:" THP "=never file:/sys/module/m/parameters/flag=0 file:/etc/conf=c");
	put(t, THP, "always madvise [never]\n");
	put(t, "/sys/module/m/parameters/flag", "N\n");
	error_clear(&err);
	assert_int_equal(session_verify(s, &err), 0);
	put(t, THP, "[always] madvise never\n");
	assert_int_equal(session_verify(s, &err), -ESTALE);
	assert_says(err, "always");
	put(t, THP, "always madvise [never]\n");
	close_ok(s);
	assert_file(t, THP, "madvise");
	assert_file(t, "/sys/module/m/parameters/flag", "Y");
	snprintf(path, sizeof(path), "%s/etc/conf", t->path);
	f = fopen(path, "re");
	assert_int_equal(fread(buf, 1, sizeof(buf), f), 4); /* byte for byte */
	assert_string_equal(buf, "a\n\nb");
	fclose(f);
}

static void commands(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);
	char path[128];

	snprintf(path, sizeof(path), "%s/config", t->path);
	setenv("XDG_CONFIG_HOME", path, 1);
	assert_int_equal(check(t, "command:a=1", &err), -EOPNOTSUPP);
	assert_says(err, "config/tacho/commands");
	put(t, "/config/tacho/commands",
	    "# a comment\n"
	    "a.do = echo done >> \"$TACHO_SYSROOT/log\"\n"
	    "  a.undo=echo undone >> \"$TACHO_SYSROOT/log\"\n"
	    "half.do = true\n"
	    "bad.do = exit 3\nbad.undo = echo bad >> \"$TACHO_SYSROOT/log\"\n");
	assert_int_equal(check(t, "command:b=1", &err), -EINVAL);
	assert_int_equal(check(t, "command:half=1", &err), -EINVAL);
	assert_says(err, "half.undo");
	assert_int_equal(check(t, "command:a=1", &err), 0);
	assert_int_equal(check(t, "command:a=2", &err), -EINVAL);
	put(t, "/log", "");
	apply_ok(s, "command:a=0");
	assert_file(t, "/log", "");
	apply_ok(s, "command:a=1");
	assert_file(t, "/log", "done");
	apply_ok(s, "command:a=1");
	assert_file(t, "/log", "done");
	apply_ok(s, "command:a=0");
	assert_file(t, "/log", "done\nundone");
	/* one that fails is undone, one that was not begun is not */
	error_clear(&err);
	assert_int_equal(apply(s, "command:bad=1 command:a=1", &err), -EIO);
	assert_says(err, "exit status 3");
	assert_file(t, "/log", "done\nundone\nbad");
	close_ok(s);
	assert_file(t, "/log", "done\nundone\nbad");
}

static void no_policies(void **state)
{
	struct tree t = { 0 };
	struct error err = { 0 };
	char **list = NULL;

	strcpy(t.path, "/tmp/tacho-knob.XXXXXX");
	assert_non_null(mkdtemp(t.path));
	assert_int_equal(root_new(t.path, &t.root, NULL), 0);
	assert_int_equal(check(&t, "governor=ondemand", &err), -EOPNOTSUPP);
	assert_says(err, "no cpufreq policies");
	assert_int_equal(check(&t, "ondemand/x=1", &err), -EOPNOTSUPP);
	error_clear(&err);
	assert_int_equal(knob_governors(t.root, NULL, &list, &err), -EOPNOTSUPP);
	for (size_t i = 0; i < knob_count(); i++) {
		struct knob_info info;
		int r;

		error_clear(&err);
		knob_describe(i, &info);
		r = knob_available(t.root, NULL, i, &err);
		if (streq(info.name, "file:PATH"))
			assert_int_equal(r, 0);
		else if (!streq(info.name, "command:NAME")) /* the user's own file has them */
			assert_int_equal(r, -EOPNOTSUPP);
		assert_true(r == 0 || err.text[0]);
	}
	root_free(t.root);
	assert_int_equal(rmdir(t.path), 0);
}

/* Before 4.3 the policies are below the CPUs. */
static void old_layout(void **state)
{
	struct tree *t = *state;
	struct session *s;
	char command[256];

	snprintf(command, sizeof(command),
		 "cd '%s" CPU "' && mkdir cpu0 cpu4 && mv cpufreq/policy0 cpu0/cpufreq && "
		 "mv cpufreq/policy4 cpu4/cpufreq",
		 t->path);
	assert_int_equal(system(command), 0);
	s = open_session(t);
	apply_ok(s, "governor=ondemand ondemand/up_threshold=70 max_freq@policy4=min");
	assert_file(t, CPU "/cpu4/cpufreq/scaling_governor", "ondemand");
	assert_file(t, FREQ "/ondemand/up_threshold", "70");
	assert_file(t, CPU "/cpu4/cpufreq/scaling_max_freq", "300000");
	assert_file(t, CPU "/cpu0/cpufreq/scaling_max_freq", "1800000");
	close_ok(s);
	assert_file(t, CPU "/cpu4/cpufreq/scaling_governor", "schedutil");
	assert_file(t, FREQ "/ondemand/up_threshold", "80");
}

static void offline_policies_are_left_out(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	struct session *s = open_session(t);

	put(t, FREQ "/policy4/affected_cpus", "\n");
	apply_ok(s, "governor=ondemand");
	assert_file(t, FREQ "/policy0/scaling_governor", "ondemand");
	assert_file(t, FREQ "/policy4/scaling_governor", "schedutil");
	assert_int_equal(check(t, "governor@policy4=ondemand", &err), -EINVAL);
	close_ok(s);
}

/* Garbage where a value is expected is said, never a crash. */
static void garbage(void **state)
{
	static const char *const contents[] = {
		"", "\n", "-1\n", "99999999999999999999999\n", "\x80\xff\n", "(\n", "[]\n", "NO_\n"
	};
	static const char *const sets[] = { "governor=ondemand", "max_freq=600000", "boost=0",
					    "schedutil/rate_limit_us=3", "governor=userspace@min" };
	static const char *const files_[] = {
		FREQ "/policy0/scaling_governor",
		FREQ "/policy0/scaling_max_freq",
		FREQ "/policy0/cpuinfo_max_freq",
		FREQ "/policy0/scaling_available_governors",
		FREQ "/policy0/scaling_available_frequencies",
		FREQ "/boost",
		FREQ "/schedutil/rate_limit_us",
		FREQ "/policy0/affected_cpus",
	};
	struct tree *t = *state;

	put(t, FREQ "/boost", "1\n");
	for (size_t i = 0; i < ARRAY_SIZE(files_); i++) {
		char before[4096];

		snprintf(before, sizeof(before), "%s\n", look(t, files_[i]));
		for (size_t k = 0; k < ARRAY_SIZE(contents); k++) {
			for (size_t set = 0; set < ARRAY_SIZE(sets); set++) {
				struct session *s = open_session(t);
				struct error err = { 0 };
				int r;

				put(t, files_[i], contents[k]);
				r = check(t, sets[set], &err);
				assert_true(r == 0 || err.text[0]);
				error_clear(&err);
				r = apply(s, sets[set], &err);
				assert_true(r == 0 || err.text[0]);
				session_close(s, NULL);
				put(t, files_[i], before);
			}
		}
	}
	assert_file(t, FREQ "/policy4/scaling_governor", "schedutil");
	assert_file(t, FREQ "/policy4/scaling_max_freq", "1800000");
}

static void needs_root(void **state)
{
	struct tree *t = *state;
	char command[128];
	pid_t child;
	int status;

	if (geteuid() != 0) {
		print_message("# only root can become another user\n");
		skip();
	}
	snprintf(command, sizeof(command), "chmod 755 '%s'", t->path);
	assert_int_equal(system(command), 0);
	child = fork();
	if (child == 0) {
		struct session_options options = { .state_dir = "/tmp/tacho-nobody" };
		struct session *s = NULL;
		struct error err = { 0 };

		if (setuid(65534) < 0)
			_exit(1);
		if (check(t, "governor=ondemand", &err) != -EACCES || !strstr(err.text, "root"))
			_exit(2);
		error_clear(&err);
		if (session_open(t->root, &options, &s, &err) < 0)
			_exit(3);
		if (apply(s, "governor=ondemand", &err) != -EACCES || !strstr(err.text, "root"))
			_exit(4);
		if (session_close(s, &err) < 0)
			_exit(5);
		_exit(rmdir("/tmp/tacho-nobody") < 0 ? 6 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_file(t, FREQ "/policy0/scaling_governor", "schedutil");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, tree_setup, tree_teardown)
	const struct CMUnitTest tests[] = {
		CASE(names),
		CASE(settings_split_at_the_last_sign),
		CASE(governor),
		CASE(userspace_speed),
		CASE(governors),
		CASE(tunables),
		CASE(limits),
		CASE(rounding),
		CASE(epp),
		CASE(boost),
		CASE(driver_mode),
		CASE(idle),
		CASE(dma_latency),
		CASE(scheduler),
		CASE(eas),
		CASE(sysctls),
		CASE(files),
		CASE(commands),
		CASE(no_policies),
		CASE(old_layout),
		CASE(offline_policies_are_left_out),
		CASE(garbage),
		CASE(needs_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
