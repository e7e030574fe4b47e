/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The life of a session; apply.c makes its changes. */
#include "knob/session.h"

#include <errno.h>

#include "knob/lock.h"
#include "knob/restore.h"
#include "knob/state.h"
#include "lib/log.h"

/* So many records of changes already undone make it worth writing the journal anew. */
#define MOST_UNDONE 1000

static void session_free(struct session *s)
{
	if (!s)
		return;
	watchdog_end(&s->watchdog);
	changes_done(&s->changes);
	for (size_t i = 0; i < s->n_applied; i++) {
		free(s->applied[i].name);
		free(s->applied[i].value);
	}
	free(s->applied);
	journal_free(s->journal);
	if (s->lock >= 0)
		close(s->lock);
	free(s->state_dir);
	free(s);
}

static void put_back_others(struct session *s)
{
	struct undo u = { .root = s->root, .final = true };
	struct error err = { 0 };

	if (restore_all(&u, s->state_dir, &err) < 0 || undo_result(&u, &err) < 0)
		log_warning("an earlier tacho was interrupted: %s", err.text);
	if (u.put_back)
		log_note("put back %zu setting%s that an interrupted tacho left changed",
			 u.put_back, u.put_back == 1 ? "" : "s");
}

int session_open(const struct root *root, const struct session_options *options,
		 struct session **ret, struct error *err)
{
	struct session *s = calloc(1, sizeof(*s));
	int r = 0;

	if (!s)
		return out_of_memory(err);
	s->root = root;
	s->watchdog.fd = s->lock = -1;
	if (options->state_dir && !(s->state_dir = strdup(options->state_dir)))
		r = out_of_memory(err);
	if (r == 0)
		r = s->lock = lock_take(root, options, err);
	if (r < 0) {
		session_free(s);
		return r;
	}
	put_back_others(s);
	*ret = s;
	return 0;
}

int session_prepare(struct session *s, struct error *err)
{
	_cleanup_free_ char *folder = NULL;
	int r;

	if (s->journal)
		return 0;
	r = state_folder(s->state_dir, &folder, err);
	if (r == 0)
		r = journal_create(folder, s->root, &s->journal, err);
	if (r < 0)
		return r;
	r = watchdog_start(s->root, s->journal, s->lock, &s->watchdog, err);
	if (r < 0) {
		journal_remove(s->journal, NULL);
		journal_free(steal_ptr(s->journal));
	}
	return r;
}

int session_undo(struct session *s, size_t keep, struct error *err)
{
	struct undo u = { .root = s->root, .journal = s->journal };

	undo_changes(&u, &s->changes, keep < s->n_applied ? s->applied[keep].first : s->changes.n);
	while (s->n_applied > keep) {
		struct applied *last = &s->applied[--s->n_applied];

		free(last->name);
		free(last->value);
	}
	if (s->journal && s->journal->undone > MOST_UNDONE)
		journal_rewrite(s->journal, &s->changes, NULL); /* else it is longer than need be */
	return u.failures ? fail(err, -EIO, "not put back: %s", u.text) : 0;
}

int session_verify(struct session *s, struct error *err)
{
	for (size_t i = 0; i < s->changes.n; i++) {
		const struct change *c = &s->changes.list[i];
		_cleanup_free_ char *now = NULL;
		int r;

		if (c->kind != CHANGE_WRITE && c->kind != CHANGE_HOLD)
			continue;
		r = change_in_force(s->root, c, &now);
		if (r < 0)
			return fail(err, -ESTALE, "%s: %s was set to `%s`, but now %s%s", c->knob,
				    c->path, c->new, r == -ESTALE ? "reads " : "cannot be read: ",
				    r == -ESTALE ? now : strerror(-r));
	}
	return 0;
}

int session_close(struct session *s, struct error *err)
{
	struct undo u;
	int r;

	if (!s)
		return 0;
	u = (struct undo) { .root = s->root, .journal = s->journal, .final = true };
	undo_changes(&u, &s->changes, 0);
	r = undo_result(&u, err);
	if (s->journal) {
		struct error trouble = { 0 };

		if (s->changes.n == 0)
			journal_remove(s->journal, &trouble);
		else
			journal_rewrite(s->journal, &s->changes, &trouble);
		if (trouble.code)
			log_warning("%s", trouble.text);
	}
	session_free(s);
	return r;
}
