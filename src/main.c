/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tacho: how promptly, how fast and at what energy Linux gives work the CPU it asks for. The table
 * of verbs. */
#include <locale.h>

#include "config.h"
#include "lib/interrupt.h"
#include "lib/log.h"
#include "lib/nearest.h"
#include "measurement/measurement.h"
#include "verb.h"

static const struct verb *const verbs[] = {
	&verb_info, &verb_list, &verb_log, &verb_show, &verb_restore, &verb_lab,
};

static void print_usage(FILE *out)
{
	fprintf(out,
		"Usage: tacho VERB|MEASUREMENT [options]\n\n"
		"Measures how promptly, how fast and at what energy Linux gives work the CPU it asks for,\n"
		"and decides whether a change made that better.\n\nVerbs:\n");
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		fprintf(out, "  %-12s %s\n", verbs[i]->name, verbs[i]->help);
	fprintf(out, "\nMeasurements:\n");
	for (size_t i = 0; i < measurement_count(); i++)
		fprintf(out, "  %-12s %s\n", measurement_at(i)->name, measurement_at(i)->help);
	fprintf(out, "\n`tacho VERB --help` lists the options of each. Example:\n"
		     "  tacho efficiency --run 100ms --sleep 1s --loops 5 --repeat 6\n");
}

static int unknown(const char *name)
{
	const char *names[64], *hint;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		names[n++] = verbs[i]->name;
	for (size_t i = 0; i < measurement_count() && n < ARRAY_SIZE(names); i++)
		names[n++] = measurement_at(i)->name;
	hint = nearest_name(name, names, n);
	if (hint)
		log_error("unknown verb or measurement `%s`; did you mean `%s`?", name, hint);
	else
		log_error("unknown verb or measurement `%s`; `tacho --help` lists them", name);
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	setlocale(LC_NUMERIC, "C");
	if (argc < 2) {
		print_usage(stderr);
		return STATUS_USAGE;
	}
	if (streq(argv[1], "--help") || streq(argv[1], "-h") || streq(argv[1], "help")) {
		print_usage(stdout);
		return STATUS_OK;
	}
	if (streq(argv[1], "--version")) {
		printf("tacho %s\n", TACHO_VERSION);
		return STATUS_OK;
	}
	interrupt_install();
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (streq(argv[1], verbs[i]->name))
			return verbs[i]->run(argc - 1, argv + 1);
	if (measurement_find(argv[1]))
		return verb_measure(argc - 1, argv + 1);
	return unknown(argv[1]);
}
