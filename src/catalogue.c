/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "catalogue.h"

#include "knob/knob.h"
#include "measurement/measurement.h"

/* One line of a list. The texts are const or live as long as ERR does. */
struct item {
	const char *name, *help, *note;
	bool available;
	struct error why;
};

static bool measurement_item(size_t i, const struct root *root, const struct machine *m,
			     struct item *item)
{
	const struct measurement *it;

	if (i >= measurement_count())
		return false;
	it = measurement_at(i);
	*item = (struct item) { .name = it->name, .help = it->help };
	item->available = it->check(root, m, &item->why) == 0;
	return true;
}

static bool knob_item(size_t i, const struct root *root, const struct machine *m, struct item *item)
{
	struct knob_info info;

	if (i >= knob_count())
		return false;
	knob_describe(i, &info);
	*item = (struct item) { .name = info.name, .help = info.help, .note = info.verified };
	item->available = knob_available(root, m, i, &item->why) == 0;
	return true;
}

/* Metrics of all measurements, counted through. They are there where their measurement is. */
static bool metric_item(size_t i, const struct root *root, const struct machine *m,
			struct item *item)
{
	for (size_t j = 0; j < measurement_count(); j++) {
		const struct measurement *it = measurement_at(j);

		if (i < it->n_metrics) {
			*item = (struct item) { .name = it->metrics[i].name,
						.help = it->metrics[i].help };
			item->available = it->check(root, m, &item->why) == 0;
			return true;
		}
		i -= it->n_metrics;
	}
	return false;
}

/* There is no meter yet: a list without entries, which says so. */
static bool meter_item(size_t i, const struct root *root, const struct machine *m,
		       struct item *item)
{
	(void) i, (void) root, (void) m, (void) item;
	return false;
}

static const struct {
	const char *name;
	bool (*item)(size_t i, const struct root *root, const struct machine *m, struct item *item);
} kinds[] = {
	{ "measurements", measurement_item },
	{ "knobs", knob_item },
	{ "meters", meter_item },
	{ "metrics", metric_item },
};

size_t catalogue_count(void)
{
	return ARRAY_SIZE(kinds);
}

const char *catalogue_name(size_t kind)
{
	return kinds[kind].name;
}

json_object *catalogue_json(size_t kind, const struct root *root, const struct machine *m)
{
	json_object *list = json_object_new_array();
	struct item item;

	for (size_t i = 0; kinds[kind].item(i, root, m, &item); i++) {
		json_object *o = json_object_new_object();

		json_object_object_add(o, "name", json_object_new_string(item.name));
		json_object_object_add(o, "help", json_object_new_string(item.help));
		json_object_object_add(o, "available", json_object_new_boolean(item.available));
		json_object_object_add(
			o, "reason", item.available ? NULL : json_object_new_string(item.why.text));
		json_object_object_add(o, "note",
				       item.note && *item.note ? json_object_new_string(item.note)
							       : NULL);
		json_object_array_add(list, o);
	}
	return list;
}

void catalogue_print(size_t kind, const struct root *root, const struct machine *m, FILE *out)
{
	struct item item;

	if (!kinds[kind].item(0, root, m, &item))
		fprintf(out, "  none\n");
	for (size_t i = 0; kinds[kind].item(i, root, m, &item); i++) {
		fprintf(out, "  %-22s %s", item.name, item.help);
		if (item.note && *item.note)
			fprintf(out, " (%s)", item.note);
		if (!item.available)
			fprintf(out, "\n  %-22s not here: %s", "", item.why.text);
		fputc('\n', out);
	}
}
