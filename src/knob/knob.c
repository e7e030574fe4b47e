/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of knobs, and settings that are taken apart into requests to one of them. */
#include "knob/knob.h"

#include <errno.h>
#include <fcntl.h>

#include "knob/knob-internal.h"
#include "lib/nearest.h"

static const struct knob *const knobs[] = {
#define X(name) &knob_##name,
	KNOBS(X)
#undef X
};

int setting_parse(const char *text, struct setting *ret, struct error *err)
{
	const char *equals = strrchr(text, '=');

	if (!equals || equals == text || !equals[1])
		return fail(err, -EINVAL, "`%s`: expected NAME=VALUE, as governor=ondemand", text);
	ret->name = strndup(text, (size_t) (equals - text));
	ret->value = strdup(equals + 1);
	if (ret->name && ret->value)
		return 0;
	setting_done(ret);
	return out_of_memory(err);
}

void setting_done(struct setting *setting)
{
	free(setting->name);
	free(setting->value);
	*setting = (struct setting) { 0 };
}

/* Whether TEXT is KIND with a number behind it, as `policy4`. */
static bool numbered(const char *text, const char *kind, int *ret)
{
	const char *digits = strafter(text, kind);

	if (!digits || !*digits || digits[strspn(digits, "0123456789")] || strlen(digits) > 5)
		return false;
	*ret = atoi(digits);
	return true;
}

static bool narrows(const char *at, int *ret_policy, int *ret_cpu)
{
	return numbered(at + 1, "policy", ret_policy) || numbered(at + 1, "cpu", ret_cpu);
}

/* The knob whose name is the first LENGTH characters of NAME; *RET_BASE: what is behind its prefix.
 */
static const struct knob *find_knob(const char *name, size_t length, const char **ret_base)
{
	const struct knob *open = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(knobs); i++) {
		const struct knob *k = knobs[i];
		size_t n = strlen(k->prefix ?: k->name);

		*ret_base = name;
		if (k->open)
			open = k;
		else if (!k->prefix && n == length && strncmp(name, k->name, n) == 0)
			return k;
		else if (k->prefix && n < length && strafter(name, k->prefix)) {
			*ret_base = name + n;
			return k;
		}
	}
	*ret_base = name;
	return open && name[0] != '/' && name[0] != '.' && memchr(name, '/', length) &&
			       !memchr(name, ':', length) && name[length - 1] != '/'
		       ? open
		       : NULL;
}

static bool is_narrowable(const struct knob *k)
{
	return !streq(k->scope, "machine");
}

static int unknown_name(const char *name, struct error *err)
{
	const char *names[ARRAY_SIZE(knobs)], *near;

	for (size_t i = 0; i < ARRAY_SIZE(knobs); i++)
		names[i] = knobs[i]->name;
	near = nearest_name(name, names, ARRAY_SIZE(names));
	return fail(err, -EINVAL, "there is no knob `%s`%s%s%s; `tacho list knobs` shows them",
		    name, near ? " (did you mean `" : "", near ?: "", near ? "`?)" : "");
}

static int request_parse(struct request *rq, const char *name, struct error *err)
{
	const char *at = strrchr(name, '@'), *base;
	size_t length = strlen(name);

	*rq = (struct request) { .name = name, .policy = -1, .cpu = -1 };
	rq->knob = find_knob(name, at && at > name ? (size_t) (at - name) : length, &base);
	if (at && at > name && rq->knob && is_narrowable(rq->knob)) {
		length = (size_t) (at - name);
		if (!narrows(at, &rq->policy, &rq->cpu))
			return fail(err, -EINVAL,
				    "%s: expected @policyN or @cpuN behind the name, not `%s`",
				    name, at);
	} else {
		rq->knob = find_knob(name, length, &base);
		if (!rq->knob && at && at > name && find_knob(name, (size_t) (at - name), &base))
			return fail(err, -EINVAL, "%s: this knob is the machine's: no `%s`", name,
				    at);
	}
	if (!rq->knob)
		return unknown_name(name, err);
	rq->base = strndup(base, length - (size_t) (base - name));
	return rq->base ? 0 : out_of_memory(err);
}

