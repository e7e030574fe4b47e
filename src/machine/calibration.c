/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/calibration.h"

#include <errno.h>
#include <math.h>

#include "lib/clock.h"
#include "lib/cpus.h"
#include "lib/work.h"
#include "lib/worker.h"

#define WINDOW_NS (1 * NSEC_PER_MSEC)
#define WARM_NS (20 * NSEC_PER_MSEC)
#define SHORTEST_NS (200 * NSEC_PER_MSEC)
#define LONGEST_NS (900 * NSEC_PER_MSEC)
#define AGREEMENT 0.002
#define MOST_WINDOWS 2048

struct context {
	int cpu;
	const volatile bool *stop;
	struct calibration *result;
	double windows[MOST_WINDOWS]; /* ns a loop */
};

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

static uint64_t time_loops(uint64_t loops)
{
	uint64_t start = now_ns();

	work_run(loops);
	return now_ns() - start;
}

/* A count that takes about a window, found by doubling; the work done here warms the CPU up, too.
 */
static uint64_t find_window(void)
{
	uint64_t start = now_ns(), loops = 1000, ns;

	for (;;) {
		ns = time_loops(loops);
		if (now_ns() - start > WARM_NS && ns > WINDOW_NS / 2)
			return (uint64_t) ((double) loops * (double) WINDOW_NS / (double) ns) + 1;
		if (ns < WINDOW_NS)
			loops *= 2;
	}
}

static void summarise(struct context *c, unsigned n)
{
	double fast, quarter;

	qsort(c->windows, n, sizeof(c->windows[0]), compare_doubles);
	fast = c->windows[n / 20];
	quarter = c->windows[n / 4];
	c->result->ns_per_loop = fast;
	c->result->spread = (quarter - fast) / fast;
	c->result->windows = n;
}

static int body(void *argument, struct error *err)
{
	struct context *c = argument;
	struct cpus set = { 0 };
	uint64_t start = now_ns(), loops;
	unsigned n = 0;
	int r;

	cpus_add(&set, c->cpu);
	r = cpus_pin(&set);
	if (r < 0)
		return fail(err, r, "cannot run on CPU %d: %s", c->cpu, strerror(-r));
	loops = find_window();
	do {
		c->windows[n++] = (double) time_loops(loops) / (double) loops;
		if (c->stop && *c->stop)
			return fail(err, -EINTR, "stopped by a signal");
		if (n % 50 == 0 || n == MOST_WINDOWS) {
			summarise(c, n);
			if (now_ns() - start >= SHORTEST_NS && c->result->spread <= AGREEMENT)
				break;
		}
	} while (now_ns() - start < LONGEST_NS && n < MOST_WINDOWS);
	summarise(c, n);
	c->result->took_ns = now_ns() - start;
	return 0;
}

int calibrate(int cpu, const volatile bool *stop, struct calibration *ret, struct error *err)
{
	_cleanup_free_ struct context *c = calloc(1, sizeof(*c));
	struct worker worker = { .body = body, .context = c, .stop = stop };
	int r;

	if (!c)
		return fail(err, -ENOMEM, "out of memory");
	*c = (struct context) { .cpu = cpu, .stop = stop, .result = ret };
	ret->cpu = cpu;
	r = worker_run(&worker, err);
	return r < 0 ? fail_prefix(err, r, "calibration of CPU %d", cpu) : 0;
}

uint64_t calibration_loops(const struct calibration *c, uint64_t duration_ns)
{
	return MAX(1ULL, (uint64_t) llround((double) duration_ns / c->ns_per_loop));
}
