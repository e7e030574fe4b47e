/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs one body in a thread of its own and waits for it, waking it where the program is told to
 * stop. */
#pragma once

#include "lib/error.h"

struct worker {
	int (*body)(void *context, struct error *err); /* negative errno or 0 */
	void *context;
	const volatile bool *stop; /* may be NULL */
};

/* Returns what the body returned, with its text in ERR; the thread is gone then in any case. */
int worker_run(const struct worker *w, struct error *err);
