/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where journals are: --state DIR alone where it is given; else the first that can be used of
 * /var/lib/tacho (as root), $XDG_STATE_HOME/tacho or ~/.local/state/tacho, and $TMPDIR/tacho-UID.
 */
#pragma once

#include "lib/error.h"
#include "lib/root.h"

/* All places where a journal may be, the best first, whether they are there or not;
 * NULL-terminated, allocated. */
int state_places(const char *state_dir, char ***ret, struct error *err);

/* The folder that a new journal goes to, made where it is not there; allocated. */
int state_folder(const char *state_dir, char **ret, struct error *err);

/* Whether the folder is one that only this user (and root) can put files into. */
int state_is_own(const char *folder);
