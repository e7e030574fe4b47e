/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <sys/stat.h>

#include "store/store.h"

#define SMALLEST_DATABASE 512 /* one page of the smallest size (sqlite.org/fileformat2.html) */

struct owner {
	bool given; /* else whoever we are */
	uid_t uid;
	gid_t gid;
};

static bool read_id(const char *name, unsigned *ret)
{
	const char *text = getenv(name);
	unsigned long n;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || *end || n >= UINT_MAX)
		return false;
	*ret = (unsigned) n;
	return true;
}

/* sudo(8) says in SUDO_UID and SUDO_GID who called it; for anybody but root the variables mean
 * nothing. */
static struct owner invoking_user(void)
{
	struct owner owner = { 0 };

	owner.given = geteuid() == 0 && read_id("SUDO_UID", &owner.uid) &&
		      read_id("SUDO_GID", &owner.gid);
	return owner;
}

static char *home_folder(void)
{
	struct owner owner = invoking_user();
	const char *home = owner.given ? NULL : getenv("HOME");
	struct stat st;

	if (!home || *home != '/') {
		const struct passwd *user = getpwuid(owner.given ? owner.uid : getuid());

		home = user ? user->pw_dir : NULL;
	}
	if (!home || *home != '/' || stat(home, &st) < 0 || !S_ISDIR(st.st_mode))
		return NULL;
	return strdup(home);
}

static int join(char **ret, const char *folder, const char *rest, struct error *err)
{
	if (asprintf(ret, "%s/%s", folder, rest) < 0) {
		*ret = NULL;
		return fail(err, -ENOMEM, "out of memory");
	}
	return 0;
}

int store_default_path(const char *option, char **ret, struct error *err)
{
	const char *variable = getenv("TACHO_DB"), *data = getenv("XDG_DATA_HOME");
	_cleanup_free_ char *home = NULL;

	if (!option && variable && *variable)
		option = variable;
	if (option && !*option)
		return fail(err, -EINVAL, "--db: the name of the database is empty; give a file");
	if (!option && data &&
	    *data == '/') /* a relative one is to be ignored, says the XDG specification */
		return join(ret, data, "tacho/tacho.db", err);
	if (!option) {
		home = home_folder();
		if (home)
			return join(ret, home, ".local/share/tacho/tacho.db", err);
		option = "tacho.db";
	}
	*ret = strdup(option);
	return *ret ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int fail_path(struct error *err, int code, const char *path)
{
	switch (code) {
	case -EACCES:
	case -EPERM:
		return fail(
			err, -EACCES,
			"%s: permission denied; make it writable for this user, or give another place with --db",
			path);
	case -EROFS:
		return fail(err, code,
			    "%s: its file system is read-only; give another place with --db", path);
	case -ENOSPC:
	case -EDQUOT:
		return fail(
			err, -ENOSPC,
			"%s: no space left on its file system; make room, or give another place with --db",
			path);
	case -ENOTDIR:
	case -EEXIST:
		return fail(err, -EINVAL,
			    "%s: a part of this path is no folder; give another place with --db",
			    path);
	default:
		return fail(err, code, "%s: %s; give another place with --db", path,
			    strerror(-code));
	}
}

static int make_parents(const char *path, const struct owner *owner, struct error *err)
{
	char folder[PATH_MAX];
	size_t n = strlen(path);

	if (n >= sizeof(folder))
		return fail_path(err, -ENAMETOOLONG, path);
	memcpy(folder, path, n + 1);
	for (char *p = folder + 1; *p; p++) {
		if (*p != '/' || p[-1] == '/')
			continue;
		*p = '\0';
		if (mkdir(folder, 0755) == 0) {
			if (owner->given && lchown(folder, owner->uid, owner->gid) < 0)
				return fail_path(err, -errno, folder);
		} else if (errno != EEXIST) {
			return fail_path(err, -errno, folder);
		}
		*p = '/';
	}
	return 0;
}

/* Only ever a file that was not there: closing a database behind SQLite's back would drop its locks
 * (fcntl(2)). */
static int make_file(const char *path, const struct owner *owner, struct error *err)
{
	_cleanup_close_ int fd =
		open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0 &&
	    errno == EEXIST) { /* another process was first, or a symbolic link to nothing */
		struct stat st;

		return stat(path, &st) == 0 ? 0 : fail_path(err, -errno, path);
	}
	if (fd < 0)
		return fail_path(err, -errno, path);
	if (owner->given && fchown(fd, owner->uid, owner->gid) < 0)
		return fail_path(err, -errno, path);
	return 0;
}

static int check(const char *path, int access_mode, struct error *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno == ENOENT ? -ENOENT : fail_path(err, -errno, path);
	if (S_ISDIR(st.st_mode))
		return fail(err, -EINVAL,
			    "%s: is a folder; give the database file in it, as %s/tacho.db", path,
			    path);
	if (!S_ISREG(st.st_mode))
		return fail(err, -EINVAL, "%s: is not a regular file; give a file for the database",
			    path);
	/* SQLite takes a file too short to be anything for an empty one, and writes over it. */
	if (st.st_size > 0 && st.st_size < SMALLEST_DATABASE)
		return fail(
			err, -EINVAL,
			"%s: is not a tacho database (too short); give the right file, or a new name",
			path);
	if (faccessat(AT_FDCWD, path, access_mode, AT_EACCESS) < 0)
		return fail_path(err, -errno, path);
	return 0;
}

int path_prepare(const char *path, struct error *err)
{
	struct owner owner = invoking_user();
	int r = check(path, R_OK | W_OK, err);

	if (r != -ENOENT)
		return r;
	r = make_parents(path, &owner, err);
	return r == 0 ? make_file(path, &owner, err) : r;
}

int path_check(const char *path, struct error *err)
{
	int r = check(path, R_OK, err);

	if (r == -ENOENT)
		return fail(
			err, r,
			"%s: there is no such file: nothing was measured yet, or give its place with --db",
			path);
	return r;
}
