/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "workload/runsleep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "lib/work.h"
#include "lib/worker.h"

struct context {
	const struct runsleep *w;
	struct runsleep_result *result;
};

/* Nanoseconds that this thread stood on a run queue so far, UINT64_MAX where the kernel does not
 * count them. */
static uint64_t waited_ns(void)
{
	_cleanup_close_ int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	uint64_t on_cpu, waited;
	char buf[128];
	size_t used;

	if (fd < 0 || file_read_fd(fd, buf, sizeof(buf), &used) < 0 ||
	    sscanf(buf, "%" SCNu64 " %" SCNu64, &on_cpu, &waited) != 2)
		return UINT64_MAX;
	return waited;
}

static int iterate(const struct runsleep *w, struct runsleep_result *result)
{
	uint64_t cpu_ns = 0, late_ns = 0;

	for (size_t i = 0; i < w->uncounted + w->counted; i++) {
		uint64_t cpu_start = clock_ns(CLOCK_THREAD_CPUTIME_ID), start = now_ns(), end, wake;

		work_run(w->work);
		end = now_ns();
		if (i >= w->uncounted) {
			cpu_ns += clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_start;
			result->durations_ns[i - w->uncounted] = end - start;
			result->done = i - w->uncounted + 1;
		}
		if (w->stop && *w->stop)
			return -EINTR;
		while (sleep_until_ns(end + w->sleep_ns) == -EINTR)
			if (w->stop && *w->stop)
				return -EINTR;
		wake = now_ns();
		late_ns = MAX(late_ns, wake - (end + w->sleep_ns));
	}
	result->cpu_ns = cpu_ns;
	result->late_ns = late_ns;
	return 0;
}

static int body(void *argument, struct error *err)
{
	struct context *context = argument;
	struct runsleep_result *result = context->result;
	uint64_t before;
	int r = task_apply(&context->w->attr, err);

	if (r < 0)
		return r;
	memset(result->durations_ns, 0,
	       context->w->counted * sizeof(*result->durations_ns)); /* pages in */
	before = waited_ns();
	r = iterate(context->w, result);
	result->waited_ns = waited_ns();
	if (result->waited_ns != UINT64_MAX)
		result->waited_ns -= before;
	return r < 0 ? fail(err, r, "stopped by a signal") : 0;
}

int runsleep_run(const struct runsleep *w, struct runsleep_result *result, struct error *err)
{
	struct context context = { .w = w, .result = result };
	struct worker worker = { .body = body, .context = &context, .stop = w->stop };

	result->done = 0;
	return worker_run(&worker, err);
}
