/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configurations of an experiment and the order they run in. */
#include <errno.h>

#include "experiment/experiment.h"
#include "lib/rng.h"

void plan_order(uint64_t seed, unsigned block, unsigned attempt, size_t *order, size_t n)
{
	struct rng rng;

	rng_init(&rng, seed);
	rng_init(&rng, rng_next(&rng) ^ ((uint64_t) block << 32 | attempt));
	rng_permutation(&rng, order, n);
}

struct plan_configuration *plan_add(struct experiment *x, const char *name, bool reference)
{
	struct plan_configuration *c = array_add(&x->plan, &x->n_plan, sizeof(*c));

	if (!c)
		return NULL;
	c->name = strdup(name);
	c->options = strdup("{}");
	c->reference = reference;
	return c->name && c->options ? c : NULL;
}

int plan_set(struct plan_configuration *c, const char *name, const char *value)
{
	struct setting *s = array_add(&c->settings, &c->n_settings, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->name = strdup(name);
	s->value = strdup(value);
	return s->name && s->value ? 0 : -ENOMEM;
}

void experiment_done(struct experiment *x)
{
	for (size_t i = 0; i < x->n_plan; i++) {
		struct plan_configuration *c = &x->plan[i];

		for (size_t j = 0; j < c->n_settings; j++)
			setting_done(&c->settings[j]);
		free(c->settings);
		free(c->name);
		free(c->options);
	}
	free(x->plan);
	record_done(&x->record);
}
