/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One tacho at a time. The lock is a Unix socket in the abstract name space, `tacho` for the
 * machine and `tacho:DEVICE:INODE` for a copied tree: it is the same whatever user and --state,
 * needs no folder that all can write to, is gone with the last process that has it open, and tells
 * the pid of its holder (SO_PEERCRED). It belongs to a network name space, as /run and /tmp do to a
 * mount name space: a container of its own does not see it.
 */
#pragma once

#include "knob/knob.h"

/* The name of a process that has the lock only to put settings back: others wait for it. */
#define RESTORER "tacho-restore"

/*
 * Takes the lock; waits for one that puts things back, for any other only with OPTIONS->wait.
 * Returns a descriptor, -EBUSY with the holder's pid in ERR, -EINTR where the caller is to stop.
 */
int lock_take(const struct root *root, const struct session_options *options, struct error *err);

/* Makes this process the holder of an inherited lock that others are told. */
void lock_adopt(int fd);
