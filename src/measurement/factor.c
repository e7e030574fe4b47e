/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measurement/factor.h"

#include <errno.h>
#include <json-c/json.h>

void factors_done(struct factors *factors)
{
	for (size_t i = 0; i < factors->n; i++) {
		free(factors->list[i].name);
		strv_free(factors->list[i].values);
	}
	free(factors->list);
	*factors = (struct factors) { 0 };
}

/* The option that NAME means in --vary and --set. A knob of the same name goes first (governor is
 * both). */
static const struct opt *find_option(const struct job *job, const char *name)
{
	const struct opt *opt = knob_is_name(name) ? NULL : opt_find(job->measurement->opts, name);

	return opt || knob_is_name(name) ? opt : opt_find(task_opts, name);
}

static int add_value(char ***values, const char *text, size_t length)
{
	size_t n = 0;
	char **larger;

	while (*values && (*values)[n])
		n++;
	larger = realloc(*values, (n + 2) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	*values = larger;
	larger[n] = strndup(text, length);
	larger[n + 1] = NULL;
	return larger[n] ? 0 : -ENOMEM;
}

static int split_values(struct factor *factor, const char *list, struct error *err)
{
	for (const char *p = list;; p++) {
		size_t length = strcspn(p, ",");

		if (!length)
			return fail(
				err, -EINVAL,
				"--vary %s=%s: an empty value; expected V1,V2,... (lists of CPUs with +)",
				factor->name, list);
		if (add_value(&factor->values, p, length) < 0)
			return fail(err, -ENOMEM, "out of memory");
		p += length;
		if (!*p)
			return 0;
	}
}

static int factor_init(const struct job *job, struct factor *factor, const char *name,
		       const char *list, struct error *err)
{
	factor->name = strdup(name);
	if (!factor->name)
		return fail(err, -ENOMEM, "out of memory");
	factor->is_option = job && find_option(job, name);
	return split_values(factor, list, err);
}

int factors_parse(const struct job *job, struct factors *ret, struct error *err)
{
	for (char **text = job->plan.vary; text && *text; text++) {
		struct setting s = { 0 };
		struct factor *factor;
		int r = setting_parse(*text, &s, err);

		if (r < 0)
			return fail_prefix(err, r, "--vary");
		if (!find_option(job, s.name) && !knob_is_name(s.name))
			r = fail(
				err, -EINVAL,
				"--vary: `%s` is no knob and no option of %s; `tacho list knobs` names the knobs",
				s.name, job->measurement->name);
		else if (factors_find(ret, s.name))
			r = fail(err, -EINVAL,
				 "--vary %s is given twice; name all its values in one", s.name);
		else if (!(factor = array_add(&ret->list, &ret->n, sizeof(*factor))))
			r = fail(err, -ENOMEM, "out of memory");
		else
			r = factor_init(job, factor, s.name, s.value, err);
		setting_done(&s);
		if (r < 0)
			return r;
	}
	return 0;
}

const struct factor *factors_find(const struct factors *factors, const char *name)
{
	for (size_t i = 0; i < factors->n; i++)
		if (streq(factors->list[i].name, name))
			return &factors->list[i];
	return NULL;
}

int factors_prepend(struct factors *factors, const char *name, const char *list, struct error *err)
{
	struct factor factor = { 0 };
	int r = factor_init(NULL, &factor, name, list, err);

	if (r == 0 && !array_add(&factors->list, &factors->n, sizeof(*factors->list)))
		r = fail(err, -ENOMEM, "out of memory");
	if (r < 0) {
		free(factor.name);
		strv_free(factor.values);
		return r;
	}
	memmove(factors->list + 1, factors->list, (factors->n - 1) * sizeof(*factors->list));
	factors->list[0] = factor;
	return 0;
}

const char *plan_value(const struct plan_configuration *c, const char *name)
{
	for (size_t i = 0; i < c->n_settings; i++)
		if (streq(c->settings[i].name, name))
			return c->settings[i].value;
	return NULL;
}

/* `ondemand/sampling_rate` with a governor other than ondemand says nothing, and under performance
 * the drivers that have preferences refuse all but their own. A knob with a colon is a file or a
 * command. */
static bool applies(const char *knob, const char *governor)
{
	static const char *const folders[] = { "idle", "sysctl", "sched", "sched_feature" };
	size_t length = strcspn(knob, "/:@");

	if (!governor)
		return true;
	if (length == 3 && strncmp(knob, "epp", 3) == 0)
		return !streq(governor, "performance");
	if (knob[length] != '/')
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (strlen(folders[i]) == length && strncmp(folders[i], knob, length) == 0)
			return true;
	return strlen(governor) == length && strncmp(governor, knob, length) == 0;
}

static int copy_options(const struct opt *opts, const void *from, void *to, struct error *err)
{
	for (; opts->name; opts++) {
		_cleanup_free_ char *text = opt_get(opts, from);
		int r = text ? opt_set(opts, to, text, err) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}

static struct conf *conf_new(struct job *job, const struct conf *like, struct error *err)
{
	struct conf **place = array_add(&job->confs, &job->n_confs, sizeof(*place));
	struct conf *conf = place ? calloc(1, sizeof(*conf)) : NULL;

	if (!conf) {
		job->n_confs -= place ? 1 : 0;
		fail(err, -ENOMEM, "out of memory");
		return NULL;
	}
	*place = conf;
	conf->own = calloc(1, job->measurement->conf_size);
	conf->text = strdup(like->text);
	if (!conf->own || !conf->text) {
		fail(err, -ENOMEM, "out of memory");
		return NULL;
	}
	if (copy_options(task_opts, &like->task, &conf->task, err) < 0 ||
	    copy_options(job->measurement->opts, like->own, conf->own, err) < 0)
		return NULL;
	return conf;
}

static int set_option(const struct job *job, struct conf *conf, const char *name, const char *value,
		      struct error *err)
{
	const struct opt *opt = opt_find(job->measurement->opts, name);

	return opt ? opt_set(opt, conf->own, value, err)
		   : opt_set(opt_find(task_opts, name), &conf->task, value, err);
}

static int apply_sets(const struct job *job, struct plan_configuration *c, const char *governor,
		      struct error *err)
{
	struct conf *conf = c->conf;

	for (char **text = job->plan.set; text && *text; text++) {
		struct setting s = { 0 };
		int r = setting_parse(*text, &s, err);

		if (r < 0)
			return fail_prefix(err, r, "--set");
		if (find_option(job, s.name))
			r = set_option(job, conf, s.name, s.value, err);
		else if (!knob_is_name(s.name))
			r = fail(
				err, -EINVAL,
				"--set: `%s` is no knob and no option of %s; `tacho list knobs` names the knobs",
				s.name, job->measurement->name);
		else if (applies(s.name, governor))
			r = plan_set(c, s.name, s.value) < 0 ? fail(err, -ENOMEM, "out of memory")
							     : 0;
		setting_done(&s);
		if (r < 0)
			return r;
	}
	return 0;
}

static int refuse_both(const struct job *job, const struct factors *factors, struct error *err)
{
	for (char **text = job->plan.set; text && *text; text++)
		for (size_t i = 0; i < factors->n; i++) {
			const char *rest = strafter(*text, factors->list[i].name);

			if (rest && *rest == '=')
				return fail(err, -EINVAL,
					    "%s is in --set and in --vary; one of them",
					    factors->list[i].name);
		}
	return 0;
}

struct plan_configuration *factors_add(struct job *job, struct experiment *x, const char *name,
				       const char *governor, const struct conf *like,
				       struct error *err)
{
	struct conf *conf = conf_new(job, like, err);
	struct plan_configuration *c = conf ? plan_add(x, name, false) : NULL;

	if (!c || (governor && plan_set(c, "governor", governor) < 0)) {
		fail(err, -ENOMEM, "out of memory");
		return NULL;
	}
	c->conf = conf;
	free(c->options);
	c->options = strdup(conf->text);
	if (!c->options) {
		fail(err, -ENOMEM, "out of memory");
		return NULL;
	}
	return apply_sets(job, c, governor, err) < 0 ? NULL : c;
}

/* What a table calls value V of factor F: a governor by its name alone, `sampling_rate=10000` under
 * that governor. */
static void name_part(FILE *out, const struct factor *f, const char *value, const char *governor)
{
	const char *tunable = governor ? strafter(f->name, governor) : NULL;

	if (ftell(out) > 0)
		fputc(' ', out);
	if (streq(f->name, "governor"))
		fputs(value, out);
	else
		fprintf(out, "%s=%s", tunable && *tunable == '/' ? tunable + 1 : f->name, value);
}

static int apply_combination(struct job *job, const struct factors *factors, const size_t *choice,
			     const char *governor, struct plan_configuration *c, struct error *err)
{
	struct conf *conf = c->conf;
	json_object *options = json_object_new_object();
	int r = 0;

	for (size_t i = 0; i < factors->n && r == 0; i++) {
		const struct factor *f = &factors->list[i];
		const char *value = f->values[choice[i]];

		if (f->is_option) {
			r = set_option(job, conf, f->name, value, err);
			json_object_object_add(options, f->name, json_object_new_string(value));
		} else if (!streq(f->name, "governor") && applies(f->name, governor)) {
			r = plan_set(c, f->name, value) < 0 ? fail(err, -ENOMEM, "out of memory")
							    : 0;
		}
	}
	free(conf->text);
	free(c->options);
	conf->text = strdup(json_object_to_json_string_ext(options, JSON_C_TO_STRING_PLAIN));
	c->options = conf->text ? strdup(conf->text) : NULL;
	json_object_put(options);
	if (r == 0 && !c->options)
		r = fail(err, -ENOMEM, "out of memory");
	return r;
}

/* Adds the combination CHOICE, or nothing where a factor that does not apply is not at its first
 * value. */
static int expand_one(struct job *job, const struct factors *factors, const size_t *choice,
		      struct experiment *x, struct error *err)
{
	const char *governor = NULL, *speed;
	_cleanup_free_ char *name = NULL, *plain = NULL;
	struct plan_configuration *c;
	size_t size;
	FILE *out;

	for (size_t i = 0; i < factors->n; i++)
		if (streq(factors->list[i].name, "governor"))
			governor = factors->list[i].values[choice[i]];
	speed = governor ? strchr(governor, '@') : NULL;
	plain = governor ? strndup(governor, speed ? (size_t) (speed - governor) : strlen(governor))
			 : NULL;
	out = open_memstream(&name, &size);
	if (!out || (governor && !plain))
		return fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < factors->n; i++) {
		const struct factor *f = &factors->list[i];
		bool counts = f->is_option || applies(f->name, plain);

		if (!counts && choice[i]) {
			fclose(out);
			return 0;
		}
		if (counts)
			name_part(out, f, f->values[choice[i]], plain);
	}
	fclose(out);
	c = factors_add(job, x, name[0] ? name : "as set", governor, &job->base, err);
	return c ? apply_combination(job, factors, choice, plain, c, err) : err->code;
}

int factors_expand(struct job *job, const struct factors *factors, struct experiment *x,
		   struct error *err)
{
	_cleanup_free_ size_t *choice = calloc(factors->n + 1, sizeof(*choice));

	if (!choice)
		return fail(err, -ENOMEM, "out of memory");
	if (refuse_both(job, factors, err) < 0)
		return err->code;
	for (;;) {
		size_t i = factors->n;
		int r = expand_one(job, factors, choice, x, err);

		if (r < 0)
			return r;
		if (x->n_plan > 1000)
			return fail(err, -EINVAL, "--vary: more than 1000 configurations");
		while (i > 0 && !factors->list[i - 1].values[++choice[i - 1]])
			choice[--i] = 0;
		if (i == 0)
			return 0;
	}
}
