/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tacho show: one stored experiment. */
#include <errno.h>

#include "report/report.h"
#include "store/store.h"
#include "verb.h"

static int print(const struct common *common, const char *what, struct error *err)
{
	_cleanup_record_ struct record *record = NULL;
	_cleanup_store_ struct store *store = NULL;
	_cleanup_free_ char *path = NULL;
	int64_t id;
	FILE *out;
	int r = store_default_path(common->db, &path, err);

	if (r == 0 && access(path, F_OK) < 0)
		r = fail(err, -EINVAL, "%s: %s; a measurement makes it", path, strerror(errno));
	if (r == 0)
		r = store_open(path, true, &store, err);
	if (r == 0)
		r = store_find(store, what, &id, err);
	if (r == 0)
		r = store_load(store, id, true, &record, err);
	if (r == 0)
		r = common_output(common, &out, err);
	if (r < 0)
		return r;
	r = common->format == FORMAT_JSON
		    ? report_json(record, common->samples, out, err)
		    : report_text(record, out, common_color(common, out), common_width(out), err);
	return r == 0 ? common_output_done(common, out, err) : r;
}

/* `-1` is the last experiment, not an option. */
static char *take_relative(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++) {
		char *word = argv[i];

		if (word[0] != '-' || word[1] < '1' || word[1] > '9')
			continue;
		memmove(argv + i, argv + i + 1, (size_t) (*argc - i) * sizeof(*argv));
		--*argc;
		return word;
	}
	return NULL;
}

static int run(int argc, char **argv)
{
	struct common common = { 0 };
	struct error err = { 0 };
	char *what = take_relative(&argc, argv);
	int words = 0, r = common_parse(&common, &verb_show, NULL, 0, argc, argv, &words, &err);

	if (r == 0 && words + (what != NULL) != 1)
		r = fail(
			&err, -EINVAL,
			"show needs the number or name of one experiment (`tacho log` lists them; -1 is the last)");
	if (r == 0)
		r = print(&common, what ? what : argv[1], &err);
	common_done(&common);
	return verb_end(r, &err);
}

const struct verb verb_show = { "show", "ID",
				"one stored experiment: its number, name, or -1 for the last",
				run };
