/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The work loop does what it says: its value is that of the recurrence in plain C, and by
 * single-stepping, every loop asked for is executed. tests/cli/work-loop.sh builds this same file
 * with other compilers and flags.
 */
#include "test.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/work.h"

#if defined(__x86_64__) || defined(__aarch64__)
#define INSTRUCTIONS_A_LOOP 10
#endif

static uint64_t model(uint64_t count)
{
	uint64_t x = count;

	for (; count; count--)
		for (int step = 0; step < 2; step++) {
			x = x * 5 + 1;
			x = (x >> 7 | x << 57) ^ count;
		}
	return x;
}

static void computes_the_recurrence(void **state)
{
	static const uint64_t counts[] = { 0, 1, 2, 3, 1000, 123457 };

	(void) state;
	if (sizeof(long) != 8)
		skip();
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		assert_true(work_run(counts[i]) == model(counts[i]));
}

#ifdef INSTRUCTIONS_A_LOOP
/* How many instructions a process executes between two stops around work_run(COUNT); 0 where it
 * cannot be traced. */
static uint64_t steps(uint64_t count)
{
	uint64_t n = 0;
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(77);
		raise(SIGSTOP);
		work_run(count);
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (!WIFSTOPPED(status))
		return 0;
	for (;;) {
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) < 0 ||
		    waitpid(child, &status, 0) < 0)
			break;
		if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
			break;
		n++;
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return n;
}

static void executes_every_loop(void **state)
{
	uint64_t few = steps(100), many = steps(600);

	(void) state;
	if (!few || !many)
		skip();
	assert_int_equal(many - few, 500 * INSTRUCTIONS_A_LOOP);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computes_the_recurrence),
#ifdef INSTRUCTIONS_A_LOOP
		cmocka_unit_test(executes_every_loop),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
