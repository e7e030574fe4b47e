/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What session.c and apply.c share. */
#pragma once

#include "knob/journal.h"
#include "knob/knob-internal.h"
#include "knob/undo.h"
#include "knob/watchdog.h"

/* A setting that the last apply made, in the order of stages. */
struct applied {
	char *name, *value;
	enum knob_stage stage;
	size_t first; /* how many changes were there before its stage */
};

struct session {
	const struct root *root;
	char *state_dir;
	int lock;
	struct journal *journal; /* from the first change on, as the watchdog */
	struct watchdog watchdog;
	struct changes changes; /* in force, in the order that they were made */
	struct applied *applied;
	size_t n_applied;
};

/* Journal and watchdog, before the first change. */
int session_prepare(struct session *s, struct error *err);

/* Undoes and forgets all but the first KEEP of the settings in force. */
int session_undo(struct session *s, size_t keep, struct error *err);
