/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU types: the CPUs of one make. Same MIDR on Arm, same of Intel's PMUs cpu_core and cpu_atom,
 * and same capacity. They are named by size, so that `--cpus big` means the same on every machine.
 */
#include "machine/internal.h"

#include <errno.h>

#include "lib/record.h"

enum pmu { PMU_NONE, PMU_LOWPOWER, PMU_ATOM, PMU_CORE, PMU_COUNT };

static const char *const pmu_kinds[PMU_COUNT] = { NULL, "lowpower", "atom", "core" };
static const char *const pmu_folders[PMU_COUNT] = { NULL, "/sys/devices/cpu_lowpower",
						    "/sys/devices/cpu_atom",
						    "/sys/devices/cpu_core" };

static const struct item cpus_file = { "cpus", .quiet = true };
static const struct item capacity_file = { "cpu_capacity", "this kernel states no capacities", 1,
					   1024 };
static const struct item midr_file = { "regs/identification/midr_el1", .max = UINT32_MAX };

/* What tells the type of one CPU. */
struct make {
	int cpu;
	enum pmu pmu;
	uint64_t midr, capacity;
	bool known; /* all that this machine tells of any CPU is told of this one */
};

struct scan {
	struct reader *rd;
	struct cpus pmus[PMU_COUNT];
	bool hybrid, arm;
	enum pmu *type_pmus; /* beside m->types */
	size_t n_pmus;
};

static void read_pmus(struct scan *scan)
{
	for (size_t i = PMU_LOWPOWER; i < PMU_COUNT; i++) {
		struct place place = { pmu_folders[i] };

		if (place_cpus(scan->rd, &place, &cpus_file, &scan->pmus[i]))
			scan->hybrid = scan->hybrid || cpus_count(&scan->pmus[i]);
	}
}

static uint64_t read_midr(struct scan *scan, const struct place *place)
{
	uint64_t midr;
	int r = root_read_u64(scan->rd->root, &midr, "%s/%s", place->folder, midr_file.file);

	if (r == 0 && midr <= midr_file.max)
		return midr;
	midr = cpuinfo_midr(&scan->rd->info, place->number);
	if (midr == UNKNOWN)
		note(scan->rd, place, &midr_file, r < 0 ? r : -ERANGE);
	return midr;
}

/* With amd-pstate's preferred cores capacities may differ from core to core of one make. */
static bool capacities_tell(const struct machine *m, int cpu)
{
	const struct policy *policy = machine_policy_of(m, cpu);

	return !policy || !policy->driver || !strafter(policy->driver, "amd-pstate");
}

static struct make read_make(struct scan *scan, int cpu)
{
	struct make make = { .cpu = cpu, .midr = UNKNOWN, .capacity = UNKNOWN };
	char folder[64];
	struct place place = { folder, "cpuN", "CPUs", cpu };

	snprintf(folder, sizeof(folder), CPU_FOLDER "/cpu%d", cpu);
	for (size_t i = PMU_LOWPOWER; i < PMU_COUNT; i++)
		if (cpus_has(&scan->pmus[i], cpu))
			make.pmu = (enum pmu) i;
	if (scan->arm)
		make.midr = read_midr(scan, &place);
	make.capacity = place_number(scan->rd, &place, &capacity_file);
	make.known =
		(!scan->hybrid || make.pmu != PMU_NONE) && (!scan->arm || make.midr != UNKNOWN);
	return make;
}

static struct cpu_type *find_type(struct scan *scan, const struct make *make)
{
	struct machine *m = scan->rd->m;
	bool by_capacity = capacities_tell(m, make->cpu);

	for (size_t i = 0; i < m->n_types; i++)
		if (scan->type_pmus[i] == make->pmu && m->types[i].midr == make->midr &&
		    (!by_capacity || m->types[i].capacity == make->capacity))
			return &m->types[i];
	return NULL;
}

/* For a CPU that tells less than others, as one that is offline: the one type that it can be of. */
static struct cpu_type *guess_type(struct scan *scan, const struct make *make)
{
	struct machine *m = scan->rd->m;
	struct cpu_type *found = NULL;

	for (size_t i = 0; i < m->n_types; i++) {
		if ((make->capacity != UNKNOWN && m->types[i].capacity != make->capacity) ||
		    (make->pmu != PMU_NONE && scan->type_pmus[i] != make->pmu) ||
		    (make->midr != UNKNOWN && m->types[i].midr != make->midr))
			continue;
		if (found)
			return NULL;
		found = &m->types[i];
	}
	return found;
}

static void join(struct scan *scan, struct cpu_type *type, const struct make *make)
{
	const struct policy *policy = machine_policy_of(scan->rd->m, make->cpu);

	cpus_add(&type->cpus, make->cpu);
	if (policy && policy->hw_max_khz != UNKNOWN &&
	    (type->max_khz == UNKNOWN || policy->hw_max_khz > type->max_khz))
		type->max_khz = policy->hw_max_khz;
	if (make->capacity != UNKNOWN &&
	    (type->capacity == UNKNOWN || make->capacity > type->capacity))
		type->capacity = make->capacity;
}