int request_init(struct request *rq, const struct root *root, const struct setting *setting,
		 struct error *err)
{
	int r = request_parse(rq, setting->name, err);

	rq->root = root;
	rq->value = setting->value;
	return r;
}

void request_done(struct request *rq)
{
	free(rq->base);
	rq->base = NULL;
}

bool knob_is_name(const char *name)
{
	struct request rq;
	int r = request_parse(&rq, name, NULL);

	request_done(&rq);
	return r == 0;
}

size_t knob_count(void)
{
	return ARRAY_SIZE(knobs);
}

void knob_describe(size_t index, struct knob_info *ret)
{
	const struct knob *k = knobs[index];

	*ret = (struct knob_info) {
		.name = k->name, .help = k->help, .scope = k->scope, .verified = k->verified
	};
}

static int probe_write(const struct root *root, const char *name, const char *path,
		       struct error *err)
{
	_cleanup_close_ int fd = root_open(root, O_WRONLY | O_NONBLOCK, path);

	if (fd == -EACCES || fd == -EPERM)
		return fail(err, -EACCES, "%s: %s cannot be written; this needs root", name, path);
	return fd < 0 ? fail(err, -EOPNOTSUPP, "%s: %s cannot be written: %s", name, path,
			     strerror(-fd))
		      : 0;
}

/* In a list the name is there already. */
static void drop_name(struct error *err, const char *name)
{
	const char *rest = err ? strafter(err->text, name) : NULL;

	if (rest && strafter(rest, ": "))
		memmove(err->text, rest + 2, strlen(rest + 2) + 1);
}

int knob_available(const struct root *root, const struct machine *m, size_t index,
		   struct error *err)
{
	const struct knob *k = knobs[index];
	struct request rq = { .root = root, .knob = k, .name = k->name, .policy = -1, .cpu = -1 };
	_cleanup_changes_ struct changes files = { 0 };
	int r;

	rq.base = (char[]) { "" };
	r = k->available ? k->available(root, err) : k->find(&rq, &files, err);
	if (r == 0 && files.n && files.list[0].kind == CHANGE_WRITE)
		r = probe_write(root, k->name, files.list[0].path, err);
	if (r == 0 && root_is_system(root) && k != &knob_file && k != &knob_command &&
	    geteuid() != 0)
		r = fail(err, -EACCES, "%s: needs root", k->name);
	if (r < 0)
		drop_name(err, k->name);
	return r;
}

int parse_switch(const char *name, const char *value, bool *ret, struct error *err)
{
	static const char *const off[] = { "0", "off", "no" }, *const on[] = { "1", "on", "yes" };

	for (size_t i = 0; i < ARRAY_SIZE(off); i++) {
		if (streq(value, off[i]) || streq(value, on[i])) {
			*ret = streq(value, on[i]);
			return 0;
		}
	}
	return fail(err, -EINVAL, "%s: `%s` is neither 0 nor 1", name, value);
}

int encode_switch(const struct request *rq, const struct change *file, char **ret,
		  struct error *err)
{
	bool on = false;
	int r = parse_switch(rq->name, rq->value, &on, err);

	if (r < 0)
		return r;
	*ret = strdup(on ? "1" : "0");
	return *ret ? 0 : out_of_memory(err);
}

/* Reads what is there and encodes what is wanted. */
static int complete(const struct request *rq, struct change *c, struct error *err)
{
	int r = rq->knob->encode ? rq->knob->encode(rq, c, &c->new, err) : 0;

	if (r < 0)
		return r;
	if (!c->new && !(c->new = strdup(rq->value)))
		return out_of_memory(err);
	r = change_read(rq->root, c, c->new, &c->old);
	if (r < 0)
		return fail(err, r == -EPERM ? -EACCES : r,
			    "%s: %s cannot be read, so that it could not be put back: %s", rq->name,
			    c->path, strerror(-r));
	return rq->dry ? probe_write(rq->root, rq->name, c->path, err) : 0;
}

