/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/file.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

int file_read_fd(int fd, char *buf, size_t size, size_t *ret_used)
{
	size_t used = 0;

	for (;;) {
		ssize_t n = read(fd, buf + used, size - 1 - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		used += (size_t) n;
		if (n == 0)
			break;
		if (used == size - 1) {
			char more;

			n = read(fd, &more, 1);
			if (n > 0)
				return -E2BIG;
			break;
		}
	}
	buf[used] = '\0';
	*ret_used = used;
	return 0;
}

int file_write_all(int fd, const void *buf, size_t size)
{
	const char *p = buf;

	while (size) {
		ssize_t n = write(fd, p, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		size -= (size_t) n;
	}
	return 0;
}

int make_folders(const char *path)
{
	char copy[PATH_MAX];
	size_t n = strlen(path);

	if (n >= sizeof(copy))
		return -ENAMETOOLONG;
	memcpy(copy, path, n + 1);
	for (char *p = copy + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0755) < 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return mkdir(copy, 0755) < 0 && errno != EEXIST ? -errno : 0;
}
