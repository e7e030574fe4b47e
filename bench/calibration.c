/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a calibration takes, and how far twenty of them in a row differ, on the last CPU or the
 * one given. */
#include <errno.h>

#include "lib/cpus.h"
#include "lib/units.h"
#include "machine/calibration.h"

int main(int argc, char **argv)
{
	double lowest = 0, highest = 0, longest = 0;
	struct error err = { 0 };
	struct cpus allowed;
	uint64_t cpu;

	if (cpus_allowed(&allowed) < 0)
		return 1;
	cpu = (uint64_t) cpus_last(&allowed);
	if (argc > 1 && parse_u64_text("CPU", argv[1], &cpu, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return STATUS_USAGE;
	}
	for (int i = 0; i < 20; i++) {
		struct calibration c;

		if (calibrate((int) cpu, NULL, &c, &err) < 0) {
			fprintf(stderr, "%s\n", err.text);
			return error_status(err.code);
		}
		lowest = i && lowest < c.ns_per_loop ? lowest : c.ns_per_loop;
		highest = MAX(highest, c.ns_per_loop);
		longest = MAX(longest, (double) c.took_ns / 1e9);
	}
	printf("20 calibrations of CPU %d: %.4f to %.4f ns a loop, %.2f %% apart; the longest took %.3f s\n",
	       (int) cpu, lowest, highest, (highest / lowest - 1) * 100, longest);
	return 0;
}
