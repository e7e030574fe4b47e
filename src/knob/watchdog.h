/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of its own session that waits for this one to die and then puts back what its journal
 * says. It sleeps until then, and ignores what ends the others of the terminal and the group. It
 * holds the lock too, so that no new tacho starts before it is done.
 */
#pragma once

#include "knob/journal.h"

struct watchdog {
	int fd;
	pid_t pid;
};

/* Returns once it is ready, or a negative errno with ERR set. */
int watchdog_start(const struct root *root, const struct journal *journal, int lock,
		   struct watchdog *ret, struct error *err);

/* Tells it that there is nothing left to do, and waits until it is gone. */
void watchdog_end(struct watchdog *watchdog);
