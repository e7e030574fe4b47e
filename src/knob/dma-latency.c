/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpu_dma_latency=US: the longest exit latency of idle states that is allowed. The request is a
 * number of 32 bits written to /dev/cpu_dma_latency and lasts as long as the file is open
 * (Documentation/power/pm_qos_interface.rst), so the kernel itself puts it back.
 */
#include <errno.h>
#include <fcntl.h>

#include "knob/hold.h"
#include "knob/knob-internal.h"
#include "lib/units.h"

#define DEVICE "/dev/cpu_dma_latency"

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	struct change *c;

	if (!root_exists(rq->root, DEVICE))
		return fail(err, -EOPNOTSUPP, "%s: " DEVICE " is not there", rq->name);
	c = changes_add(ret, CHANGE_HOLD, rq->name, DEVICE);
	if (!c)
		return out_of_memory(err);
	c->rule = RULE_HELD;
	return 0;
}

static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_close_ int fd = -1;
	uint64_t us;
	int r = parse_u64_text(rq->name, rq->value, &us, err);

	if (r == 0 && us > INT32_MAX)
		r = fail(err, -EINVAL, "%s: %s is too large, at most %d us", rq->name, rq->value,
			 INT32_MAX);
	if (r == 0)
		r = find(rq, ret, err);
	if (r < 0)
		return r;
	if (rq->dry) {
		fd = root_open(rq->root, O_RDWR | O_NONBLOCK, DEVICE);
		if (fd == -EACCES || fd == -EPERM)
			return fail(err, -EACCES,
				    "%s: " DEVICE " cannot be opened; this needs root", rq->name);
		if (fd < 0)
			return fail(err, -EOPNOTSUPP, "%s: " DEVICE ": %s", rq->name,
				    strerror(-fd));
	}
	ret->list[ret->n - 1].new = strdup(rq->value);
	return ret->list[ret->n - 1].new ? 0 : out_of_memory(err);
}

static int read_number(int fd, char **ret)
{
	int32_t now;
	ssize_t n = pread(fd, &now, sizeof(now), 0);

	if (n != sizeof(now))
		return n < 0 ? -errno : -EBADMSG;
	return asprintf(ret, "%d", now) < 0 ? -ENOMEM : 0;
}

int hold_read(const struct change *change, char **ret)
{
	return change->fd < 0 ? -EBADF : read_number(change->fd, ret);
}

int hold_make(const struct root *root, struct change *c, struct error *err)
{
	int32_t us = (int32_t) strtol(c->new, NULL, 0);
	_cleanup_free_ char *now = NULL;
	int r;

	c->fd = root_open(root, O_RDWR, c->path);
	if (c->fd < 0)
		return fail(err, c->fd == -EPERM ? -EACCES : c->fd, "%s: %s: %s", c->knob, c->path,
			    strerror(-c->fd));
	c->made = true;
	if (pwrite(c->fd, &us, sizeof(us), 0) != sizeof(us))
		return fail(err, -EIO, "%s: `%s` cannot be written to %s", c->knob, c->new,
			    c->path);
	r = change_in_force(root, c, &now);
	if (r < 0)
		return fail(err, -EIO, "%s: asked for at most %s us, but %s reads %s", c->knob,
			    c->new, c->path, now ?: strerror(-r));
	return 0;
}

static int get(const struct request *rq, char **ret, struct error *err)
{
	_cleanup_close_ int fd = root_open(rq->root, O_RDONLY, DEVICE);
	int r = fd < 0 ? fd : read_number(fd, ret);

	return r < 0 ? fail(err, r == -ENOENT ? -EOPNOTSUPP : r, "%s: " DEVICE ": %s", rq->name,
			    strerror(-r))
		     : 0;
}

const struct knob knob_dma_latency = {
	.name = "cpu_dma_latency",
	.help = "longest exit latency of idle states allowed, in us, while the run lasts",
	.scope = "machine",
	.stage = STAGE_OTHER,
	.verified = "",
	.find = find,
	.plan = plan,
	.get = get,
};
