/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which process writes an experiment, so that a reader knows whether it still can. Not for other
 * folders. */
#pragma once

#include <stdbool.h>

/* This process as `BOOT NAMESPACE PID START`, allocated, or NULL. */
char *writer_self(void);

/*
 * Whether that process may still be running: same boot, and its pid is there with the same start
 * time. A process of another pid namespace of this boot cannot be looked at and is taken to run.
 */
bool writer_alive(const char *writer);
