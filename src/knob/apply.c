/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bringing the machine to its state at the start plus some settings. Changes are a stack: settings
 * are made stage by stage, each stage planned when the one before is in force, and undone from the
 * top. What the last apply made and is wanted again stays as long as everything below it does.
 */
#include <errno.h>

#include "knob/limits.h"
#include "knob/session.h"
#include "lib/record.h"

static int compare_stages(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	if (x->knob->stage != y->knob->stage)
		return x->knob->stage < y->knob->stage ? -1 : 1;
	return x->batch < y->batch ? -1 : x->batch > y->batch; /* as they were given; see parse() */
}

static void requests_free(struct request *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		request_done(&list[i]);
	free(list);
}

static int parse(const struct root *root, const struct setting *settings, size_t n,
		 struct request **ret, struct error *err)
{
	struct request *list = calloc(n + 1, sizeof(*list));
	size_t done = 0;
	int r = list ? 0 : out_of_memory(err);

	for (; done < n && r == 0; done++) {
		r = request_init(&list[done], root, &settings[done], err);
		for (size_t i = 0; i < done && r == 0; i++)
			if (streq(settings[i].name, settings[done].name))
				r = fail(err, -EINVAL, "%s is set twice, to `%s` and `%s`",
					 settings[i].name, settings[i].value, settings[done].value);
		list[done].batch = &list[done]; /* its place, which makes the sort a stable one */
	}
	if (r < 0) {
		requests_free(list, done);
		return r;
	}
	qsort(list, n, sizeof(*list), compare_stages);
	for (size_t i = 0; i < n; i++) {
		list[i].batch = list;
		list[i].n_batch = n;
	}
	*ret = list;
	return 0;
}

static bool in_force(const struct session *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const struct change *c = &s->changes.list[i];

		if ((c->kind == CHANGE_WRITE || c->kind == CHANGE_HOLD) &&
		    change_in_force(s->root, c, NULL) < 0)
			return false;
	}
	return true;
}

/* How many of the settings, whole stages of them, can stay as they are. */
static size_t count_kept(const struct session *s, const struct request *list, size_t n)
{
	size_t same = 0, kept = 0;

	while (same < n && same < s->n_applied && streq(list[same].name, s->applied[same].name) &&
	       streq(list[same].value, s->applied[same].value))
		same++;
	while (kept < same) {
		enum knob_stage stage = s->applied[kept].stage;
		size_t end = kept;

		while (end < s->n_applied && s->applied[end].stage == stage)
			end++;
		if (end > same || (end < n && list[end].knob->stage == stage) ||
		    !in_force(s, s->applied[kept].first,
			      end < s->n_applied ? s->applied[end].first : s->changes.n))
			break;
		kept = end;
	}
	return kept;
}

static bool needs_doing(const struct change *c)
{
	if (c->kind == CHANGE_WRITE)
		return !c->old || !change_equal(c, c->new, c->old);
	return true;
}

/* What is in force already is kept for session_verify() alone: there is nothing to put back. */
static void forget_old(struct changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		struct change *c = &changes->list[i];

		if (c->kind != CHANGE_WRITE || needs_doing(c))
			continue;
		free(steal_ptr(c->old));
		c->made = true;
	}
}

static bool leaves_traces(const struct changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		if (changes->list[i].kind == CHANGE_MODULE || changes->list[i].old)
			return true;
	return false;
}

/* Journals the changes from FROM on but for commands, which are journalled one by one: one that was
 * never begun shall not be undone. */
static int journal_batch(struct session *s, size_t from, struct error *err)
{
	size_t start = from;
	int r = 0;

	for (size_t i = from; i <= s->changes.n && r == 0; i++) {
		if (i < s->changes.n && s->changes.list[i].kind != CHANGE_COMMAND)
			continue;
		r = journal_append(s->journal, &s->changes, start, i, err);
		start = i + 1;
	}
	return r;
}

static int make_batch(struct session *s, size_t from, struct error *err)
{
	int r = 0;

	for (size_t i = from; i < s->changes.n && r == 0; i++) {
		struct change *c = &s->changes.list[i];

		if (c->made)
			continue;
		if (c->kind == CHANGE_COMMAND)
			r = journal_append(s->journal, &s->changes, i, i + 1, err);
		if (r == 0)
			r = change_make(s->root, c, s->journal ? s->journal->fd : -1, err);
	}
	return r;
}

static int remember(struct session *s, const struct request *rq, size_t first, struct error *err)
{
	struct applied *a = array_add(&s->applied, &s->n_applied, sizeof(*a));

	if (!a)
		return out_of_memory(err);
	a->name = strdup(rq->name);
	a->value = strdup(rq->value);
	a->stage = rq->knob->stage;
	a->first = first;
	return a->name && a->value ? 0 : out_of_memory(err);
}

/* Settings of one stage: planned, journalled, made. */
static int apply_stage(struct session *s, const struct request *list, size_t n, struct error *err)
{
	_cleanup_changes_ struct changes batch = { 0 };
	size_t first = s->changes.n;
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = request_plan(&list[i], &batch, err);
	if (r < 0)
		return r;
	forget_old(&batch);
	if (list[0].knob->stage == STAGE_LIMIT)
		limits_order(&batch, 0);
	for (size_t i = 0; i < n && r == 0; i++)
		r = remember(s, &list[i], first, err);
	if (r == 0 && leaves_traces(&batch))
		r = session_prepare(s, err);
	if (r == 0)
		r = changes_move(&s->changes, &batch, err);
	if (r == 0 && s->journal)
		r = journal_batch(s, first, err);
	return r == 0 ? make_batch(s, first, err) : r;
}

static int apply_from(struct session *s, const struct request *list, size_t from, size_t n,
		      struct error *err)
{
	int r = 0;

	while (from < n && r == 0) {
		size_t end = from + 1;

		while (end < n && list[end].knob->stage == list[from].knob->stage)
			end++;
		r = apply_stage(s, list + from, end - from, err);
		from = end;
	}
	return r;
}

int session_apply(struct session *s, const struct setting *settings, size_t n, struct error *err)
{
	struct request *list;
	size_t kept;
	int r = parse(s->root, settings, n, &list, err);

	if (r < 0)
		return r;
	kept = count_kept(s, list, n);
	if (kept < s->n_applied)
		r = session_undo(s, kept, err);
	if (r == 0)
		r = apply_from(s, list, kept, n, err);
	if (r < 0) {
		struct error again = { 0 };

		if (session_undo(s, 0, &again) < 0)
			fail_prefix(err, r, "%s; and", again.text);
	}
	requests_free(list, n);
	return r;
}
