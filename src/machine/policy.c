/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpufreq policies (Documentation/admin-guide/pm/cpufreq.rst), in the layout of today
 * (cpufreq/policyN) and in that of kernels before about 4.3 (cpuN/cpufreq). What a file cannot say
 * stays unknown.
 */
#include "machine/internal.h"

#include <errno.h>
#include <fcntl.h>

#include "lib/record.h"

#define CPUFREQ_FOLDER CPU_FOLDER "/cpufreq"
#define MAX_KHZ 100000000  /* 100 GHz: what is above is no frequency */
#define ETERNAL UINT32_MAX /* CPUFREQ_ETERNAL: the driver does not know its latency */

static const struct {
	struct item item;
	size_t offset;
} number_files[] = {
	{ { "scaling_min_freq", .min = 0, .max = MAX_KHZ }, offsetof(struct policy, min_khz) },
	{ { "scaling_max_freq", .min = 1, .max = MAX_KHZ }, offsetof(struct policy, max_khz) },
	{ { "cpuinfo_min_freq", .min = 0, .max = MAX_KHZ }, offsetof(struct policy, hw_min_khz) },
	{ { "cpuinfo_max_freq", .min = 1, .max = MAX_KHZ }, offsetof(struct policy, hw_max_khz) },
	{ { "scaling_cur_freq", .min = 0, .max = MAX_KHZ }, offsetof(struct policy, current_khz) },
	{ { "cpuinfo_transition_latency" }, offsetof(struct policy, latency_ns) },
	{ { "boost", "no switch of its own, see the machine's", 0, 1 },
	  offsetof(struct policy, boost) },
};

static const struct item related_file = { "related_cpus" };
static const struct item affected_file = { "affected_cpus" };
static const struct item driver_file = { "scaling_driver" };
static const struct item governor_file = { "scaling_governor" };
static const struct item governors_file = { "scaling_available_governors" };
static const struct item epp_file = { "energy_performance_preference",
				      "this driver takes no energy preference" };
static const struct item epps_file = { "energy_performance_available_preferences", .quiet = true };
static const struct item frequencies_file = { "scaling_available_frequencies",
					      "this driver has no table of frequencies", 1,
					      MAX_KHZ };
static const struct item boost_file = { "scaling_boost_frequencies", "this driver lists none", 1,
					MAX_KHZ };

static struct place policy_place(const struct policy *p)
{
	return (struct place) { p->folder, "policyN", "policies", p->number };
}

void policy_done(struct policy *p)
{
	free(p->folder);
	free(p->driver);
	free(p->governor);
	free(p->epp);
	free(p->tunables_folder);
	strv_free(p->governors);
	strv_free(p->epps);
	free(p->frequencies);
	free(p->boost_frequencies);
	for (size_t i = 0; i < p->n_tunables; i++) {
		free(p->tunables[i].name);
		free(p->tunables[i].value);
	}
	free(p->tunables);
}

static bool is_folder(struct reader *rd, const char *path)
{
	_cleanup_close_ int fd = root_open(rd->root, O_PATH | O_DIRECTORY, path);

	return fd >= 0;
}

static bool add_tunable(struct reader *rd, struct policy *p, const char *name, char *value)
{
	struct tunable *t = array_add(&p->tunables, &p->n_tunables, sizeof(*t));

	if (!t) {
		rd->no_memory = true;
		free(value);
		return false;
	}
	t->name = copy_text(rd, name);
	t->value = value;
	return t->name;
}

static void copy_tunables(struct reader *rd, struct policy *p, const struct policy *from)
{
	for (size_t i = 0; i < from->n_tunables; i++)
		if (!add_tunable(rd, p, from->tunables[i].name,
				 copy_text(rd, from->tunables[i].value)))
			return;
}

static void read_tunables(struct reader *rd, struct policy *p)
{
	_cleanup_strv_ char **names = NULL;
	struct place place = policy_place(p);
	int r = root_list(rd->root, "", &names, "%s", p->tunables_folder);

	if (r < 0) {
		note_text(rd, p->tunables_folder, strerror(-r), NULL, 0);
		return;
	}
	place.folder = p->tunables_folder;
	place.each = p->governor;
	for (char **name = names; *name; name++) {
		struct item item = { *name };
		char path[512];

		snprintf(path, sizeof(path), "%s/%s", p->tunables_folder, *name);
		if (!is_folder(rd, path) &&
		    !add_tunable(rd, p, *name, place_line(rd, &place, &item)))
			return;
	}
}

/*
 * Where the governor in force keeps its tunables: with the policy where the driver asks for that,
 * else in one place for all. Kernels that had both before policyN kept the ones below cpuN for old
 * programs only.
 */
static void find_tunables(struct reader *rd, struct policy *p, bool old_layout,
			  const struct policy *before)
{
	char own[512], common[512];
	const char *folder;

	if (!p->governor || strchr(p->governor, '/') || p->governor[0] == '.')
		return;
	snprintf(own, sizeof(own), "%s/%s", p->folder, p->governor);
	snprintf(common, sizeof(common), CPUFREQ_FOLDER "/%s", p->governor);
	folder = old_layout ? common : own;
	if (!is_folder(rd, folder))
		folder = old_layout ? own : common;
	if (!is_folder(rd, folder)) {
		if (streq(p->governor, "ondemand") || streq(p->governor, "conservative") ||
		    streq(p->governor, "schedutil"))
			note_text(rd, "governor tunables", "no such folder", "policies", p->number);
		return;
	}
	p->tunables_folder = keep(rd, strdup(folder));
	if (!p->tunables_folder)
		return;
	if (before && before->tunables_folder && streq(before->tunables_folder, folder))
		copy_tunables(rd, p, before);
	else
		read_tunables(rd, p);
}

