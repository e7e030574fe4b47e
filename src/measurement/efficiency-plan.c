/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configurations of the efficiency measurement. */
#include <errno.h>

#include "lib/log.h"
#include "measurement/efficiency.h"

/* Drivers that set policy themselves offer only these two names, and powersave there is an
 * algorithm, not a frequency. */
static bool sets_policy_itself(const struct machine *m)
{
	for (size_t i = 0; i < m->n_policies; i++) {
		char **g = m->policies[i].governors;
		size_t n = 0;

		while (g && g[n])
			n++;
		if (n != 2 || !streq(g[0], "performance") || !streq(g[1], "powersave") ||
		    m->policies[i].n_frequencies)
			return false;
	}
	return true;
}

static bool has_name(char *const *names, const char *name)
{
	for (; names && *names; names++)
		if (streq(*names, name))
			return true;
	return false;
}

/* All governors, the one in force first: it is what the others are compared with. */
static int list_governors(struct job *job, char **ret, struct error *err)
{
	const char *in_force = job->machine->policies[0].governor;
	_cleanup_strv_ char **all = NULL;
	size_t size;
	FILE *out;
	int r = knob_governors(job->root, job->machine, &all, err);

	if (r < 0)
		return r;
	if (!all[0])
		return fail(err, -EOPNOTSUPP, "the kernel offers no governor");
	out = open_memstream(ret, &size);
	if (!out)
		return fail(err, -ENOMEM, "out of memory");
	if (in_force && has_name(all, in_force))
		fputs(in_force, out);
	else
		log_note(
			"the governor in force (%s) is not among those compared; the first of them is the baseline",
			in_force ? in_force : "unknown");
	for (char **g = all; *g; g++)
		if (!in_force || !streq(*g, in_force))
			fprintf(out, "%s%s", ftell(out) > 0 ? "," : "", *g);
	fclose(out);
	return 0;
}

/* The governor that a factor `GOVERNOR/TUNABLE` implies where nothing else names one. */
static char *implied_governor(const struct factors *factors, char *const *all)
{
	for (size_t i = 0; i < factors->n; i++) {
		size_t length = strcspn(factors->list[i].name, "/");

		for (char *const *g = all; *g; g++)
			if (strlen(*g) == length &&
			    strncmp(*g, factors->list[i].name, length) == 0 &&
			    factors->list[i].name[length] == '/')
				return strdup(*g);
	}
	return NULL;
}

static int add_governors(struct job *job, struct factors *factors, struct error *err)
{
	const struct efficiency_conf *conf = job->base.own;
	_cleanup_strv_ char **all = NULL;
	_cleanup_free_ char *list = NULL;
	int r = 0;

	if (factors_find(factors, "governor")) {
		if (conf->governor)
			return fail(err, -EINVAL,
				    "--governor and --vary governor=... are the same; one of them");
		return 0;
	}
	if (conf->governor && !streq(conf->governor, "all"))
		return factors_prepend(factors, "governor", conf->governor, err);
	if (!conf->governor && factors->n) {
		r = knob_governors(job->root, job->machine, &all, err);
		if (r < 0)
			return r;
		list = implied_governor(factors, all);
		if (!list && job->machine->policies[0].governor)
			list = strdup(job->machine->policies[0].governor);
	}
	if (!list)
		r = list_governors(job, &list, err);
	return r == 0 ? factors_prepend(factors, "governor", list, err) : r;
}

/* On drivers that set policy themselves the governors say little without the preference that goes
 * with them. */
static int add_preferences(struct job *job, struct experiment *x, struct factors *factors,
			   struct error *err)
{
	const struct efficiency_conf *conf = job->base.own;
	const struct policy *policy = &job->machine->policies[0];

	if (!sets_policy_itself(job->machine) || !policy->epps ||
	    (conf->governor && !streq(conf->governor, "all")) || job->plan.vary)
		return factors_expand(job, factors, x, err);
	for (char **g = factors_find(factors, "governor")->values; *g; g++) {
		/* the kernel refuses every other preference under performance (FACTS: intel_pstate)
		 */
		if (streq(*g, "performance")) {
			if (!factors_add(job, x, *g, *g, &job->base, err))
				return err->code;
			continue;
		}
		for (char **epp = policy->epps; *epp; epp++) {
			_cleanup_free_ char *name = NULL;
			struct plan_configuration *c;

			if (asprintf(&name, "%s/%s", *g, *epp) < 0)
				return fail(err, -ENOMEM, "out of memory");
			if (streq(*epp, "default") || streq(*epp, "custom"))
				continue;
			c = factors_add(job, x, name, *g, &job->base, err);
			if (!c)
				return err->code;
			if (plan_set(c, "epp", *epp) < 0)
				return fail(err, -ENOMEM, "out of memory");
			if (policy->governor && policy->epp && streq(*g, policy->governor) &&
			    streq(*epp, policy->epp))
				x->record.baseline = x->n_plan - 1;
		}
	}
	return 0;
}