int plan_files(const struct request *rq, struct changes *ret, struct error *err)
{
	size_t before = ret->n;
	int r = rq->knob->find(rq, ret, err);

	for (size_t i = before; i < ret->n && r == 0; i++)
		r = complete(rq, &ret->list[i], err);
	return r;
}

int request_plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_changes_ struct changes own = { 0 };
	int r = rq->knob->plan ? rq->knob->plan(rq, &own, err) : plan_files(rq, &own, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < own.n; i++) {
		struct change *c = &own.list[i];

		c->stage = rq->knob->stage;
		if (!rq->dry || c->kind != CHANGE_WRITE)
			continue;
		r = probe_write(rq->root, rq->name, c->path, err);
		if (r < 0)
			return r;
	}
	return changes_move(ret, &own, err);
}

static int same_value(const struct request *rq, const struct change *file, char **all,
		      struct error *err)
{
	_cleanup_free_ char *text = NULL, *value = NULL;
	int r = change_read(rq->root, file, NULL, &text);

	if (r < 0)
		return fail(err, r, "%s: %s: %s", rq->name, file->path, strerror(-r));
	r = rq->knob->decode ? rq->knob->decode(rq, file, text, &value, err) : 0;
	if (r < 0)
		return r;
	if (!value)
		value = steal_ptr(text);
	if (*all && !streq(*all, value))
		return fail(err, -EXDEV,
			    "%s differs: `%s` and, in %s, `%s`; ask for one, as %s@policyN",
			    rq->name, *all, file->path, value, rq->name);
	if (!*all)
		*all = steal_ptr(value);
	return 0;
}

int knob_get(const struct root *root, const struct machine *m, const char *name, char **ret,
	     struct error *err)
{
	_cleanup_changes_ struct changes files = { 0 };
	_cleanup_free_ char *all = NULL;
	struct request rq;
	int r = request_parse(&rq, name, err);

	rq.root = root;
	if (r == 0 && rq.knob->get) {
		r = rq.knob->get(&rq, ret, err);
	} else if (r == 0) {
		r = rq.knob->find(&rq, &files, err);
		for (size_t i = 0; i < files.n && r == 0; i++)
			r = same_value(&rq, &files.list[i], &all, err);
		if (r == 0)
			*ret = steal_ptr(all);
	}
	request_done(&rq);
	return r;
}

int knob_check_all(const struct root *root, const struct machine *m, const struct setting *settings,
		   size_t n, struct error *err)
{
	struct request *batch = calloc(n + 1, sizeof(*batch));
	_cleanup_changes_ struct changes changes = { 0 };
	size_t parsed = 0;
	int r = batch ? 0 : out_of_memory(err);

	while (r == 0 && parsed < n) {
		r = request_init(&batch[parsed], root, &settings[parsed], err);
		batch[parsed].dry = true;
		batch[parsed].batch = batch;
		parsed++;
	}
	for (size_t i = 0; i < n && r == 0; i++) {
		batch[i].n_batch = n;
		r = request_plan(&batch[i], &changes, err);
	}
	for (size_t i = 0; i < parsed; i++)
		request_done(&batch[i]);
	free(batch);
	return r;
}

/* A tunable alone says which governor it belongs to: who asks knows whether it is set too. */
int knob_check(const struct root *root, const struct machine *m, const struct setting *setting,
	       struct error *err)
{
	struct setting both[2] = { { .name = (char[]) { "governor" } }, *setting };
	struct request rq;
	char governor[64];
	int r = request_init(&rq, root, setting, err);
	bool tunable = r == 0 && rq.knob == &knob_tunable;

	request_done(&rq);
	if (r < 0)
		return r;
	if (!tunable)
		return knob_check_all(root, m, setting, 1, err);
	snprintf(governor, sizeof(governor), "%.*s", (int) strcspn(setting->name, "/"),
		 setting->name);
	both[0].value = governor;
	return knob_check_all(root, m, both, 2, err);
}
