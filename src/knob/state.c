/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder of journals (state.h says which). */
#include "knob/state.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "knob/knob-internal.h"
#include "lib/file.h"

static int add_place(char **places, size_t *n, const char *folder, const char *name)
{
	if (!folder || folder[0] != '/')
		return 0;
	if (asprintf(&places[*n], "%s%s", folder, name) < 0) {
		places[*n] = NULL;
		return -ENOMEM;
	}
	++*n;
	return 0;
}

int state_places(const char *state_dir, char ***ret, struct error *err)
{
	_cleanup_strv_ char **places = calloc(5, sizeof(*places));
	const char *state = getenv("XDG_STATE_HOME"), *tmp = getenv("TMPDIR");
	char name[32];
	size_t n = 0;
	int r = places ? 0 : -ENOMEM;

	if (r == 0 && state_dir) {
		places[0] = strdup(state_dir);
		r = places[0] ? 0 : -ENOMEM;
	} else if (r == 0) {
		snprintf(name, sizeof(name), "/tacho-%u", (unsigned) geteuid());
		if (geteuid() == 0)
			r = add_place(places, &n, "/var/lib", "/tacho");
		if (r == 0 && state && state[0] == '/')
			r = add_place(places, &n, state, "/tacho");
		else if (r == 0)
			r = add_place(places, &n, getenv("HOME"), "/.local/state/tacho");
		if (r == 0)
			r = add_place(places, &n, tmp && tmp[0] == '/' ? tmp : "/tmp", name);
	}
	if (r < 0)
		return out_of_memory(err);
	*ret = steal_ptr(places);
	return 0;
}

int state_is_own(const char *folder)
{
	struct stat st;

	if (stat(folder, &st) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return st.st_uid == geteuid() && !(st.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EPERM;
}

/* Whether files can be made there: a file system may be mounted read-only for root too. */
static int try_folder(const char *folder, bool given)
{
	int r = make_folders(folder);

	if (r < 0)
		return r;
	if (!given) {
		r = state_is_own(folder);
		if (r < 0)
			return r;
	}
	return access(folder, W_OK | X_OK) < 0 ? -errno : 0;
}

int state_folder(const char *state_dir, char **ret, struct error *err)
{
	_cleanup_strv_ char **places = NULL;
	int r = state_places(state_dir, &places, err);

	if (r < 0)
		return r;
	for (char **place = places; *place; place++) {
		r = try_folder(*place, state_dir);
		if (r == 0) {
			*ret = strdup(*place);
			return *ret ? 0 : out_of_memory(err);
		}
	}
	return fail(err, r,
		    "no folder for the journal, without which nothing is changed: %s: %s; name one "
		    "with --state",
		    places[0], strerror(-r));
}
