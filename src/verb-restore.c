/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tacho restore: puts back what an interrupted run left changed. */
#include <errno.h>

#include "knob/knob.h"
#include "verb.h"

static int restore(const struct common *common, struct error *err)
{
	_cleanup_root_ struct root *root = NULL;
	size_t n = 0;
	FILE *out;
	int r = root_new(common->sysroot, &root, err);

	if (r == 0)
		r = common_output(common, &out, err);
	if (r < 0)
		return r;
	r = session_restore(root, common->state, &n, err);
	if (common->format == FORMAT_JSON)
		fprintf(out, "{\"restored\": %zu}\n", n);
	else if (n)
		fprintf(out, "%zu setting%s put back\n", n, n == 1 ? "" : "s");
	else if (r == 0)
		fprintf(out, "nothing to put back\n");
	if (r < 0) {
		common_output_done(common, out, NULL);
		return r;
	}
	return common_output_done(common, out, err);
}

static int run(int argc, char **argv)
{
	struct common common;
	struct error err = { 0 };
	int words, r = common_parse(&common, &verb_restore, NULL, 0, argc, argv, &words, &err);

	if (r == 0 && words)
		r = fail(&err, -EINVAL, "restore takes no argument, but got `%s`", argv[1]);
	if (r == 0 && common.dry_run)
		r = fail(&err, -EINVAL,
			 "restore has no --dry-run; it puts back what is journalled");
	if (r == 0)
		r = restore(&common, &err);
	common_done(&common);
	return verb_end(r, &err);
}

const struct verb verb_restore = { "restore", "", "put back what an interrupted run left changed",
				   run };
