/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GOVERNOR/TUNABLE=VALUE. A tunable is there only while its governor is in force: in the policy's
 * folder where the driver asks for that (CPUFREQ_HAVE_GOVERNOR_PER_POLICY), else in one for all.
 */
#include <errno.h>

#include "knob/policies.h"

static int split_base(const struct request *rq, char *governor, size_t size,
		      const char **ret_tunable, struct error *err)
{
	size_t n = strcspn(rq->base, "/");

	*ret_tunable = rq->base + n + 1;
	if (n == 0 || n >= size || strchr(*ret_tunable, '/') || !**ret_tunable ||
	    **ret_tunable == '.' || rq->base[0] == '.')
		return fail(err, -EINVAL, "`%s` is no name of a tunable: expected GOVERNOR/TUNABLE",
			    rq->name);
	snprintf(governor, size, "%.*s", (int) n, rq->base);
	return 0;
}

static int no_such_tunable(const struct request *rq, const char *folder, struct error *err)
{
	_cleanup_strv_ char **names = NULL;
	char list[400] = "";
	size_t used = 0;

	if (root_list(rq->root, "", &names, "%s", folder) < 0)
		return fail(err, -EOPNOTSUPP, "%s: %s cannot be read", rq->name, folder);
	for (char **name = names; *name && used < sizeof(list); name++)
		used += (size_t) snprintf(list + used, sizeof(list) - used, "%s%s",
					  used ? ", " : "", *name);
	return fail(err, -EINVAL, "%s: %s has no such tunable, but %s", rq->name, folder,
		    used ? list : "none");
}

/* Adds the file of one policy; *RET_FOUND where it has the governor. */
static int find_in(const struct request *rq, const struct domain *d, const char *governor,
		   const char *tunable, bool *ret_found, struct changes *ret, struct error *err)
{
	char now[64], folder[160], path[512];
	struct change *c;

	domain_text(rq->root, d, "scaling_governor", now, sizeof(now));
	if (!streq(now, governor) ||
	    tunables_folder(rq->root, d, governor, folder, sizeof(folder)) < 0)
		return 0;
	*ret_found = true;
	snprintf(path, sizeof(path), "%s/%.200s", folder, tunable);
	if (!root_exists(rq->root, "%s", path))
		return no_such_tunable(rq, folder, err);
	if ((rq->policy >= 0 || rq->cpu >= 0) && !strafter(folder, d->folder))
		return fail(err, -EOPNOTSUPP,
			    "%s: this driver has one %s for all policies; set it without `@...`",
			    rq->name, rq->base);
	c = changes_add(ret, CHANGE_WRITE, rq->name, path);
	if (!c)
		return out_of_memory(err);
	c->rule = RULE_TEXT;
	c->passing = true;
	return 0;
}

static int not_in_force(const struct request *rq, const struct domain *list, size_t n,
			const char *governor, struct error *err)
{
	char now[64];
	int r;

	for (size_t i = 0; i < n; i++) {
		r = governor_check(rq, &list[i], governor, err);
		if (r < 0)
			return r;
	}
	domain_text(rq->root, &list[0], "scaling_governor", now, sizeof(now));
	if (streq(now, governor))
		return fail(err, -EOPNOTSUPP, "%s: %s has no tunables on this machine", rq->name,
			    governor);
	return fail(err, -EINVAL,
		    "%s: the governor %s is not in force (policy%d has %s) and is not set together "
		    "with it; add `governor=%s`",
		    rq->name, governor, list[0].number, now, governor);
}

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_free_ struct domain *list = NULL;
	char governor[64];
	const char *tunable;
	bool found = false;
	size_t n = 0;
	int r = split_base(rq, governor, sizeof(governor), &tunable, err);

	if (r == 0)
		r = domains_find(rq, &list, &n, err);
	for (size_t i = 0; i < n && r == 0; i++)
		r = find_in(rq, &list[i], governor, tunable, &found, ret, err);
	return r < 0 || found ? r : not_in_force(rq, list, n, governor, err);
}

/* Before the batch's governor is there its files are not: then only the governor is looked at. */
static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_free_ struct domain *list = NULL;
	char governor[64], other[64];
	const char *tunable;
	size_t n = 0;
	int r = split_base(rq, governor, sizeof(governor), &tunable, err);

	if (r == 0)
		r = domains_find(rq, &list, &n, err);
	if (r < 0)
		return r;
	for (size_t i = 0; rq->dry && i < n; i++) {
		const char *next = batch_governor(rq, &list[i], other, sizeof(other));
		char now[64];

		domain_text(rq->root, &list[i], "scaling_governor", now, sizeof(now));
		if (next && streq(next, governor) && !streq(now, governor))
			return governor_check(rq, &list[i], governor, err);
	}
	return plan_files(rq, ret, err);
}

static int available(const struct root *root, struct error *err)
{
	struct request all = { .root = root, .name = "GOVERNOR/TUNABLE", .policy = -1, .cpu = -1 };
	_cleanup_free_ struct domain *list = NULL;
	size_t n;

	return domains_find(&all, &list, &n, err);
}

const struct knob knob_tunable = {
	.name = "GOVERNOR/TUNABLE",
	.help = "tunable of a governor, wherever this driver keeps it",
	.scope = "policy",
	.stage = STAGE_TUNABLE,
	.verified = "",
	.prefix = "",
	.open = true,
	.available = available,
	.find = find,
	.plan = plan,
};
