/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Factors: what --vary compares, and their cross product as configurations. */
#pragma once

#include "measurement/measurement.h"

struct factor {
	char *name;    /* of a knob or an option */
	char **values; /* NULL-terminated */
	bool is_option;
};

struct factors {
	struct factor *list;
	size_t n;
};

void factors_done(struct factors *factors);

/* Reads the job's --vary. -EINVAL where a name is neither a knob nor an option, or given twice.
 */
int factors_parse(const struct job *job, struct factors *ret, struct error *err);

/* The factor of that name, or NULL. */
const struct factor *factors_find(const struct factors *factors, const char *name);

/* Puts a factor with the values of LIST (commas between) before the others. */
int factors_prepend(struct factors *factors, const char *name, const char *list, struct error *err);

/*
 * Adds one configuration for each combination. A factor `GOVERNOR/TUNABLE` counts only in
 * combinations with that governor; so does a --set of one. --set of knobs goes into every
 * configuration. Each gets a struct conf of its own.
 */
int factors_expand(struct job *job, const struct factors *factors, struct experiment *x,
		   struct error *err);

/*
 * Adds a configuration outside of the factors: NAME with the governor GOVERNOR (or NULL), what
 * --set says, and the options of LIKE. Returns it, or NULL with ERR set.
 */
struct plan_configuration *factors_add(struct job *job, struct experiment *x, const char *name,
				       const char *governor, const struct conf *like,
				       struct error *err);

/* The value that configuration C gives the knob NAME, or NULL. */
const char *plan_value(const struct plan_configuration *c, const char *name);
