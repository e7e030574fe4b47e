/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sched_feature/NAME=0|1: a feature of the scheduler (kernel/sched/features.h), in debugfs
 * sched/features since 5.13, sched_features before. Setting one is writing NAME or NO_NAME.
 */
#include <errno.h>
#include <fcntl.h>

#include "knob/debugfs.h"

static const char *const places[] = { SCHED_FOLDER "/features", DEBUG_FOLDER "/sched_features" };

int debugfs_probe(const struct root *root, const char *path)
{
	_cleanup_close_ int fd = root_open(root, O_RDONLY | O_NONBLOCK, path);
	char byte;

	if (fd < 0)
		return fd;
	return read(fd, &byte, 1) < 0 ? -errno : 0;
}

int debugfs_explain(const struct root *root, const char *name, const char *path, int code,
		    struct error *err)
{
	_cleanup_strv_ char **entries = NULL;
	char lockdown[128];

	if (code == -EPERM) {
		if (root_read(root, lockdown, sizeof(lockdown), "/sys/kernel/security/lockdown") >
			    0 &&
		    !strstr(lockdown, "[none]"))
			return fail(err, -EOPNOTSUPP, "%s: kernel lockdown (%s) closes %s", name,
				    lockdown, path);
		return fail(err, -EOPNOTSUPP, "%s: %s is closed (kernel lockdown?)", name, path);
	}
	if (root_list(root, "", &entries, DEBUG_FOLDER) == 0)
		return fail(err, -EOPNOTSUPP,
			    "%s: debugfs is not mounted; mount -t debugfs none " DEBUG_FOLDER,
			    name);
	if (code == -EACCES)
		return fail(err, -EACCES, "%s: %s needs root", name, path);
	return fail(err, -EOPNOTSUPP, "%s: %s: %s; this kernel has no such thing", name, path,
		    strerror(-code));
}

static int find_place(const struct root *root, const char *name, const char **ret,
		      struct error *err)
{
	int first = 0;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int r = debugfs_probe(root, places[i]);

		if (r == 0) {
			*ret = places[i];
			return 0;
		}
		if (i == 0 || first == -ENOENT)
			first = r;
	}
	return debugfs_explain(root, name, places[0], first, err);
}

static int available(const struct root *root, struct error *err)
{
	const char *place;

	return find_place(root, "sched_feature/NAME", &place, err);
}

static int check_name(const struct request *rq, const struct change *file, struct error *err)
{
	_cleanup_free_ char *now = NULL, *all = NULL;
	int r = change_read(rq->root, file, rq->base, &now);

	if (r != -ENOENT)
		return r < 0 ? fail(err, r, "%s: %s: %s", rq->name, file->path, strerror(-r)) : 0;
	r = root_read_all(rq->root, 65536, &all, "%s", file->path);
	return fail(err, -EINVAL, "%s: this kernel has no such feature, but %.500s", rq->name,
		    r > 0 ? all : "none");
}

static int find(const struct request *rq, struct changes *ret, struct error *err)
{
	const char *place;
	struct change *c;
	int r = find_place(rq->root, rq->name, &place, err);

	if (r < 0)
		return r;
	/* several features are changes of the same file: each is an entry of its own */
	c = changes_add(ret, CHANGE_WRITE, rq->name, place);
	if (!c)
		return out_of_memory(err);
	c->rule = RULE_FEATURE;
	return check_name(rq, c, err);
}

static int encode(const struct request *rq, const struct change *file, char **ret,
		  struct error *err)
{
	bool on = false;
	int r = parse_switch(rq->name, rq->value, &on, err);

	if (r < 0)
		return r;
	return asprintf(ret, "%s%s", on ? "" : "NO_", rq->base) < 0 ? out_of_memory(err) : 0;
}

static int get(const struct request *rq, char **ret, struct error *err)
{
	_cleanup_changes_ struct changes files = { 0 };
	_cleanup_free_ char *now = NULL;
	int r = find(rq, &files, err);

	if (r < 0)
		return r;
	r = change_read(rq->root, &files.list[0], rq->base, &now);
	if (r < 0)
		return fail(err, r, "%s: %s: %s", rq->name, files.list[0].path, strerror(-r));
	*ret = strdup(streq(now, rq->base) ? "1" : "0");
	return *ret ? 0 : out_of_memory(err);
}

const struct knob knob_sched_feature = {
	.name = "sched_feature/NAME",
	.help = "feature of the scheduler, 0 or 1",
	.scope = "machine",
	.stage = STAGE_OTHER,
	.verified = "",
	.prefix = "sched_feature/",
	.available = available,
	.find = find,
	.encode = encode,
	.get = get,
};
