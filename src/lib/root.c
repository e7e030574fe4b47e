/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/root.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "lib/file.h"

struct root {
	int fd; /* -1 for the real root */
	char *prefix;
};

int root_new(const char *prefix, struct root **ret, struct error *err)
{
	struct root *root = calloc(1, sizeof(*root));

	if (!root)
		return fail(err, -ENOMEM, "out of memory");
	root->fd = -1;
	root->prefix = strdup(prefix && !streq(prefix, "/") ? prefix : "");
	if (!root->prefix) {
		root_free(root);
		return fail(err, -ENOMEM, "out of memory");
	}
	if (root->prefix[0]) {
		root->fd = open(prefix, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (root->fd < 0) {
			int r = -errno;

			root_free(root);
			return fail(err, -EINVAL,
				    "--sysroot %s: %s; expected a folder that holds sys and proc",
				    prefix, strerror(-r));
		}
	}
	*ret = root;
	return 0;
}

void root_free(struct root *root)
{
	if (!root)
		return;
	if (root->fd >= 0)
		close(root->fd);
	free(root->prefix);
	free(root);
}

bool root_is_system(const struct root *root)
{
	return root->fd < 0;
}

const char *root_prefix(const struct root *root)
{
	return root->prefix;
}

int root_open(const struct root *root, int flags, const char *path)
{
	struct open_how how = { .flags = (uint64_t) (flags | O_CLOEXEC),
				.resolve = RESOLVE_IN_ROOT };
	int fd;

	if (root->fd < 0)
		fd = open(path, flags | O_CLOEXEC);
	else
		fd = (int) syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

static int format_path(char path[PATH_MAX], const char *format, va_list ap)
	__attribute__((format(printf, 2, 0)));
static int format_path(char path[PATH_MAX], const char *format, va_list ap)
{
	int n = vsnprintf(path, PATH_MAX, format, ap);

	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

#define FORMAT_PATH(path, format)            \
	char path[PATH_MAX];                 \
	va_list ap_;                         \
	int r_;                              \
	va_start(ap_, format);               \
	r_ = format_path(path, format, ap_); \
	va_end(ap_)

static int read_path(const struct root *root, char *buf, size_t size, const char *path)
{
	_cleanup_close_ int fd = root_open(root, O_RDONLY | O_NONBLOCK, path);
	size_t used;
	int r;

	if (fd < 0)
		return fd;
	r = file_read_fd(fd, buf, size, &used);
	if (r < 0)
		return r;
	if (memchr(buf, 0, used))
		return -EILSEQ;
	while (used && isspace((unsigned char) buf[used - 1]))
		used--;
	buf[used] = '\0';
	return used ? (int) used : -ENODATA;
}

int root_read(const struct root *root, char *buf, size_t size, const char *format, ...)
{
	FORMAT_PATH(path, format);
	return r_ < 0 ? r_ : read_path(root, buf, size, path);
}

int root_read_all(const struct root *root, size_t max, char **ret, const char *format, ...)
{
	_cleanup_free_ char *buf = NULL;
	size_t size = 4096;
	int n;

	FORMAT_PATH(path, format);
	if (r_ < 0)
		return r_;
	for (;; size *= 4) {
		char *larger = realloc(buf, size);

		if (!larger)
			return -ENOMEM;
		buf = larger;
		n = read_path(root, buf, size, path);
		if (n != -E2BIG || size > max)
			break;
	}
	if (n < 0)
		return n;
	*ret = steal_ptr(buf);
	return n;
}

static int parse_u64(const char *text, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char) *text))
		return -EBADMSG;
	errno = 0;
	*ret = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	return errno || *end || end == text ? -EBADMSG : 0;
}

int root_read_u64(const struct root *root, uint64_t *ret, const char *format, ...)
{
	char buf[64];
	int n;

	FORMAT_PATH(path, format);
	n = r_ < 0 ? r_ : read_path(root, buf, sizeof(buf), path);
	if (n == -E2BIG || n == -EILSEQ)
		return -EBADMSG;
	return n < 0 ? n : parse_u64(buf, ret);
}

int root_read_s64(const struct root *root, int64_t *ret, const char *format, ...)
{
	char buf[64];
	uint64_t magnitude;
	bool negative;
	int n;

	FORMAT_PATH(path, format);
	n = r_ < 0 ? r_ : read_path(root, buf, sizeof(buf), path);
	if (n == -E2BIG || n == -EILSEQ)
		return -EBADMSG;
	if (n < 0)
		return n;
	negative = buf[0] == '-';
	n = parse_u64(buf + negative, &magnitude);
	if (n < 0 || magnitude > INT64_MAX)
		return -EBADMSG;
	*ret = negative ? -(int64_t) magnitude : (int64_t) magnitude;
	return 0;
}

int root_read_cpus(const struct root *root, struct cpus *ret, const char *format, ...)
{
	char buf[16384];
	int n;

	FORMAT_PATH(path, format);
	n = r_ < 0 ? r_ : read_path(root, buf, sizeof(buf), path);
	if (n == -ENODATA) { /* an empty list is a list: the CPUs that are offline, say */
		cpus_clear(ret);
		return 0;
	}
	if (n < 0)
		return n;
	return cpus_parse(buf, ret, NULL) < 0 ? -EBADMSG : 0;
}

int root_write(const struct root *root, const char *text, const char *format, ...)
{
	_cleanup_close_ int fd = -1;
	size_t n = strlen(text);
	ssize_t done;

	FORMAT_PATH(path, format);
	if (r_ < 0)
		return r_;
	/* sysfs knows no truncation; a file on disk or of a copied tree must not keep the tail of
	 * its old content */
	fd = root_open(root, O_WRONLY | O_TRUNC, path);
	if (fd < 0)
		return fd;
	done = write(fd, text, n);
	if (done < 0)
		return -errno;
	return (size_t) done == n ? 0 : -EIO;
}

bool root_exists(const struct root *root, const char *format, ...)
{
	_cleanup_close_ int fd = -1;

	FORMAT_PATH(path, format);
	if (r_ < 0)
		return false;
	fd = root_open(root, O_PATH, path);
	return fd >= 0;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *) a, *(char *const *) b);
}

int root_list(const struct root *root, const char *prefix, char ***ret, const char *format, ...)
{
	_cleanup_strv_ char **names = NULL;
	_cleanup_closedir_ DIR *dir = NULL;
	struct dirent *entry;
	size_t n = 0;
	int fd;

	FORMAT_PATH(path, format);
	if (r_ < 0)
		return r_;
	fd = root_open(root, O_RDONLY | O_DIRECTORY, path);
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -errno;
	}
	names = calloc(1, sizeof(*names));
	if (!names)
		return -ENOMEM;
	while ((entry = readdir(dir))) {
		char **larger;

		if (streq(entry->d_name, ".") || streq(entry->d_name, "..") ||
		    !strafter(entry->d_name, prefix))
			continue;
		larger = realloc(names, (n + 2) * sizeof(*names));
		if (!larger)
			return -ENOMEM;
		names = larger;
		names[n] = strdup(entry->d_name);
		names[n + 1] = NULL;
		if (!names[n++])
			return -ENOMEM;
	}
	qsort(names, n, sizeof(*names), compare_names);
	*ret = steal_ptr(names);
	return (int) n;
}

void strv_free(char **v)
{
	if (!v)
		return;
	for (char **p = v; *p; p++)
		free(*p);
	free(v);
}
