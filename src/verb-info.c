/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tacho info: what this machine is, what can be measured on it, and why the rest cannot. */
#include <errno.h>

#include "catalogue.h"
#include "lib/log.h"
#include "verb.h"

static void print_json(FILE *out, const struct root *root, const struct machine *m)
{
	json_object *o = json_object_new_object();

	json_object_object_add(o, "machine", machine_json(m));
	for (size_t i = 0; i < catalogue_count(); i++)
		json_object_object_add(o, catalogue_name(i), catalogue_json(i, root, m));
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

static int print(const struct common *common, struct error *err)
{
	_cleanup_machine_ struct machine *m = NULL;
	_cleanup_root_ struct root *root = NULL;
	FILE *out;
	int r = common_machine(common, &root, &m, err);

	if (r == 0)
		r = common_output(common, &out, err);
	if (r < 0)
		return r;
	if (common->format == FORMAT_JSON) {
		print_json(out, root, m);
	} else {
		machine_print(m, out);
		fprintf(out, "\nmeasurements:\n");
		catalogue_print(0, root, m, out);
	}
	for (char **option = m->distorting; option && *option; option++)
		log_warning("this kernel was built with %s, which distorts results", *option);
	return common_output_done(common, out, err);
}

static int run(int argc, char **argv)
{
	struct common common;
	struct error err = { 0 };
	int words, r = common_parse(&common, &verb_info, NULL, 0, argc, argv, &words, &err);

	if (r == 0 && words)
		r = fail(&err, -EINVAL, "info takes no argument, but got `%s`", argv[1]);
	if (r == 0)
		r = print(&common, &err);
	common_done(&common);
	return verb_end(r, &err);
}

const struct verb verb_info = {
	"info", "", "what this machine is, what can be measured on it, and why the rest cannot", run
};
