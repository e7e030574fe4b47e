/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "experiment/environment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>

#include "lib/clock.h"

#define STOLEN_SHARE 0.01
#define STOLEN_TICKS 2

struct limit {
	const struct policy *policy;
	uint64_t min_khz, max_khz;
	char governor[32];
};

struct counts {
	uint64_t stolen, busy; /* ticks of USER_HZ, over the watched CPUs */
	uint64_t throttled;    /* events */
	uint64_t cooling;      /* sum of the states of the cooling devices */
	int64_t hottest;       /* millidegrees, INT64_MIN unknown */
	char clocksource[32];
	uint64_t ns;
};

struct environment {
	const struct root *root;
	const struct machine *machine;
	struct cpus cpus;
	bool own_limits;
	struct limit *limits;
	size_t n_limits;
	struct counts before;
};

/* user nice system idle iowait irq softirq steal guest guest_nice (proc_stat(5)) */
static void count_stat_line(const char *line, const struct cpus *cpus, struct counts *counts)
{
	uint64_t user, nice, system, idle, wait, irq, soft, steal;
	int cpu;

	if (sscanf(line,
		   "cpu%d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64,
		   &cpu, &user, &nice, &system, &idle, &wait, &irq, &soft, &steal) != 9 ||
	    !cpus_has(cpus, cpu))
		return;
	counts->stolen += steal;
	counts->busy += user + nice + system + irq + soft;
}

static void count_stat(const struct environment *e, struct counts *counts)
{
	_cleanup_free_ char *text = NULL;

	if (root_read_all(e->root, 1 << 22, &text, "/proc/stat") < 0)
		return;
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		count_stat_line(line, &e->cpus, counts);
	}
}

static void count_throttling(const struct environment *e, struct counts *counts)
{
	_cleanup_strv_ char **devices = NULL, **zones = NULL;
	uint64_t n;
	int64_t t;

	for_each_cpu (cpu, &e->cpus) {
		if (root_read_u64(
			    e->root, &n,
			    "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count",
			    cpu) == 0)
			counts->throttled += n;
		if (root_read_u64(
			    e->root, &n,
			    "/sys/devices/system/cpu/cpu%d/thermal_throttle/package_throttle_count",
			    cpu) == 0)
			counts->throttled += n;
	}
	if (root_list(e->root, "cooling_device", &devices, "/sys/class/thermal") > 0)
		for (char **d = devices; *d; d++) {
			char type[64];

			if (root_read(e->root, type, sizeof(type), "/sys/class/thermal/%s/type",
				      *d) < 0 ||
			    (!strstr(type, "cpufreq") && !strstr(type, "Processor") &&
			     !strstr(type, "powerclamp")))
				continue;
			if (root_read_u64(e->root, &n, "/sys/class/thermal/%s/cur_state", *d) == 0)
				counts->cooling += n;
		}
	if (root_list(e->root, "thermal_zone", &zones, "/sys/class/thermal") > 0)
		for (char **z = zones; *z; z++)
			if (root_read_s64(e->root, &t, "/sys/class/thermal/%s/temp", *z) == 0)
				counts->hottest = MAX(counts->hottest, t);
}

static void take(const struct environment *e, struct counts *counts)
{
	*counts = (struct counts) { .hottest = INT64_MIN };
	counts->ns = now_ns();
	count_stat(e, counts);
	count_throttling(e, counts);
	if (root_read(e->root, counts->clocksource, sizeof(counts->clocksource),
		      "/sys/devices/system/clocksource/clocksource0/current_clocksource") < 0)
		counts->clocksource[0] = '\0';
}

static void read_limit(const struct root *root, struct limit *l)
{
	if (root_read_u64(root, &l->max_khz, "%s/scaling_max_freq", l->policy->folder) < 0)
		l->max_khz = UNKNOWN;
	if (root_read_u64(root, &l->min_khz, "%s/scaling_min_freq", l->policy->folder) < 0)
		l->min_khz = UNKNOWN;
	if (root_read(root, l->governor, sizeof(l->governor), "%s/scaling_governor",
		      l->policy->folder) < 0)
		l->governor[0] = '\0';
}

