/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting changes back, the last one first. Each is compared before it is written, so undoing can
 * be cut off and done again, and nothing is written that is as it was.
 *
 * While a session runs the machine is its own: whatever is there now, the old value comes back. At
 * the end (and for a session that died, perhaps long ago) a value that is neither the old one nor
 * the session's was set by someone else since: it is left, reported, and no longer remembered.
 * Limits and values that a governor's switch destroyed are exempt, as they change by themselves.
 */
#pragma once

#include "knob/journal.h"

struct undo {
	const struct root *root;
	struct journal *journal; /* where it is noted; may be NULL */
	bool final;              /* of a session at its end: modules too */
	size_t put_back;         /* how many changes were */
	size_t failures;         /* how many could not be, or were left */
	char text[640];          /* which, and why */
};

/* Undoes all but the first KEEP of CHANGES. What could not be undone stays in the list, and so do
 * modules where it is not final. */
void undo_changes(struct undo *undo, struct changes *changes, size_t keep);

/* 0, or -ENOTRECOVERABLE with the list in ERR. */
int undo_result(const struct undo *undo, struct error *err);
