/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single changes: lists of them, making one and reading it back. */
#include "knob/change.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "knob/hold.h"
#include "knob/knob-internal.h"
#include "knob/limits.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/log.h"
#include "lib/record.h"

static const char *const kind_names[N_CHANGE_KINDS] = {
	[CHANGE_WRITE] = "write",     [CHANGE_SAVE] = "save", [CHANGE_MODULE] = "module",
	[CHANGE_COMMAND] = "command", [CHANGE_HOLD] = "hold",
};

const char *change_kind_name(enum change_kind kind)
{
	return kind_names[kind];
}

int out_of_memory(struct error *err)
{
	return fail(err, -ENOMEM, "out of memory");
}

void change_done(struct change *c)
{
	free(c->knob);
	free(c->path);
	free(c->old);
	free(c->new);
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct change) { .fd = -1 };
}

void changes_cut(struct changes *changes, size_t n)
{
	while (changes->n > n)
		change_done(&changes->list[--changes->n]);
}

void changes_done(struct changes *changes)
{
	changes_cut(changes, 0);
	free(changes->list);
	*changes = (struct changes) { 0 };
}

struct change *changes_add(struct changes *changes, enum change_kind kind, const char *knob,
			   const char *path)
{
	for (size_t i = 0; i < changes->n; i++)
		if (changes->list[i].kind == kind && streq(changes->list[i].path, path))
			return &changes->list[i];
	return changes_append(changes, kind, knob, path);
}

struct change *changes_append(struct changes *changes, enum change_kind kind, const char *knob,
			      const char *path)
{
	struct change *c = array_add(&changes->list, &changes->n, sizeof(*c));

	if (!c)
		return NULL;
	c->fd = -1;
	c->kind = kind;
	c->knob = strdup(knob);
	c->path = strdup(path);
	if (!c->knob || !c->path) {
		changes_cut(changes, changes->n - 1);
		return NULL;
	}
	return c;
}

int changes_move(struct changes *to, struct changes *from, struct error *err)
{
	for (size_t i = 0; i < from->n; i++) {
		struct change *c = array_add(&to->list, &to->n, sizeof(*c));

		if (!c) {
			to->n -= i; /* what was moved so far stays with its owner */
			return out_of_memory(err);
		}
		*c = from->list[i];
	}
	free(from->list);
	*from = (struct changes) { 0 };
	return 0;
}

int change_write(const struct root *root, const struct change *c, const char *text)
{
	_cleanup_close_ int fd = root_open(root, O_WRONLY | O_TRUNC | O_NONBLOCK, c->path);
	bool passes = path_is_volatile(c->path);
	_cleanup_free_ char *line = NULL;
	ssize_t done;
	int n;

	if (fd < 0)
		return fd;
	n = asprintf(&line, "%s%s", text, passes ? "\n" : "");
	if (n < 0)
		return -ENOMEM;
	done = n ? write(fd, line, (size_t) n) : 0; /* one call, as sysfs wants it */
	if (done < 0)
		return -errno;
	if (done != n)
		return -EIO;
	return passes || fsync(fd) == 0 ? 0 : -errno;
}

int change_in_force(const struct root *root, const struct change *c, char **ret_now)
{
	_cleanup_free_ char *now = NULL;
	int r = c->kind == CHANGE_HOLD ? hold_read(c, &now) : change_read(root, c, c->new, &now);

	if (r == 0 && !change_took(root, c, c->new, now))
		r = -ESTALE;
	if (ret_now)
		*ret_now = steal_ptr(now);
	return r;
}

static int write_refused(const struct change *c, int code, struct error *err)
{
	const char *hint = code == -EACCES || code == -EPERM ? "; this needs root"
			   : code == -EINVAL                 ? "; the kernel refuses this value"
			   : code == -EBUSY                  ? "; the kernel refuses it now"
							     : "";

	return fail(err,
		    code == -EPERM    ? -EACCES
		    : code == -EINVAL ? -EIO
				      : code,
		    "%s: `%s` cannot be written to %s: %s%s", c->knob, c->new, c->path,
		    strerror(-code), hint);
}

static int make_write(const struct root *root, struct change *c, struct error *err)
{
	_cleanup_free_ char *now = NULL;
	char reason[256] = "";
	int r;

	c->made = c->old;
	r = change_write(root, c, c->new);
	if (r < 0)
		return write_refused(c, r, err);
	/* a change of frequency takes its time to show */
	for (int i = 0; i < READ_BACK_TRIES; i++) {
		free(steal_ptr(now));
		r = change_in_force(root, c, &now);
		if (r == 0 || c->rule != RULE_LIMIT)
			break;
		sleep_until_ns(now_ns() + READ_BACK_PAUSE);
	}
	if (r == 0)
		return 0;
	if (r != -ESTALE)
		return fail(err, r, "%s: %s cannot be read back: %s", c->knob, c->path,
			    strerror(-r));
	if (c->rule == RULE_LIMIT)
		limit_explain(root, c, reason, sizeof(reason));
	return fail(err, -EIO, "%s: asked for `%s`, but the kernel gives `%s` in %s%s%s", c->knob,
		    c->new, now, c->path, reason[0] ? ": " : "", reason);
}

/*
 * The kernel would load the module by itself, through a helper that outlives whoever wrote the
 * governor's name: a session killed then would leave a module that appears after all was put back.
 * A command of ours is waited for. Where it fails the kernel tries all the same.
 */
static int make_module(const struct root *root, struct change *c, int hold)
{
	char command[160];
	struct error err = { 0 };

	c->made = true;
	if (!root_is_system(root))
		return 0;
	snprintf(command, sizeof(command), "PATH=$PATH:/sbin:/usr/sbin exec modprobe -q %.80s",
		 c->path);
	if (command_run(root, c->path, command, hold, &err) < 0)
		log_debug("%s", err.text);
	return 0;
}

int change_make(const struct root *root, struct change *c, int hold, struct error *err)
{
	switch (c->kind) {
	case CHANGE_WRITE:
		return make_write(root, c, err);
	case CHANGE_COMMAND:
		c->made = true;
		return command_run(root, c->path, c->new, hold, err);
	case CHANGE_MODULE:
		return make_module(root, c, hold);
	case CHANGE_HOLD:
		return hold_make(root, c, err);
	default:
		c->made = true;
		return 0;
	}
}
