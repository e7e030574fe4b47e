/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "measurement/place.h"

#include <errno.h>

#include "lib/log.h"
#include "lib/record.h"

/* Windows of equal work that differ by more than this make what --run states untrue by as much. */
#define UNSTEADY 0.02

static char *make_labels(const struct cpus *cpus)
{
	json_object *o = json_object_new_object();
	char list[512], *text;

	if (cpus_count(cpus) == 1)
		json_object_object_add(o, "cpu", json_object_new_int(cpus_first(cpus)));
	else
		json_object_object_add(
			o, "cpus", json_object_new_string(cpus_format(cpus, list, sizeof(list))));
	text = strdup(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	json_object_put(o);
	return text;
}

static int fastest(const struct machine *m, const struct cpus *cpus)
{
	uint64_t best_capacity = 0;
	int best = cpus_last(cpus);

	for_each_cpu (cpu, cpus) {
		int type = machine_type_of(m, cpu);
		uint64_t capacity = type >= 0 && m->types[type].capacity != UNKNOWN
					    ? m->types[type].capacity
					    : 0;

		if (capacity >= best_capacity) {
			best_capacity = capacity;
			best = cpu;
		}
	}
	return best;
}

const struct place *places_find(const struct places *places, const struct cpus *cpus)
{
	for (size_t i = 0; i < places->n; i++)
		if (cpus_equal(&places->list[i].cpus, cpus))
			return &places->list[i];
	return NULL;
}

int places_add(struct places *places, const struct machine *m, const char *cpus,
	       struct cpus *watched, struct error *err)
{
	_cleanup_free_ struct cpus *sets = NULL;
	size_t n = 0;
	int r = machine_select_cpus(m, cpus, &sets, &n, err);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n; i++) {
		struct place *place;

		cpus_or(watched, &sets[i]);
		if (places_find(places, &sets[i]))
			continue;
		place = array_add(&places->list, &places->n, sizeof(*place));
		if (!place)
			return fail(err, -ENOMEM, "out of memory");
		place->cpus = sets[i];
		place->cpu = fastest(m, &sets[i]);
		place->labels = make_labels(&sets[i]);
		if (!place->labels)
			return fail(err, -ENOMEM, "out of memory");
	}
	return 0;
}

void places_done(struct places *places)
{
	for (size_t i = 0; i < places->n; i++)
		free(places->list[i].labels);
	free(places->list);
	*places = (struct places) { 0 };
}

static const struct calibration *known(const struct places *places, const struct machine *m,
				       size_t index)
{
	int cpu = places->list[index].cpu, type = machine_type_of(m, cpu);
	const struct policy *policy = machine_policy_of(m, cpu);

	for (size_t i = 0; i < index; i++) {
		int other = places->list[i].cpu;
		const struct policy *its = machine_policy_of(m, other);

		if (other == cpu || (type >= 0 && machine_type_of(m, other) == type && policy &&
				     its && policy->hw_max_khz == its->hw_max_khz))
			return &places->list[i].calibration;
	}
	return NULL;
}

static void describe(const struct calibration *c, json_object *list)
{
	json_object *o = json_object_new_object();

	json_object_object_add(o, "cpu", json_object_new_int(c->cpu));
	json_object_object_add(o, "ns_per_loop", json_object_new_double(c->ns_per_loop));
	json_object_object_add(o, "spread", json_object_new_double(c->spread));
	json_object_array_add(list, o);
	log_debug("calibration of CPU %d: %.4f ns a loop, spread %.2f %%, %.0f ms", c->cpu,
		  c->ns_per_loop, c->spread * 100, (double) c->took_ns / 1e6);
	if (c->spread > UNSTEADY)
		log_warning(
			"CPU %d does not hold its speed: windows of the same work differ by %.1f %%; stated times of work "
			"are right to that only",
			c->cpu, c->spread * 100);
}

int places_calibrate(struct places *places, const struct machine *m, const volatile bool *stop,
		     json_object *list, struct error *err)
{
	for (size_t i = 0; i < places->n; i++) {
		const struct calibration *same = known(places, m, i);
		struct calibration *c = &places->list[i].calibration;
		int r;

		if (same) {
			*c = *same;
			continue;
		}
		r = calibrate(places->list[i].cpu, stop, c, err);
		if (r < 0)
			return r;
		describe(c, list);
	}
	return 0;
}
