/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file:PATH=VALUE: any file that holds one value and can be read, so that it can be put back. A
 * file on disk (not below /sys, /proc, /dev) is put back byte for byte, after a reboot too.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "knob/knob-internal.h"

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_close_ int fd = -1;
	struct stat st;

	if (rq->base[0] != '/')
		return fail(err, -EINVAL, "`%s`: the path must start with /, as file:/sys/...",
			    rq->name);
	fd = root_open(rq->root, O_PATH, rq->base);
	if (fd < 0 || fstat(fd, &st) < 0)
		return fail(err, fd == -EACCES ? -EACCES : -EOPNOTSUPP, "%s: %s", rq->name,
			    strerror(fd < 0 ? -fd : errno));
	if (!S_ISREG(st.st_mode))
		return fail(err, -EINVAL, "%s is no regular file that holds a value", rq->name);
	return changes_add(ret, CHANGE_WRITE, rq->name, rq->base) ? 0 : out_of_memory(err);
}

static int encode(const struct request *rq, const struct change *file, char **ret,
		  struct error *err)
{
	int n = asprintf(ret, "%s%s", rq->value, path_is_volatile(file->path) ? "" : "\n");

	return n < 0 ? out_of_memory(err) : 0;
}

static int available(const struct root *root, struct error *err)
{
	return 0; /* which files there are only their names can tell */
}

const struct knob knob_file = {
	.name = "file:PATH",
	.help = "any file that holds one value",
	.scope = "machine",
	.stage = STAGE_OTHER,
	.verified = "",
	.prefix = "file:",
	.available = available,
	.find = find,
	.encode = encode,
};
