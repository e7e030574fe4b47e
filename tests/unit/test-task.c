/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <errno.h>
#include <sched.h>

#include "workload/runsleep.h"
#include "workload/task.h"

static void parses_classes(void **state)
{
	struct task_attr attr;

	task_attr_init(&attr);
	assert_int_equal(task_class_parse("batch", &attr, NULL), 0);
	assert_int_equal(attr.policy, SCHED_BATCH);
	assert_int_equal(task_class_parse("fifo:50", &attr, NULL), 0);
	assert_int_equal(attr.policy, SCHED_FIFO);
	assert_int_equal(attr.priority, 50);
	assert_int_equal(task_class_parse("deadline:2ms:10ms:20ms", &attr, NULL), 0);
	assert_int_equal(attr.runtime_ns, 2000000);
	assert_int_equal(attr.deadline_ns, 10000000);
	assert_int_equal(attr.period_ns, 20000000);
}

static void refuses_classes(void **state)
{
	static const char *const bad[] = { "",
					   "fifo",
					   "fifo:0",
					   "fifo:100",
					   "fifo:x",
					   "other:5",
					   "realtime",
					   "deadline",
					   "deadline:1ms",
					   "deadline:2ms:1ms:3ms",
					   "deadline:1ms:2ms:3ms:4ms",
					   "fif" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct error err = { 0 };
		struct task_attr attr;

		task_attr_init(&attr);
		assert_int_equal(task_class_parse(bad[i], &attr, &err), -EINVAL);
		assert_non_null(strstr(err.text, "--class"));
	}
}

/* The bytes of struct sched_attr, version 1 (include/uapi/linux/sched/types.h). */
static void fills_the_kernels_struct(void **state)
{
	struct task_sched_attr bytes;
	struct task_attr attr;

	task_attr_init(&attr);
	assert_int_equal(task_sched_bytes(&attr, &bytes), 0);
	attr.uclamp_min = 512;
	attr.uclamp_max = -1;
	assert_int_equal(task_sched_bytes(&attr, &bytes), 56);
	assert_int_equal(bytes.flags, 0x08 | 0x10 | 0x20 | 0x40);
	assert_int_equal(bytes.util_min, 512);
	assert_int_equal(bytes.util_max, UINT32_MAX);
	assert_int_equal(offsetof(struct task_sched_attr, util_min), 48);
	task_attr_init(&attr);
	attr.slice_ns = 3000000;
	assert_int_equal(task_sched_bytes(&attr, &bytes), 56);
	assert_int_equal(bytes.policy, SCHED_OTHER);
	assert_int_equal(bytes.runtime, 3000000);
	assert_int_equal(bytes.flags, 0);
	task_attr_init(&attr);
	attr.policy = SCHED_RR;
	attr.priority = 7;
	task_sched_bytes(&attr, &bytes);
	assert_int_equal(bytes.policy, SCHED_RR);
	assert_int_equal(bytes.priority, 7);
	assert_int_equal(bytes.runtime, 0);
}

static void runs_and_sleeps(void **state)
{
	uint64_t durations[3];
	struct runsleep_result result = { .durations_ns = durations };
	struct runsleep w = { .work = 10000, .sleep_ns = 1000000, .uncounted = 1, .counted = 3 };
	struct error err = { 0 };

	task_attr_init(&w.attr);
	assert_int_equal(runsleep_run(&w, &result, &err), 0);
	assert_int_equal(result.done, 3);
	for (int i = 0; i < 3; i++)
		assert_true(durations[i] > 0);
	assert_true(result.cpu_ns > 0);
}

static void stops(void **state)
{
	uint64_t durations[1000];
	volatile bool stop = true;
	struct runsleep_result result = { .durations_ns = durations };
	struct runsleep w = {
		.work = 1000, .sleep_ns = 3600ULL * 1000000000, .counted = 1000, .stop = &stop
	};
	struct error err = { 0 };

	task_attr_init(&w.attr);
	assert_int_equal(runsleep_run(&w, &result, &err), -EINTR);
	assert_true(result.done <= 1);
}

static void reports_a_cpu_that_is_not_there(void **state)
{
	struct runsleep_result result = { 0 };
	struct runsleep w = { .work = 1, .counted = 0 };
	struct cpus cpus = { 0 };
	struct error err = { 0 };

	cpus_add(&cpus, 8000);
	task_attr_init(&w.attr);
	w.attr.cpus = &cpus;
	assert_int_equal(runsleep_run(&w, &result, &err), -EINVAL);
	assert_non_null(strstr(err.text, "8000"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses_classes),
		cmocka_unit_test(refuses_classes),
		cmocka_unit_test(fills_the_kernels_struct),
		cmocka_unit_test(runs_and_sleeps),
		cmocka_unit_test(stops),
		cmocka_unit_test(reports_a_cpu_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
