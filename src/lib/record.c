/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/record.h"

#include <sys/random.h>

#include "lib/clock.h"

void value_done(struct value *value)
{
	free(value->labels);
	free(value->samples);
	*value = (struct value) { 0 };
}

void run_done(struct run *run)
{
	for (size_t i = 0; i < run->n_values; i++)
		value_done(&run->values[i]);
	free(run->values);
	free(run->reason);
	free(run->environment);
	*run = (struct run) { 0 };
}

static void metrics_done(struct record *record)
{
	if (record->metrics_owned)
		for (size_t i = 0; i < record->n_metrics; i++) {
			free((char *) (uintptr_t) record->metrics[i].name);
			free((char *) (uintptr_t) record->metrics[i].unit);
			free((char *) (uintptr_t) record->metrics[i].help);
		}
	free(record->metrics);
}

void record_done(struct record *record)
{
	char **texts[] = { &record->uuid,    &record->name,    &record->measurement,
			   &record->options, &record->command, &record->machine,
			   &record->facts,   &record->status };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		free(*texts[i]);
	metrics_done(record);
	for (size_t i = 0; i < record->n_configurations; i++) {
		free(record->configurations[i].id);
		free(record->configurations[i].name);
		free(record->configurations[i].knobs);
		free(record->configurations[i].options);
	}
	free(record->configurations);
	for (size_t i = 0; i < record->n_runs; i++)
		run_done(&record->runs[i]);
	free(record->runs);
	for (size_t i = 0; i < record->n_block_values; i++)
		value_done(&record->block_values[i].value);
	free(record->block_values);
	for (size_t i = 0; i < record->n_discards; i++)
		free(record->discards[i].reason);
	free(record->discards);
	*record = (struct record) { 0 };
}

void record_free(struct record *record)
{
	if (!record)
		return;
	record_done(record);
	free(record);
}

void configuration_id(size_t index, char *buf, size_t size)
{
	char digits[16];
	size_t n = 0;

	for (index++; index; index = (index - 1) / 26)
		digits[n++] = (char) ('a' + (index - 1) % 26);
	for (size_t i = 0; i + 1 < size && n; i++) {
		*buf++ = digits[--n];
	}
	*buf = '\0';
}

void *array_add(void *array_pointer, size_t *n, size_t size)
{
	void *array;
	char *larger;

	memcpy(&array, array_pointer, sizeof(array));
	if ((*n & (*n - 1)) == 0) { /* grows at 0, 1, 2, 4, 8, ... */
		larger = reallocarray(array, *n ? *n * 2 : 1, size);
		if (!larger)
			return NULL;
		memcpy(array_pointer, &larger, sizeof(larger));
		array = larger;
	}
	larger = (char *) array + *n * size;
	memset(larger, 0, size);
	(*n)++;
	return larger;
}

void uuid_new(char buf[37])
{
	uint64_t half[2], a, b;

	if (getrandom(half, sizeof(half), 0) != sizeof(half)) {
		half[0] = clock_ns(CLOCK_REALTIME);
		half[1] = clock_ns(CLOCK_MONOTONIC) ^ (uint64_t) getpid() << 40;
	}
	a = half[0];
	b = half[1];
	snprintf(buf, 37, "%08x-%04x-4%03x-%04x-%012llx", (unsigned) (a >> 32),
		 (unsigned) (a >> 16 & 0xffff), (unsigned) (a & 0xfff),
		 (unsigned) (0x8000 | (b >> 48 & 0x3fff)),
		 (unsigned long long) (b & 0xffffffffffffULL));
}
