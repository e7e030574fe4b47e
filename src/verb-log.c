/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tacho log: the stored experiments, a line each. */
#include <errno.h>

#include "report/report.h"
#include "store/store.h"
#include "verb.h"

struct log_conf {
	uint64_t limit;
};

static const struct opt opts[] = {
	{ "limit", 'n', OPT_UINT, offsetof(struct log_conf, limit), .def = "0", .arg = "N",
	  .help = "only the newest N; 0: all" },
	{ 0 },
};

static int print(const struct common *common, const struct log_conf *conf, struct error *err)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_free_ char *path = NULL;
	struct store_entry *entries = NULL;
	size_t n = 0;
	FILE *out;
	int r = store_default_path(common->db, &path, err);

	if (r == 0 && access(path, F_OK) == 0)
		r = store_open(path, true, &store, err);
	else if (r == 0 && common->db)
		return fail(err, -EINVAL, "%s: no such file; a measurement makes it", path);
	if (r == 0 && store)
		r = store_list(store, conf->limit, &entries, &n, err);
	if (r == 0)
		r = common_output(common, &out, err);
	if (r < 0)
		return r;
	r = common->format == FORMAT_JSON
		    ? report_list_json(entries, n, out, err)
		    : report_list_text(entries, n, out, common_width(out), err);
	store_entries_free(entries, n);
	return r == 0 ? common_output_done(common, out, err) : r;
}

static int run(int argc, char **argv)
{
	struct log_conf conf = { 0 };
	const struct opt_group group = { "Options", opts, &conf };
	struct common common = { 0 };
	struct error err = { 0 };
	int words = 0, r = opts_init(opts, &conf, &err);

	if (r == 0)
		r = common_parse(&common, &verb_log, &group, 1, argc, argv, &words, &err);
	if (r == 0 && words)
		r = fail(&err, -EINVAL, "log takes no argument, but got `%s`", argv[1]);
	if (r == 0)
		r = print(&common, &conf, &err);
	common_done(&common);
	return verb_end(r, &err);
}

const struct verb verb_log = { "log", "", "the stored experiments", run };
