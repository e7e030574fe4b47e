/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/clock.h"

int sleep_until_ns(uint64_t instant)
{
	struct timespec ts = ns_timespec(instant);

	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

double wall_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}

void wall_format(double t, char *buf, size_t size)
{
	time_t s = (time_t) t;
	struct tm tm;

	if (!gmtime_r(&s, &tm) || strftime(buf, size, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		snprintf(buf, size, "-");
}