int environment_begin(const struct root *root, const struct machine *m, const struct cpus *cpus,
		      bool own_limits, struct environment **ret)
{
	struct environment *e = calloc(1, sizeof(*e));

	if (!e)
		return -ENOMEM;
	*e = (struct environment) {
		.root = root, .machine = m, .cpus = *cpus, .own_limits = own_limits
	};
	e->limits = calloc(m->n_policies + 1, sizeof(*e->limits));
	if (!e->limits) {
		environment_free(e);
		return -ENOMEM;
	}
	for (size_t i = 0; i < m->n_policies; i++) {
		struct cpus shared = m->policies[i].related;

		cpus_and(&shared, cpus);
		if (cpus_count(&shared) == 0)
			continue;
		e->limits[e->n_limits].policy = &m->policies[i];
		read_limit(root, &e->limits[e->n_limits++]);
	}
	take(e, &e->before);
	*ret = e;
	return 0;
}

static char *sentence(const char *format, ...) PRINTF(1, 2);
static char *sentence(const char *format, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	return n < 0 ? NULL : text;
}

static char *compare_limit(int policy, const char *which, uint64_t was, uint64_t is,
			   const char *when)
{
	if (was == is || was == UNKNOWN)
		return NULL;
	return sentence("the %s frequency of policy%d is %" PRIu64 " kHz, and was %" PRIu64 " %s",
			which, policy, is, was, when);
}

static char *judge_limit(const struct environment *e, const struct limit *was)
{
	static const char start[] = "when the experiment started", run[] = "when the run started";
	const struct policy *p = was->policy;
	struct limit is = { .policy = p };
	char *reason = NULL;

	read_limit(e->root, &is);
	if (!streq(is.governor, was->governor))
		return sentence("the governor of policy%d changed from %s to %s during the run",
				p->number, was->governor, is.governor[0] ? is.governor : "unknown");
	if (!e->own_limits) {
		reason = compare_limit(p->number, "highest", p->max_khz, was->max_khz, start);
		if (!reason)
			reason =
				compare_limit(p->number, "lowest", p->min_khz, was->min_khz, start);
	}
	if (!reason)
		reason = compare_limit(p->number, "highest", was->max_khz, is.max_khz, run);
	return reason ? reason : compare_limit(p->number, "lowest", was->min_khz, is.min_khz, run);
}

static char *judge_limits(const struct environment *e)
{
	char *reason = NULL;

	for (size_t i = 0; i < e->n_limits && !reason; i++)
		reason = judge_limit(e, &e->limits[i]);
	return reason;
}

static char *judge(const struct environment *e, const struct counts *after, uint64_t busy_ns)
{
	const struct counts *before = &e->before;
	double tick = 1.0 / (double) sysconf(_SC_CLK_TCK);
	uint64_t stolen = after->stolen - before->stolen;

	if (stolen > STOLEN_TICKS && (double) stolen * tick > STOLEN_SHARE * (double) busy_ns / 1e9)
		return sentence(
			"the hypervisor took %.0f ms of CPU time (steal) beside %.0f ms of work",
			(double) stolen * tick * 1e3, (double) busy_ns / 1e6);
	if (after->throttled > before->throttled)
		return sentence("the CPU throttled itself for heat %" PRIu64 " times",
				after->throttled - before->throttled);
	if (after->cooling > before->cooling)
		return sentence("a cooling device slowed the CPU down");
	if (!streq(after->clocksource, before->clocksource))
		return sentence("the clock source changed from %s to %s", before->clocksource,
				after->clocksource);
	return judge_limits(e);
}

static json_object *describe(const struct environment *e, const struct counts *after)
{
	const struct counts *before = &e->before;
	double tick = 1.0 / (double) sysconf(_SC_CLK_TCK);
	json_object *o = json_object_new_object();

	json_object_object_add(
		o, "stolen",
		json_object_new_double((double) (after->stolen - before->stolen) * tick));
	json_object_object_add(
		o, "busy", json_object_new_double((double) (after->busy - before->busy) * tick));
	json_object_object_add(
		o, "throttled",
		json_object_new_int64((int64_t) (after->throttled - before->throttled)));
	if (after->hottest != INT64_MIN)
		json_object_object_add(o, "temperature",
				       json_object_new_double((double) after->hottest / 1000));
	return o;
}

int environment_end(struct environment *e, uint64_t busy_ns, json_object **ret_json,
		    char **ret_reason)
{
	struct counts after;

	take(e, &after);
	*ret_reason = judge(e, &after, busy_ns);
	*ret_json = describe(e, &after);
	environment_free(e);
	return *ret_json ? 0 : -ENOMEM;
}

void environment_free(struct environment *e)
{
	if (!e)
		return;
	free(e->limits);
	free(e);
}
