/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine for people. Policies that are alike are told once, so that 256 of them fit on a
 * screen. */
#include "machine/internal.h"

#include <inttypes.h>

#include "lib/units.h"

#define UNKNOWN_WORD "unknown"

struct printed {
	char *text;
	struct cpus numbers, related, online;
	size_t n;
};

static void row(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%-16s %s\n", name, text ? text : UNKNOWN_WORD);
}

static const char *truth(uint64_t n)
{
	return n == UNKNOWN ? UNKNOWN_WORD : n ? "on" : "off";
}

static const char *khz(uint64_t n, char *buf, size_t size)
{
	return n == UNKNOWN ? UNKNOWN_WORD : format_khz(n, buf, size);
}

static void print_list(FILE *out, char **list, const char *current)
{
	if (!list)
		fprintf(out, " " UNKNOWN_WORD);
	for (char **word = list; word && *word; word++) {
		bool here = current && streq(*word, current);

		fprintf(out, here ? " [%s]" : " %s", *word);
	}
}

static void print_frequencies(FILE *out, const char *name, const uint64_t *list, size_t n)
{
	char low[32], high[32];

	if (n == 0)
		return;
	fprintf(out, "  %-20s %zu, %s", name, n, format_khz(list[0], low, sizeof(low)));
	if (n > 1)
		fprintf(out, " to %s", format_khz(list[n - 1], high, sizeof(high)));
	fputc('\n', out);
}

static void print_settings(FILE *out, const struct policy *p)
{
	char low[32], high[32];

	fprintf(out, "  %-20s %s\n", "driver", p->driver ? p->driver : UNKNOWN_WORD);
	fprintf(out, "  %-20s", "governors");
	print_list(out, p->governors, p->governor);
	if (!p->governors && p->governor)
		fprintf(out, ", in force %s", p->governor);
	fprintf(out, "\n  %-20s %s to %s", "limits", khz(p->min_khz, low, sizeof(low)),
		khz(p->max_khz, high, sizeof(high)));
	fprintf(out, " (hardware %s to %s)\n", khz(p->hw_min_khz, low, sizeof(low)),
		khz(p->hw_max_khz, high, sizeof(high)));
	if (p->max_khz != UNKNOWN && p->hw_max_khz != UNKNOWN && p->max_khz < p->hw_max_khz)
		fprintf(out,
			"  %-20s the highest frequency is not allowed: a limit, the firmware, boost or heat\n",
			"capped");
	print_frequencies(out, "frequencies", p->frequencies, p->n_frequencies);
	print_frequencies(out, "boost frequencies", p->boost_frequencies, p->n_boost_frequencies);
	if (p->latency_ns != UNKNOWN)
		fprintf(out, "  %-20s %s\n", "transition latency",
			format_seconds((double) p->latency_ns / 1e9, low, sizeof(low)));
	if (p->boost != UNKNOWN)
		fprintf(out, "  %-20s %s\n", "boost", truth(p->boost));
}

static void print_policy(FILE *out, const struct policy *p)
{
	print_settings(out, p);
	if (p->epp) {
		fprintf(out, "  %-20s", "energy preference");
		if (p->epps)
			print_list(out, p->epps, p->epp);
		else
			fprintf(out, " %s", p->epp);
		fputc('\n', out);
	}
	if (!p->tunables_folder)
		return;
	fprintf(out, "  %-20s ", "tunables in");
	if (strafter(p->tunables_folder,
		     p->folder)) /* policyN: the same words for all that are alike */
		fprintf(out, "each policy's folder %s\n", p->governor);
	else
		fprintf(out, "%s\n", p->tunables_folder);
	for (size_t i = 0; i < p->n_tunables; i++)
		fprintf(out, "    %-18s %s\n", p->tunables[i].name,
			p->tunables[i].value ? p->tunables[i].value : UNKNOWN_WORD);
}