static struct cpu_type *add_type(struct scan *scan, const struct make *make)
{
	struct reader *rd = scan->rd;
	enum pmu *pmu = array_add(&scan->type_pmus, &scan->n_pmus, sizeof(*pmu));
	struct cpu_type *type =
		pmu ? array_add(&rd->m->types, &rd->m->n_types, sizeof(*type)) : NULL;

	if (!type) {
		rd->no_memory = true;
		return NULL;
	}
	*pmu = make->pmu;
	*type = (struct cpu_type) { .midr = make->midr,
				    .capacity = make->capacity,
				    .max_khz = UNKNOWN };
	type->model = copy_text(rd, midr_name(make->midr));
	return type;
}

static int compare_types(const void *a, const void *b)
{
	const struct cpu_type *x = a, *y = b;

	return cpus_first(&x->cpus) - cpus_first(&y->cpus);
}

/* How much the CPUs of a type can do, in an order; 0 for all where nothing tells them apart. */
static uint64_t strength(const struct machine *m, const struct cpu_type *type)
{
	bool capacities = true, frequencies = true;

	for (size_t i = 0; i < m->n_types; i++) {
		capacities = capacities && m->types[i].capacity != UNKNOWN;
		frequencies = frequencies && m->types[i].max_khz != UNKNOWN;
	}
	return capacities ? type->capacity : frequencies ? type->max_khz : 0;
}

static const char *size_by_strength(const struct machine *m, const struct cpu_type *type)
{
	uint64_t lowest = UINT64_MAX, highest = 0, own = strength(m, type);

	for (size_t i = 0; i < m->n_types; i++) {
		lowest = MIN(lowest, strength(m, &m->types[i]));
		highest = MAX(highest, strength(m, &m->types[i]));
	}
	if (lowest == highest)
		return NULL;
	return own == lowest ? "little" : own == highest ? "big" : "middle";
}

static const char *size_by_pmu(const struct scan *scan, enum pmu pmu)
{
	static const char *const with_lowpower[PMU_COUNT] = { NULL, "little", "middle", "big" };
	static const char *const without[PMU_COUNT] = { NULL, "little", "little", "big" };

	return cpus_count(&scan->pmus[PMU_LOWPOWER]) ? with_lowpower[pmu] : without[pmu];
}

static enum pmu pmu_of(const struct scan *scan, const struct cpu_type *type)
{
	for (size_t i = PMU_LOWPOWER; i < PMU_COUNT; i++) {
		struct cpus both = scan->pmus[i];

		cpus_and(&both, &type->cpus);
		if (cpus_count(&both))
			return (enum pmu) i;
	}
	return PMU_NONE;
}

static void name_types(struct scan *scan)
{
	struct machine *m = scan->rd->m;

	for (size_t i = 0; i < m->n_types; i++) {
		struct cpu_type *type = &m->types[i];
		enum pmu pmu = pmu_of(scan, type);

		type->size = pmu ? size_by_pmu(scan, pmu) : size_by_strength(m, type);
		type->kind = pmu ? pmu_kinds[pmu] : type->size ? type->size : "cpu";
	}
	for (size_t i = 0; i < m->n_types; i++) {
		struct cpu_type *type = &m->types[i];
		unsigned earlier = 0, all = 0;

		for (size_t j = 0; j < m->n_types; j++) {
			all += streq(m->types[j].kind, type->kind);
			earlier += j < i && streq(m->types[j].kind, type->kind);
		}
		if (all == 1)
			type->name = keep(scan->rd, strdup(type->kind));
		else if (asprintf(&type->name, "%s%u", type->kind, earlier + 1) < 0)
			scan->rd->no_memory = true;
	}
}

static void add_later(struct scan *scan, const struct make *makes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct cpu_type *type = guess_type(scan, &makes[i]);

		if (type)
			join(scan, type, &makes[i]);
		else if (scan->rd->m->n_types == 0 && (type = add_type(scan, &makes[i])))
			join(scan, type, &makes[i]);
		else
			note_text(scan->rd, "CPU type",
				  "neither this CPU nor its capacity tells it", "CPUs",
				  makes[i].cpu);
	}
}

static void sort_types(struct scan *scan, struct make *later)
{
	struct machine *m = scan->rd->m;
	size_t n_later = 0;

	for_each_cpu (cpu, &m->present) {
		struct make make = read_make(scan, cpu);
		struct cpu_type *type;

		if (!make.known) {
			later[n_later++] = make;
			continue;
		}
		type = find_type(scan, &make);
		if (!type)
			type = add_type(scan, &make);
		if (!type)
			return;
		join(scan, type, &make);
	}
	add_later(scan, later, n_later);
}

void types_read(struct reader *rd)
{
	_cleanup_free_ struct make *later =
		calloc((size_t) cpus_count(&rd->m->present) + 1, sizeof(*later));
	struct scan scan = { .rd = rd };

	if (!later) {
		rd->no_memory = true;
		return;
	}
	scan.arm = rd->m->architecture && (strafter(rd->m->architecture, "aarch64") ||
					   strafter(rd->m->architecture, "arm"));
	read_pmus(&scan);
	sort_types(&scan, later);
	free(scan.type_pmus);
	if (rd->no_memory)
		return;
	if (rd->m->n_types)
		qsort(rd->m->types, rd->m->n_types, sizeof(*rd->m->types), compare_types);
	name_types(&scan);
}