static void read_policy(struct reader *rd, struct policy *p, bool old_layout,
			const struct policy *before)
{
	struct place place = policy_place(p);

	for (size_t i = 0; i < ARRAY_SIZE(number_files); i++) {
		uint64_t n = place_number(rd, &place, &number_files[i].item);

		memcpy((char *) p + number_files[i].offset, &n, sizeof(n));
	}
	if (p->latency_ns >= ETERNAL)
		p->latency_ns = UNKNOWN;
	p->driver = place_word(rd, &place, &driver_file);
	p->governor = place_word(rd, &place, &governor_file);
	p->governors = place_words(rd, &place, &governors_file);
	p->frequencies = place_numbers(rd, &place, &frequencies_file, &p->n_frequencies);
	p->boost_frequencies = place_numbers(rd, &place, &boost_file, &p->n_boost_frequencies);
	p->epp = place_word(rd, &place, &epp_file);
	p->epps = place_words(rd, &place, &epps_file);
	find_tunables(rd, p, old_layout, before);
}

static struct policy *add_policy(struct reader *rd, int number, bool old_layout)
{
	struct machine *m = rd->m;
	struct policy *p = array_add(&m->policies, &m->n_policies, sizeof(*p));

	if (!p) {
		rd->no_memory = true;
		return NULL;
	}
	p->number = number;
	if (asprintf(&p->folder,
		     old_layout ? CPU_FOLDER "/cpu%d/cpufreq" : CPUFREQ_FOLDER "/policy%d",
		     number) < 0) {
		p->folder = NULL;
		rd->no_memory = true;
		m->n_policies--;
		return NULL;
	}
	return p;
}

/*
 * The CPUs of a policy: what its file says; failing that its online ones; failing that the CPU that
 * made it.
 */
static void read_members(struct reader *rd, struct policy *p)
{
	struct place place = policy_place(p);
	bool related =
		place_cpus(rd, &place, &related_file, &p->related) && cpus_count(&p->related);
	bool affected = place_cpus(rd, &place, &affected_file, &p->online);

	if (!related)
		p->related = p->online;
	if (cpus_count(&p->related) == 0)
		cpus_add(&p->related, p->number);
	if (!affected) {
		p->online = p->related;
		cpus_and(&p->online, &rd->m->online);
	}
}

static void list_policies(struct reader *rd)
{
	_cleanup_strv_ char **names = NULL;
	int r = root_list(rd->root, "policy", &names, CPUFREQ_FOLDER);

	if (r < 0) {
		if (r != -ENOENT)
			note_text(rd, CPUFREQ_FOLDER, strerror(-r), NULL, 0);
		return;
	}
	for (char **name = names; *name; name++) {
		int number = name_number(*name, "policy");
		struct policy *p;

		if (number < 0) {
			note_text(rd, "policyN",
				  "a folder policy... without the number of a CPU behind it", NULL,
				  0);
			continue;
		}
		p = add_policy(rd, number, false);
		if (!p)
			return;
		read_members(rd, p);
	}
}

static struct policy *same_members(struct machine *m, const struct policy *p)
{
	for (size_t i = 0; i < m->n_policies; i++)
		if (&m->policies[i] != p && cpus_equal(&m->policies[i].related, &p->related))
			return &m->policies[i];
	return NULL;
}

/* The old layout: each CPU has a folder; those with the same related_cpus are one policy. */
static void list_old_policies(struct reader *rd)
{
	struct machine *m = rd->m;

	for_each_cpu (cpu, &rd->cpus) {
		struct policy *p, *same;

		if (!root_exists(rd->root, CPU_FOLDER "/cpu%d/cpufreq/scaling_driver", cpu) &&
		    !root_exists(rd->root, CPU_FOLDER "/cpu%d/cpufreq/scaling_governor", cpu))
			continue;
		p = add_policy(rd, cpu, true);
		if (!p)
			return;
		read_members(rd, p);
		same = same_members(m, p);
		if (same) { /* hardware coordinates these: each lists only itself as affected */
			cpus_or(&same->online, &p->online);
			policy_done(p);
			m->n_policies--;
		} else {
			p->number = cpus_first(&p->related);
		}
	}
}

/* A CPU has one frequency: where two policies claim it, the first one has it. */
static void settle_claims(struct reader *rd)
{
	struct cpus taken = { 0 };

	for (size_t i = 0; i < rd->m->n_policies; i++) {
		struct policy *p = &rd->m->policies[i];
		struct cpus both = p->related;

		cpus_and(&both, &taken);
		for_each_cpu (cpu, &both)
			note_text(rd, "policyN/related_cpus",
				  "names CPUs that an earlier policy has already", "CPUs", cpu);
		for (size_t w = 0; w < ARRAY_SIZE(taken.bits); w++) {
			p->related.bits[w] &= ~taken.bits[w];
			p->online.bits[w] &= p->related.bits[w];
		}
		cpus_or(&taken, &p->related);
	}
}

void policies_read(struct reader *rd)
{
	struct machine *m = rd->m;
	bool old_layout;

	list_policies(rd);
	old_layout = m->n_policies == 0;
	if (old_layout)
		list_old_policies(rd);
	settle_claims(rd);
	for (size_t i = 0; i < m->n_policies; i++)
		read_policy(rd, &m->policies[i], old_layout, i ? &m->policies[i - 1] : NULL);
}