static char *policy_text(const struct policy *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	print_policy(out, p);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static struct printed *find_printed(struct printed *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (streq(list[i].text, text))
			return &list[i];
	return NULL;
}

static void print_groups(FILE *out, const struct printed *groups, size_t n)
{
	char numbers[256], related[256], online[256];

	for (size_t i = 0; i < n; i++) {
		const struct printed *g = &groups[i];

		cpus_format(&g->related, related, sizeof(related));
		fprintf(out, "\n%s %s: %s %s", g->n == 1 ? "policy" : "policies",
			cpus_format(&g->numbers, numbers, sizeof(numbers)),
			cpus_count(&g->related) == 1 ? "CPU" : "CPUs", related);
		if (!cpus_equal(&g->related, &g->online))
			fprintf(out, ", online %s",
				cpus_count(&g->online)
					? cpus_format(&g->online, online, sizeof(online))
					: "none");
		if (g->n > 1 && g->n == (size_t) cpus_count(&g->related))
			fprintf(out, ", each one of its own");
		fprintf(out, "\n%s", g->text);
	}
}

static void print_policies(FILE *out, const struct machine *m)
{
	struct printed *groups = calloc(m->n_policies + 1, sizeof(*groups));
	size_t n = 0;

	for (size_t i = 0; groups && i < m->n_policies; i++) {
		char *text = policy_text(&m->policies[i]);
		struct printed *g = text ? find_printed(groups, n, text) : NULL;

		if (!text)
			break;
		if (g)
			free(text);
		else
			(g = &groups[n++])->text = text;
		g->n++;
		cpus_add(&g->numbers, m->policies[i].number);
		cpus_or(&g->related, &m->policies[i].related);
		cpus_or(&g->online, &m->policies[i].online);
	}
	if (groups)
		print_groups(out, groups, n);
	for (size_t i = 0; groups && i < n; i++)
		free(groups[i].text);
	free(groups);
}

static void print_identity(FILE *out, const struct machine *m)
{
	char buf[128];

	row(out, "kernel", m->kernel);
	row(out, "build", m->kernel_build);
	row(out, "command line", m->command_line);
	row(out, "architecture", m->architecture);
	row(out, "CPU model", m->model);
	row(out, "board", m->board);
	row(out, "microcode", m->microcode);
	row(out, "clock source", m->clocksource);
	if (m->hypervisor)
		row(out, "hypervisor", m->hypervisor);
	if (m->emulated)
		row(out, "emulated",
		    "yes, inside tacho's lab: its times are not those of hardware");
	if (m->memory_kb != UNKNOWN) {
		snprintf(buf, sizeof(buf), "%.1f GiB", (double) m->memory_kb / (1 << 20));
		row(out, "memory", buf);
	}
	row(out, "preemption", m->preemption);
	snprintf(buf, sizeof(buf), "%" PRIu64 " Hz", m->hz);
	row(out, "tick", m->hz == UNKNOWN ? NULL : buf);
	row(out, "configuration", m->config_source);
	for (char **option = m->distorting; option && *option; option++)
		row(out, "warning", *option);
	if (m->distorting && *m->distorting)
		row(out, "",
		    "(this kernel was built for debugging: results are longer than they should be)");
	if (m->sched_ext)
		row(out, "sched_ext", m->sched_ext);
}

static void print_cpus(FILE *out, const struct machine *m)
{
	char present[256], online[256];

	fprintf(out, "%-16s %s present, %s online", "CPUs",
		cpus_format(&m->present, present, sizeof(present)),
		cpus_format(&m->online, online, sizeof(online)));
	if (cpus_count(&m->allowed) && !cpus_subset(&m->online, &m->allowed))
		fprintf(out, ", %s allowed", cpus_format(&m->allowed, online, sizeof(online)));
	fputc('\n', out);
	for (size_t i = 0; i < m->n_types; i++) {
		const struct cpu_type *type = &m->types[i];
		char list[256], high[32];

		fprintf(out, "%-16s %-8s %s %s", i ? "" : "types", type->name,
			cpus_count(&type->cpus) == 1 ? "CPU" : "CPUs",
			cpus_format(&type->cpus, list, sizeof(list)));
		if (type->model)
			fprintf(out, ", %s", type->model);
		if (type->capacity != UNKNOWN)
			fprintf(out, ", capacity %" PRIu64, type->capacity);
		if (type->midr != UNKNOWN)
			fprintf(out, ", MIDR 0x%08" PRIx64, type->midr);
		if (type->max_khz != UNKNOWN)
			fprintf(out, ", up to %s", format_khz(type->max_khz, high, sizeof(high)));
		fputc('\n', out);
	}
	row(out, "SMT", truth(m->smt));
	row(out, "boost", truth(m->boost));
	if (m->driver_mode)
		row(out, "driver mode", m->driver_mode);
	row(out, "energy model", m->energy_model);
	row(out, "energy-aware", truth(m->energy_aware));
}

static void print_time(FILE *out, uint64_t us)
{
	char buf[32];

	fprintf(out, " %10s",
		us == UNKNOWN ? UNKNOWN_WORD : format_seconds((double) us / 1e6, buf, sizeof(buf)));
}

static void print_idle(FILE *out, const struct machine *m)
{
	char list[256];

	fprintf(out, "\nidle states: driver %s, governor %s\n",
		m->idle_driver ? m->idle_driver : UNKNOWN_WORD,
		m->idle_governor ? m->idle_governor : UNKNOWN_WORD);
	if (m->n_idle_states)
		fprintf(out, "  %-14s %10s %10s  CPUs\n", "name", "latency", "residency");
	for (size_t i = 0; i < m->n_idle_states; i++) {
		const struct idle_state *s = &m->idle_states[i];

		fprintf(out, "  %-14s", s->name ? s->name : UNKNOWN_WORD);
		print_time(out, s->latency_us);
		print_time(out, s->residency_us);
		fprintf(out, "  %s", cpus_format(&s->cpus, list, sizeof(list)));
		if (cpus_count(&s->disabled_cpus))
			fprintf(out, ", switched off on %s",
				cpus_format(&s->disabled_cpus, list, sizeof(list)));
		fputc('\n', out);
	}
}

static void print_reasons(FILE *out, const char *title, const struct missing *list, size_t n)
{
	if (n)
		fprintf(out, "\n%s:\n", title);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "  %s: %s\n", list[i].what, list[i].reason);
}

void machine_print(const struct machine *m, FILE *out)
{
	print_identity(out, m);
	print_cpus(out, m);
	print_policies(out, m);
	print_idle(out, m);
	print_reasons(out, "could not be read", m->missing, m->n_missing);
	print_reasons(out, "what this machine cannot do", m->cannot, m->n_cannot);
}
