/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `tacho log` shows. */
#include <errno.h>
#include <math.h>

#include "lib/clock.h"
#include "report/scale.h"
#include "report/table.h"
#include "report/value.h"

static void add_number(struct table *table, unsigned long long n)
{
	char buf[32];

	snprintf(buf, sizeof(buf), "%llu", n);
	table_cell(table, TINT_NONE, buf);
}

static void add_entry(struct table *table, const struct store_entry *e)
{
	bool done = streq(e->status, "finished");
	char started[64] = "-", lasted[32];

	if (isfinite(e->started) && e->started > 0)
		wall_format(e->started, started, sizeof(started));
	started[strcspn(started, "Z")] = '\0';
	if (strchr(started, 'T'))
		*strchr(started, 'T') = ' ';
	add_number(table, (unsigned long long) e->id);
	table_cell(table, TINT_NONE, started);
	table_cell(table, TINT_NONE,
		   e->finished > e->started
			   ? scale_duration(e->finished - e->started, lasted, sizeof(lasted))
			   : "-");
	table_cell(table, TINT_NONE, e->measurement);
	table_cell(table, done ? TINT_NONE : TINT_DOUBTFUL, e->status);
	add_number(table, e->blocks);
	add_number(table, e->n_runs);
	add_number(table, e->n_invalid);
	table_cell(table, TINT_NONE, e->emulated ? "emulated" : e->kernel ? e->kernel : "-");
	table_cell(table, TINT_NONE,
		   e->name             ? e->name
		   : e->configurations ? e->configurations
				       : "-");
}

int report_list_text(const struct store_entry *entries, size_t n, FILE *out, size_t width,
		     struct error *err)
{
	static const char *const heads[] = { "id",      "<started (UTC)", "took", "<measurement",
					     "<status", "blocks",         "runs", "invalid",
					     "<kernel", "<name" };
	struct report_style style = { .width = SIZE_MAX / 8 };
	_cleanup_table_ struct table table = { 0 };

	table_init(&table, heads, ARRAY_SIZE(heads), 1);
	for (size_t i = 0; i < n; i++)
		add_entry(&table, &entries[i]);
	if (table.failed)
		return fail(err, -ENOMEM, "out of memory");
	table_print(&table, out, &style);
	return 0;
}

static json_object *entry_json(const struct store_entry *e)
{
	json_object *out = json_object_new_object();

	value_add(out, "id", json_object_new_int64(e->id));
	value_add(out, "uuid", value_string(e->uuid));
	value_add(out, "name", value_string(e->name));
	value_add(out, "measurement", value_string(e->measurement));
	value_add(out, "status", value_string(e->status));
	value_add(out, "kernel", value_string(e->kernel));
	value_add(out, "configurations", value_string(e->configurations));
	value_add(out, "started", value_time(e->started));
	value_add(out, "finished", value_time(e->finished));
	value_add(out, "emulated", json_object_new_boolean(e->emulated));
	value_add(out, "blocks", json_object_new_uint64(e->blocks));
	value_add(out, "runs", json_object_new_uint64(e->n_runs));
	value_add(out, "invalid", json_object_new_uint64(e->n_invalid));
	return out;
}

int report_list_json(const struct store_entry *entries, size_t n, FILE *out, struct error *err)
{
	json_object *whole = json_object_new_object(), *list = json_object_new_array();

	if (!whole || !list) {
		json_object_put(whole);
		json_object_put(list);
		return fail(err, -ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, entry_json(&entries[i]));
	value_add(whole, "schema", json_object_new_int(1));
	value_add(whole, "experiments", list);
	return value_print(whole, out, err);
}
