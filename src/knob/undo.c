/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting changes back (undo.h says by which rules). */
#include "knob/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "knob/knob-internal.h"
#include "knob/limits.h"
#include "knob/policies.h"
#include "lib/clock.h"
#include "lib/log.h"

static void complain(struct undo *u, const struct change *c, const char *format, ...) PRINTF(3, 4);
static void complain(struct undo *u, const struct change *c, const char *format, ...)
{
	size_t used = strlen(u->text);
	char reason[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	u->failures++;
	if (used + 1 < sizeof(u->text))
		snprintf(u->text + used, sizeof(u->text) - used, "%s%s (%s): %s", used ? "; " : "",
			 c->knob, c->path, reason);
}

/* After the old value was written. */
static bool read_back(struct undo *u, const struct change *c)
{
	_cleanup_free_ char *now = NULL;
	char reason[160], policy[160];
	int r = 0;

	for (int i = 0; i < READ_BACK_TRIES; i++) {
		free(steal_ptr(now));
		r = change_read(u->root, c, c->old, &now);
		if (r == 0 && change_took(u->root, c, c->old, now))
			return true;
		if (c->rule != RULE_LIMIT)
			break;
		sleep_until_ns(now_ns() + READ_BACK_PAUSE);
	}
	if (r < 0) {
		complain(u, c, "`%s` was written but cannot be read back: %s", c->old,
			 strerror(-r));
		return false;
	}
	if (c->rule == RULE_LIMIT) {
		snprintf(policy, sizeof(policy), "%.*s", (int) (strrchr(c->path, '/') - c->path),
			 c->path);
		if (policy_is_capped(u->root, policy, reason, sizeof(reason)))
			return true; /* the request is back; limits.h */
	}
	complain(u, c, "`%s` was written, but it reads `%s`", c->old, now);
	return false;
}

/* Whether someone else's value is there, which is then left. */
static bool is_foreign(const struct undo *u, const struct change *c, const char *now)
{
	return u->final && c->kind == CHANGE_WRITE && c->rule != RULE_LIMIT && now[0] &&
	       !change_took(u->root, c, c->new, now);
}

/* Returns whether nothing is left to do. */
static bool undo_file(struct undo *u, const struct change *c)
{
	_cleanup_free_ char *now = NULL;
	int r;

	if (!c->old)
		return true;
	r = change_read(u->root, c, c->old, &now);
	if (r == -ENOENT && c->passing)
		return true;
	/* a limit shows only when the kernel's worker has run, so that what is read may be older
	 * than what was written */
	if (r == 0 && c->rule != RULE_LIMIT && change_equal(c, c->old, now))
		return true;
	if (r == 0 && is_foreign(u, c, now)) {
		complain(u, c, "someone else set `%s` since (it was `%s`); left so", now, c->old);
		return true;
	}
	r = change_write(u->root, c, c->old);
	if (r < 0) {
		complain(u, c, "`%s` cannot be written: %s", c->old, strerror(-r));
		return false;
	}
	if (!read_back(u, c))
		return false;
	u->put_back++;
	return true;
}

/* A module that something uses by now is left: its use is not ours. */
static bool undo_module(struct undo *u, const struct change *c)
{
	long used = 0;

	if (!root_is_system(u->root) || module_loaded(u->root, c->path, &used) != 1 || used > 0)
		return true;
	if (syscall(SYS_delete_module, c->path, O_NONBLOCK) == 0) {
		u->put_back++;
		return true;
	}
	if (errno == EBUSY || errno == EWOULDBLOCK || errno == ENOENT)
		return true;
	complain(u, c, "the module cannot be unloaded: %s", strerror(errno));
	return false;
}

static bool undo_command(struct undo *u, const struct change *c)
{
	struct error err = { 0 };

	if (!c->made)
		return true;
	if (command_run(u->root, c->path, c->old, u->journal ? u->journal->fd : -1, &err) < 0) {
		complain(u, c, "%s", err.text);
		return false;
	}
	u->put_back++;
	return true;
}

static bool undo_one(struct undo *u, const struct change *c)
{
	switch (c->kind) {
	case CHANGE_WRITE:
	case CHANGE_SAVE:
		return undo_file(u, c);
	case CHANGE_COMMAND:
		return undo_command(u, c);
	case CHANGE_MODULE:
		return undo_module(u, c);
	default:
		return true; /* its file is closed with it */
	}
}

void undo_changes(struct undo *u, struct changes *changes, size_t keep)
{
	/* a module can go only when all governors are back */
	for (int modules = 0; modules <= u->final; modules++) {
		for (size_t i = changes->n; i-- > keep;) {
			struct change *c = &changes->list[i];

			if ((c->kind == CHANGE_MODULE) != modules || !undo_one(u, c))
				continue;
			log_debug("put back: %s (%s)", c->knob, c->path);
			if (u->journal)
				journal_undone(u->journal, c);
			change_done(c);
			memmove(c, c + 1, (changes->n - i - 1) * sizeof(*c));
			changes->n--;
		}
	}
}

int undo_result(const struct undo *u, struct error *err)
{
	if (!u->failures)
		return 0;
	return fail(err, -ENOTRECOVERABLE, "not put back: %s", u->text);
}
