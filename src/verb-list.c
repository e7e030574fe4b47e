/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tacho list: measurements, knobs and metrics, with what this machine lacks. */
#include <errno.h>

#include "catalogue.h"
#include "lib/nearest.h"
#include "verb.h"

static int find_kind(const char *name, size_t *ret, struct error *err)
{
	const char *names[8], *hint;
	size_t n = catalogue_count();

	for (size_t i = 0; i < n; i++) {
		names[i] = catalogue_name(i);
		if (streq(names[i], name)) {
			*ret = i;
			return 0;
		}
	}
	hint = nearest_name(name, names, n);
	return fail(err, -EINVAL,
		    "list: `%s` is none of measurements, knobs, meters, metrics%s%s%s", name,
		    hint ? "; did you mean " : "", hint ? hint : "", hint ? "?" : "");
}

static void print_kind(const struct common *common, size_t kind, const struct root *root,
		       const struct machine *m, bool heading, FILE *out)
{
	if (common->format == FORMAT_JSON) {
		json_object *list = catalogue_json(kind, root, m);

		fprintf(out, "%s",
			json_object_to_json_string_ext(
				list, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
		json_object_put(list);
		return;
	}
	if (heading)
		fprintf(out, "%s%s:\n", kind ? "\n" : "", catalogue_name(kind));
	catalogue_print(kind, root, m, out);
}

static int print(const struct common *common, const char *name, struct error *err)
{
	_cleanup_machine_ struct machine *m = NULL;
	_cleanup_root_ struct root *root = NULL;
	bool json = common->format == FORMAT_JSON;
	size_t only = 0;
	FILE *out;
	int r = name ? find_kind(name, &only, err) : 0;

	if (r == 0)
		r = common_machine(common, &root, &m, err);
	if (r == 0)
		r = common_output(common, &out, err);
	if (r < 0)
		return r;
	if (json && !name)
		fputs("{\n", out);
	for (size_t i = 0; i < catalogue_count(); i++) {
		if (name && i != only)
			continue;
		if (json && !name)
			fprintf(out, "%s\"%s\": ", i ? ",\n" : "", catalogue_name(i));
		print_kind(common, i, root, m, !name, out);
	}
	fputs(!json ? "" : name ? "\n" : "\n}\n", out);
	return common_output_done(common, out, err);
}

static int run(int argc, char **argv)
{
	struct common common;
	struct error err = { 0 };
	int words, r = common_parse(&common, &verb_list, NULL, 0, argc, argv, &words, &err);

	if (r == 0 && words > 1)
		r = fail(&err, -EINVAL, "list takes one argument, but got `%s` too", argv[2]);
	if (r == 0)
		r = print(&common, words ? argv[1] : NULL, &err);
	common_done(&common);
	return verb_end(r, &err);
}

const struct verb verb_list = { "list", "[measurements|knobs|meters|metrics]",
				"what tacho has of each, and what this machine can use", run };
