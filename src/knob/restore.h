/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting back what sessions left that died. The caller holds the lock. */
#pragma once

#include "knob/undo.h"

/* One journal, unless it is of another root or machine or its owner lives. */
void restore_journal(struct undo *undo, const char *folder, const char *name);

/* All journals in the places that STATE_DIR stands for. */
int restore_all(struct undo *undo, const char *state_dir, struct error *err);
