/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "store/writer.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "lib/file.h"
#include "lib/macro.h"

#define BOOT_SIZE 64

struct writer {
	char boot[BOOT_SIZE];
	unsigned long long space; /* inode of the pid namespace (namespaces(7)) */
	long pid;
	unsigned long long start; /* field 22 of /proc/PID/stat, in ticks since the boot */
};

static bool read_small(const char *path, char *buf, size_t size)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used;

	return fd >= 0 && file_read_fd(fd, buf, size, &used) == 0;
}

static bool read_boot(char boot[BOOT_SIZE])
{
	if (!read_small("/proc/sys/kernel/random/boot_id", boot, BOOT_SIZE))
		return false;
	boot[strcspn(boot, "\n")] = '\0';
	return *boot && !strchr(boot, ' ');
}

static bool read_space(unsigned long long *ret)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) < 0)
		return false;
	*ret = st.st_ino;
	return true;
}

static bool read_start(long pid, unsigned long long *ret)
{
	char path[48], text[2048];
	const char *p;

	snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
	if (!read_small(path, text, sizeof(text)))
		return false;
	p = strrchr(text, ')'); /* the name, field 2, may hold anything */
	for (int field = 2; p && field < 22; field++)
		p = strchr(p + 1, ' ');
	return p && sscanf(p, "%llu", ret) == 1;
}

char *writer_self(void)
{
	struct writer w = { .pid = getpid() };
	char *text;

	if (!read_boot(w.boot) || !read_space(&w.space) || !read_start(w.pid, &w.start))
		return NULL;
	return asprintf(&text, "%s %llu %ld %llu", w.boot, w.space, w.pid, w.start) < 0 ? NULL
											: text;
}

bool writer_alive(const char *writer)
{
	unsigned long long space, start;
	struct writer w = { 0 };
	char boot[BOOT_SIZE];

	if (!writer ||
	    sscanf(writer, "%63s %llu %ld %llu", w.boot, &w.space, &w.pid, &w.start) != 4)
		return false;
	if (!read_boot(boot) || !streq(boot, w.boot) || !read_space(&space))
		return false;
	return space != w.space || (read_start(w.pid, &start) && start == w.start);
}
