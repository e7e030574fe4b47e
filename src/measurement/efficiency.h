/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two files of the efficiency measurement share. */
#pragma once

#include "measurement/factor.h"
#include "measurement/place.h"

struct efficiency_conf {
	uint64_t run_ns, sleep_ns, loops;
	char *governor;
};

struct efficiency_state {
	struct places places; /* of all configurations */
	bool any_efficiency;  /* at least one block gave a number */
	bool warned;
};

/* measurement.configure: governors (and the preferences that go with them), other factors, and the
 * two references. */
int efficiency_configure(struct job *job, struct experiment *x, struct error *err);

/* The index of the reference (high or low) that configuration INDEX is held against. */
size_t efficiency_reference(const struct experiment *x, size_t index, bool high);
