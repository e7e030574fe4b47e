/* SPDX-License-Identifier: GPL-2.0-or-later */
/* work CPU COUNT LOOPS SLEEP-MS: COUNT steps on a CPU, LOOPS times after one more, then asleep;
 * prints the ns of each. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

int main(int argc, char **argv)
{
	cpu_set_t set;
	struct timespec pause;
	long count, loops, sleep_ms;

	if (argc != 5)
		return 64;
	count = atol(argv[2]);
	loops = atol(argv[3]);
	sleep_ms = atol(argv[4]);
	pause.tv_sec = sleep_ms / 1000;
	pause.tv_nsec = sleep_ms % 1000 * 1000000;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("work: sched_setaffinity");
		return 1;
	}
	for (long i = 0; i <= loops; i++) {
		uint64_t start = now();

		for (long step = 0; step < count; step++)
			__asm__ volatile("" ::: "memory");
		if (i > 0)
			printf("%llu\n", (unsigned long long) (now() - start));
		if (sleep_ms)
			nanosleep(&pause, NULL);
	}
	return 0;
}
