/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One failure on its way up: a negative errno and one sentence that says what, expected what, and
 * what to do. */
#pragma once

#include "lib/macro.h"

/* Exit status of the program, the same for every verb (tacho(1), EXIT STATUS). */
enum exit_status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,        /* could not measure */
	STATUS_WORSE = 2,         /* --fail-on worse, or an assertion */
	STATUS_INCONCLUSIVE = 3,  /* --fail-on inconclusive */
	STATUS_NOT_RESTORED = 4,  /* not everything could be put back */
	STATUS_USAGE = 64,        /* usage, an unknown name or CPU, a bad file */
	STATUS_UNSUPPORTED = 77,  /* this machine cannot do it */
	STATUS_INTERRUPTED = 130, /* stopped by a signal, everything put back */
};

struct error {
	int code; /* negative errno, 0 while nothing failed */
	char text[768];
};

/*
 * Records a failure and returns its code. CODE is a negative errno. The first failure is kept: what
 * follows from it says less. ERR may be NULL where nobody will read the text.
 */
int fail(struct error *err, int code, const char *format, ...) PRINTF(3, 4);

/* Puts words before the text of a failure that is there already, as `PREFIX: text`. Returns CODE,
 * the failure's own. */
int fail_prefix(struct error *err, int code, const char *format, ...) PRINTF(3, 4);

/* Forgets a failure, so that the same variable can serve again. */
void error_clear(struct error *err);

/*
 * The exit status for a negative errno, by the meaning that the code has everywhere in the program:
 * -EINVAL what the user gave is wrong (64), -EOPNOTSUPP this machine cannot do it (77), -EINTR a
 * signal (130), -ENOTRECOVERABLE a setting could not be put back (4), anything else could not
 * measure (1).
 */
enum exit_status error_status(int code);
