/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places: the sets of CPUs that a measurement runs its workload on, one after the other. Results of
 * different places are strata, told apart by their labels, and each has the calibration of its
 * fastest CPU.
 */
#pragma once

#include <json-c/json.h>

#include "machine/calibration.h"
#include "machine/machine.h"

struct place {
	struct cpus cpus;
	char *labels; /* {"cpu":1} or {"cpus":"0-3"} */
	int cpu;      /* its fastest CPU: the one that calibrated work is stated for */
	struct calibration calibration;
};

struct places {
	struct place *list;
	size_t n;
};

/*
 * Adds the places that a --cpus value names, those that are there already left out, and their CPUs
 * to *WATCHED. Errors of machine_select_cpus().
 */
int places_add(struct places *places, const struct machine *m, const char *cpus,
	       struct cpus *watched, struct error *err);
void places_done(struct places *places);

/* The place of exactly these CPUs, or NULL. */
const struct place *places_find(const struct places *places, const struct cpus *cpus);

/*
 * Calibrates every place, CPUs of one type and one maximum once. The caller has set the highest
 * frequency. Adds
 * {"cpu", "ns_per_loop", "spread"} for each calibration to LIST. Warns where a CPU does not hold
 * its speed.
 */
int places_calibrate(struct places *places, const struct machine *m, const volatile bool *stop,
		     json_object *list, struct error *err);
