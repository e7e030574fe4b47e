/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting back what sessions left that died, and `tacho restore`. */
#include "knob/restore.h"

#include <errno.h>
#include <sys/prctl.h>

#include "knob/lock.h"
#include "knob/state.h"
#include "lib/log.h"

/* Of another boot only what is on disk, and commands, are left to undo. */
static void forget_volatile(struct changes *changes)
{
	for (size_t i = changes->n; i-- > 0;) {
		struct change *c = &changes->list[i];

		if (c->kind == CHANGE_COMMAND ||
		    (c->kind != CHANGE_MODULE && !path_is_volatile(c->path)))
			continue;
		change_done(c);
		memmove(c, c + 1, (changes->n - i - 1) * sizeof(*c));
		changes->n--;
	}
}

enum belongs { BELONGS_ELSEWHERE, BELONGS_HERE, BELONGS_OTHER_BOOT };

static enum belongs whose(const struct root *root, const struct journal *j)
{
	struct journal_owner self;
	enum belongs r = BELONGS_HERE;

	if (journal_owner_self(&self, root, NULL) < 0)
		return BELONGS_ELSEWHERE;
	if (!streq(self.root, j->owner.root) || !streq(self.host, j->owner.host))
		r = BELONGS_ELSEWHERE; /* a home folder may be shared by machines */
	else if (!streq(self.boot, j->owner.boot))
		r = BELONGS_OTHER_BOOT;
	journal_owner_done(&self);
	if (r == BELONGS_HERE && journal_owner_alive(&j->owner))
		r = BELONGS_ELSEWHERE;
	return r;
}

static void damaged(struct undo *u, struct journal *j, const char *text)
{
	size_t used = strlen(u->text);
	char name[128];

	snprintf(name, sizeof(name), "damaged.%.100s", j->name + strlen(JOURNAL_PREFIX));
	renameat(j->folder, j->name, j->folder, name);
	u->failures++;
	if (used + 1 < sizeof(u->text))
		snprintf(u->text + used, sizeof(u->text) - used, "%s%s (kept as %s)",
			 used ? "; " : "", text, name);
}

static bool has_commands(const struct changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		if (changes->list[i].kind == CHANGE_COMMAND ||
		    changes->list[i].kind == CHANGE_MODULE)
			return true;
	return false;
}

void restore_journal(struct undo *u, const char *folder, const char *name)
{
	_cleanup_journal_ struct journal *j = NULL;
	_cleanup_changes_ struct changes changes = { 0 };
	struct error err = { 0 };
	int r = journal_open(folder, name, &j, &changes, &err);
	enum belongs belongs = j ? whose(u->root, j) : BELONGS_ELSEWHERE;

	if (!j && r != -ENOENT)
		log_warning("%s", err.text);
	if (belongs == BELONGS_ELSEWHERE)
		return;
	if (belongs == BELONGS_OTHER_BOOT)
		forget_volatile(&changes);
	if (has_commands(&changes))
		journal_settle(j);
	u->journal = r == 0 ? j : NULL;
	undo_changes(u, &changes, 0);
	u->journal = NULL;
	error_clear(&err);
	if (r == -EBADMSG)
		damaged(u, j, "a damaged journal, readable as text");
	else if (changes.n == 0)
		journal_remove(j, &err);
	else
		journal_rewrite(j, &changes, &err);
	if (err.code)
		log_warning("%s", err.text);
}

static void restore_folder(struct undo *u, const char *folder)
{
	_cleanup_root_ struct root *system = NULL;
	_cleanup_strv_ char **names = NULL;

	if (root_new(NULL, &system, NULL) < 0 ||
	    root_list(system, JOURNAL_PREFIX, &names, "%s", folder) < 0)
		return;
	/* the latest first, as with the changes in each */
	for (size_t n = 0; names[n]; n++)
		if (!names[n + 1])
			for (size_t i = n + 1; i-- > 0;)
				restore_journal(u, folder, names[i]);
	journal_sweep(folder);
}

int restore_all(struct undo *u, const char *state_dir, struct error *err)
{
	_cleanup_strv_ char **places = NULL;
	int r = state_places(state_dir, &places, err);

	if (r < 0)
		return r;
	for (char **place = places; *place; place++)
		if (state_dir || state_is_own(*place) == 0)
			restore_folder(u, *place);
	return 0;
}

int session_restore(const struct root *root, const char *state_dir, size_t *ret_n,
		    struct error *err)
{
	struct undo u = { .root = root, .final = true };
	_cleanup_close_ int lock = -1;
	char name[16] = "";
	int r;

	*ret_n = 0;
	lock = lock_take(root, NULL, err);
	if (lock < 0)
		return lock;
	prctl(PR_GET_NAME, name);
	prctl(PR_SET_NAME, RESTORER);
	r = restore_all(&u, state_dir, err);
	prctl(PR_SET_NAME, name);
	*ret_n = u.put_back;
	return r == 0 ? undo_result(&u, err) : r;
}