/* Whether configuration I is the plain governor, with nothing set beside it but what --set says for
 * all. */
static bool is_plain(const struct job *job, const struct experiment *x, size_t i,
		     const char *governor)
{
	const struct plan_configuration *c = &x->plan[i];
	const char *value = plan_value(c, "governor");
	size_t sets = 0;

	for (char **text = job->plan.set; text && *text; text++)
		sets++;
	return value && streq(value, governor) && c->n_settings <= 1 + sets &&
	       streq(c->name, governor);
}

/* The name powersave means the lowest frequency where the driver has a table and nobody raised the
 * lower limit. */
static bool powersave_is_lowest(const struct machine *m)
{
	for (size_t i = 0; i < m->n_policies; i++)
		if (!m->policies[i].n_frequencies ||
		    m->policies[i].min_khz != m->policies[i].hw_min_khz)
			return false;
	return true;
}

/* Marks or adds one of the two references for the configurations with the options of LIKE. */
static int add_reference(struct job *job, struct experiment *x, const struct conf *like,
			 char *const *governors, bool high, struct error *err)
{
	const char *governor = high                               ? "performance"
			       : has_name(governors, "powersave") ? "powersave"
								  : NULL;
	bool name_serves = high || (governor && powersave_is_lowest(job->machine));
	const char *options = streq(like->text, "{}") ? "" : like->text;
	_cleanup_free_ char *name = NULL;
	struct plan_configuration *c;

	for (size_t i = 0; name_serves && i < x->n_plan; i++) {
		const struct conf *conf = x->plan[i].conf;

		if (is_plain(job, x, i, governor) && streq(conf->text, like->text)) {
			x->plan[i].reference = true;
			return 0;
		}
	}
	if (asprintf(&name, "%s%s%s", name_serves ? governor : "lowest frequency",
		     *options ? " " : "", options) < 0)
		return fail(err, -ENOMEM, "out of memory");
	c = factors_add(job, x, name, governor, like, err);
	if (!c)
		return err->code;
	c->reference = true;
	return name_serves || plan_set(c, "max_freq", "min") == 0
		       ? 0
		       : fail(err, -ENOMEM, "out of memory");
}

static int add_references(struct job *job, struct experiment *x, struct error *err)
{
	_cleanup_strv_ char **governors = NULL;
	size_t n = x->n_plan;

	if (knob_governors(job->root, job->machine, &governors, err) < 0)
		return err->code;
	for (size_t i = 0; i < n; i++) {
		const struct conf *conf = x->plan[i].conf;
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = streq(((const struct conf *) x->plan[j].conf)->text, conf->text);
		if (seen)
			continue;
		if (add_reference(job, x, conf, governors, true, err) < 0 ||
		    add_reference(job, x, conf, governors, false, err) < 0)
			return err->code;
	}
	return 0;
}

static double expected_seconds(const struct job *job)
{
	const struct efficiency_conf *conf = job->base.own;
	const struct policy *p = &job->machine->policies[0];
	double slowest = p->hw_min_khz && p->hw_min_khz != UNKNOWN && p->hw_max_khz != UNKNOWN
				 ? (double) p->hw_max_khz / (double) p->hw_min_khz
				 : 3;
	double work = (double) conf->run_ns / 1e9 * (1 + slowest) / 2; /* between the extremes */

	return ((double) conf->sleep_ns / 1e9 + work) * (double) (conf->loops + 1);
}

int efficiency_configure(struct job *job, struct experiment *x, struct error *err)
{
	struct factors factors = { 0 };
	struct efficiency_state *state = calloc(1, sizeof(*state));
	int r;

	if (!state)
		return fail(err, -ENOMEM, "out of memory");
	job->state = state;
	r = factors_parse(job, &factors, err);
	if (r == 0)
		r = add_governors(job, &factors, err);
	if (r == 0)
		r = add_preferences(job, x, &factors, err);
	factors_done(&factors);
	if (r == 0)
		r = add_references(job, x, err);
	for (size_t i = 0; i < x->n_plan && r == 0; i++) {
		struct task_attr attr;

		r = places_add(&state->places, job->machine,
			       ((const struct conf *) x->plan[i].conf)->task.cpus, &x->watched,
			       err);
		if (r == 0)
			r = task_conf_attr(&((const struct conf *) x->plan[i].conf)->task, &attr,
					   err);
	}
	x->run_seconds = expected_seconds(job) * (double) MAX(state->places.n, (size_t) 1);
	return r;
}

size_t efficiency_reference(const struct experiment *x, size_t index, bool high)
{
	const struct conf *conf = x->plan[index].conf;

	for (size_t i = 0; i < x->n_plan; i++) {
		const struct plan_configuration *c = &x->plan[i];
		const char *governor = plan_value(c, "governor");

		if (c->reference && streq(((const struct conf *) c->conf)->text, conf->text) &&
		    high == (governor && streq(governor, "performance") &&
			     !plan_value(c, "max_freq")))
			return i;
	}
	return index; /* not reached: configure adds both for every set of options */
}
