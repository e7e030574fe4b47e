/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --cpus: from what people write to sets of CPUs of this machine. */
#include "machine/internal.h"

#include <ctype.h>
#include <errno.h>

#include "lib/nearest.h"
#include "lib/record.h"

struct places {
	const struct machine *m;
	struct cpus usable; /* online, and not kept from us by a cpuset or the like */
	struct cpus *sets;
	size_t n;
};

static int add_set(struct places *places, const struct cpus *set, struct error *err)
{
	struct cpus *place = array_add(&places->sets, &places->n, sizeof(*place));

	if (!place)
		return fail(err, -ENOMEM, "out of memory");
	*place = *set;
	return 0;
}

/*
 * The last usable CPU of SET, where there is one. It is CPU 0, which serves interrupts, only where
 * there is no other.
 */
static int add_last(struct places *places, const struct cpus *set, struct error *err)
{
	struct cpus both = *set, last = { 0 };

	cpus_and(&both, &places->usable);
	if (cpus_count(&both) == 0)
		return 0;
	cpus_add(&last, cpus_last(&both));
	return add_set(places, &last, err);
}

static int select_types(struct places *places, struct error *err)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < places->m->n_types; i++)
		r = add_last(places, &places->m->types[i].cpus, err);
	if (r == 0 && places->n == 0) /* no type is known: any CPU is as good */
		r = add_last(places, &places->usable, err);
	return r;
}

static int select_policies(struct places *places, struct error *err)
{
	int r = 0;

	if (places->m->n_policies == 0)
		return fail(err, -EINVAL,
			    "--cpus each-policy: this machine has no cpufreq policies; "
			    "expected a list such as 0-3, each-type or any");
	for (size_t i = 0; r == 0 && i < places->m->n_policies; i++)
		r = add_last(places, &places->m->policies[i].related, err);
	return r;
}

static int select_named(struct places *places, const char *text, const struct cpus *cpus,
			struct error *err)
{
	struct cpus set = *cpus;
	char list[256];

	cpus_and(&set, &places->usable);
	if (cpus_count(&set) == 0)
		return fail(
			err, -EINVAL,
			"--cpus %s: none of its CPUs (%s) is online and allowed to this process",
			text, cpus_format(cpus, list, sizeof(list)));
	return add_set(places, &set, err);
}

static int select_list(struct places *places, const char *text, struct error *err)
{
	const struct machine *m = places->m;
	struct cpus set, absent = { 0 }, offline = { 0 };
	char bad[256], there[256];
	int r = cpus_parse(text, &set, err);

	if (r < 0)
		return fail_prefix(err, r, "--cpus");
	if (cpus_count(&set) == 0)
		return fail(err, -EINVAL, "--cpus: the list is empty; expected CPUs such as 0-3,8");
	for_each_cpu (cpu, &set) {
		if (!cpus_has(&m->present, cpu))
			cpus_add(&absent, cpu);
		else if (!cpus_has(&m->online, cpu))
			cpus_add(&offline, cpu);
	}
	if (cpus_count(&absent))
		return fail(err, -EINVAL,
			    "--cpus %s: there is no CPU %s on this machine; it has %s", text,
			    cpus_format(&absent, bad, sizeof(bad)),
			    cpus_format(&m->present, there, sizeof(there)));
	if (cpus_count(&offline))
		return fail(err, -EINVAL,
			    "--cpus %s: CPU %s is offline; online are %s (1 in " CPU_FOLDER
			    "/cpu%d/online brings it back)",
			    text, cpus_format(&offline, bad, sizeof(bad)),
			    cpus_format(&m->online, there, sizeof(there)), cpus_first(&offline));
	return add_set(places, &set, err);
}

static int select_policy(struct places *places, const char *text, struct error *err)
{
	const struct machine *m = places->m;
	struct cpus numbers = { 0 };
	char list[256];

	for (size_t i = 0; i < m->n_policies; i++) {
		if (m->policies[i].number == name_number(text, "policy"))
			return select_named(places, text, &m->policies[i].related, err);
		cpus_add(&numbers, m->policies[i].number);
	}
	if (m->n_policies == 0)
		return fail(err, -EINVAL, "--cpus %s: this machine has no cpufreq policies", text);
	return fail(err, -EINVAL, "--cpus %s: no such policy; N of policyN is one of %s", text,
		    cpus_format(&numbers, list, sizeof(list)));
}

/* The CPUs of all types that TEXT names: by name, by kind, or by size. */
static struct cpus types_called(const struct machine *m, const char *text)
{
	struct cpus set = { 0 };

	for (size_t i = 0; i < m->n_types; i++) {
		const struct cpu_type *type = &m->types[i];

		if (streq(text, type->name) || streq(text, type->kind) ||
		    (type->size && streq(text, type->size)))
			cpus_or(&set, &type->cpus);
	}
	return set;
}

static int unknown_name(const struct machine *m, const char *text, struct error *err)
{
	const char *names[64] = { "any", "each-type", "each-policy" }, *hint;
	size_t n = 3, used = 0;
	char types[256] = "";

	for (size_t i = 0; i < m->n_types && n + 2 < ARRAY_SIZE(names); i++) {
		names[n++] = m->types[i].name;
		if (m->types[i].size)
			names[n++] = m->types[i].size;
		if (used + strlen(m->types[i].name) + 3 < sizeof(types))
			used += (size_t) snprintf(types + used, sizeof(types) - used, ", %s",
						  m->types[i].name);
	}
	hint = nearest_name(text, names, n);
	return fail(
		err, -EINVAL,
		"--cpus %s: this machine has no such CPUs%s%s%s; expected a list such as 0-3,8, policyN, "
		"each-type, each-policy, any%s",
		text, hint ? "; did you mean `" : "", hint ? hint : "", hint ? "`?" : "", types);
}

static int select_text(struct places *places, const char *text, struct error *err)
{
	struct cpus set;

	if (!text)
		return select_types(places, err);
	if (streq(text, "any"))
		return select_named(places, text, &places->m->online, err);
	if (streq(text, "each-type"))
		return select_types(places, err);
	if (streq(text, "each-policy"))
		return select_policies(places, err);
	if (name_number(text, "policy") >= 0)
		return select_policy(places, text, err);
	set = types_called(places->m, text);
	if (cpus_count(&set))
		return select_named(places, text, &set, err);
	if (*text == '\0' || isdigit((unsigned char) *text))
		return select_list(places, text, err);
	return unknown_name(places->m, text, err);
}

int machine_select_cpus(const struct machine *m, const char *text, struct cpus **ret, size_t *ret_n,
			struct error *err)
{
	struct places places = { .m = m, .usable = m->online };
	int r;

	if (cpus_count(&m->allowed))
		cpus_and(&places.usable, &m->allowed);
	r = select_text(&places, text, err);
	if (r == 0 && places.n == 0)
		r = fail(err, -EINVAL,
			 "--cpus %s: none of these CPUs is online and allowed to this process",
			 text ? text : "each-type");
	if (r < 0) {
		free(places.sets);
		return r;
	}
	*ret = places.sets;
	*ret_n = places.n;
	return 0;
}
