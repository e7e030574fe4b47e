/* SPDX-License-Identifier: GPL-2.0-or-later */
/* epp=NAME or a number 0..255: the energy performance preference of intel_pstate and amd-pstate. */
#include <ctype.h>
#include <errno.h>

#include "knob/policies.h"

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	return domains_files(rq, "energy_performance_preference", RULE_EPP,
			     "only intel_pstate with HWP and amd-pstate-epp have it", ret, err);
}

static bool is_raw(const char *text)
{
	char *end;

	return isdigit((unsigned char) *text) && strtoul(text, &end, 10) <= 255 && !*end;
}

/* While its own performance governs, amd-pstate lists that one preference alone: where the batch
 * changes that, the names that the drivers know serve (drivers/cpufreq/amd-pstate.c). */
static const char *known_names(const struct request *rq, const struct domain *d, char *buf,
			       size_t size)
{
	char now[64], next[64];

	domain_text(rq->root, d, "energy_performance_available_preferences", buf, size);
	domain_text(rq->root, d, "scaling_governor", now, sizeof(now));
	if (rq->dry && batch_governor(rq, d, next, sizeof(next)) && !streq(now, next))
		snprintf(buf, size, "default performance balance_performance balance_power power");
	for (char *p = buf; *p; p++)
		if (*p == '\n')
			*p = ' ';
	return buf;
}

static int check_name(const struct request *rq, const struct domain *d, struct error *err)
{
	char buf[512], list[512], *rest, *word;

	known_names(rq, d, buf, sizeof(buf));
	memcpy(list, buf, sizeof(list));
	for (word = strtok_r(buf, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		if (streq(word, rq->value))
			return 0;
	if (is_raw(rq->value))
		return 0;
	return fail(err, -EINVAL, "%s: policy%d has no preference `%s`; it has %s, or 0 to 255",
		    rq->name, d->number, rq->value, list[0] ? list : "none by name");
}

/* The kernel refuses all others with EBUSY while the driver's own performance is in force
 * (drivers/cpufreq/intel_pstate.c, amd-pstate.c). */
static int check_governor(const struct request *rq, const struct domain *d, struct error *err)
{
	char driver[64], now[64], next[64];
	const char *governor = batch_governor(rq, d, next, sizeof(next));

	domain_text(rq->root, d, "scaling_driver", driver, sizeof(driver));
	if (!governor || !rq->dry)
		governor = domain_text(rq->root, d, "scaling_governor", now, sizeof(now));
	if (!(streq(driver, "intel_pstate") || streq(driver, "amd-pstate-epp")) ||
	    !streq(governor, "performance") || streq(rq->value, "performance") ||
	    streq(rq->value, "0"))
		return 0;
	return fail(err, -EINVAL,
		    "%s=%s: %s takes no preference but performance while its governor is "
		    "performance; set governor=powersave with it",
		    rq->name, rq->value, driver);
}

static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_free_ struct domain *list = NULL;
	size_t n = 0, before = ret->n;
	int r = domains_find(rq, &list, &n, err);

	if (r == 0)
		r = plan_files(rq, ret, err); /* first: whether there is such a thing at all */
	if (r < 0 || ret->n == before)
		return r;
	for (size_t i = 0; i < n && r == 0; i++) {
		if (!root_exists(rq->root, "%s/energy_performance_preference", list[i].folder))
			continue;
		r = check_name(rq, &list[i], err);
		if (r == 0)
			r = check_governor(rq, &list[i], err);
	}
	return r;
}

const struct knob knob_epp = {
	.name = "epp",
	.help = "energy performance preference by name, or 0 to 255",
	.scope = "policy",
	.stage = STAGE_EPP,
	.verified = "read from its documentation",
	.find = find,
	.plan = plan,
};
