/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine's lock (lock.h says what it is). */
#include "knob/lock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "lib/clock.h"
#include "lib/log.h"

#define LONGEST_RESTORE (30 * NSEC_PER_SEC)
#define LOOK_EVERY_MS 100

static int address(const struct root *root, struct sockaddr_un *ret, socklen_t *ret_size,
		   struct error *err)
{
	struct stat st;
	int n;

	*ret = (struct sockaddr_un) { .sun_family = AF_UNIX };
	if (root_is_system(root)) {
		n = snprintf(ret->sun_path + 1, sizeof(ret->sun_path) - 1, "tacho");
	} else {
		if (stat(root_prefix(root), &st) < 0)
			return fail(err, -errno, "%s: %s", root_prefix(root), strerror(errno));
		n = snprintf(ret->sun_path + 1, sizeof(ret->sun_path) - 1, "tacho:%llx:%llx",
			     (unsigned long long) st.st_dev, (unsigned long long) st.st_ino);
	}
	*ret_size = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + (size_t) n);
	return 0;
}

void lock_adopt(int fd)
{
	/* each listen() records who called it (unix(7), SO_PEERCRED) */
	listen(fd, 4096);
}

static int try_take(const struct sockaddr_un *name, socklen_t size, int *ret)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (bind(fd, (const struct sockaddr *) name, size) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	lock_adopt(fd);
	*ret = fd;
	return 0;
}

/* A connection to the holder, which ends with it; *RET_PID 0 where the pid cannot be told. */
static int connect_holder(const struct sockaddr_un *name, socklen_t size, pid_t *ret_pid)
{
	struct ucred holder = { 0 };
	socklen_t length = sizeof(holder);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	*ret_pid = 0;
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *) name, size) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &holder, &length) == 0)
		*ret_pid = holder.pid;
	return fd;
}

/* Whether the holder only puts settings back: by its name, or because the one that took the lock is
 * dead and its watchdog has it. */
static bool is_restorer(pid_t pid)
{
	_cleanup_root_ struct root *system = NULL;
	char name[32];

	if (pid <= 0)
		return false;
	if (kill(pid, 0) < 0 && errno == ESRCH)
		return true;
	if (root_new(NULL, &system, NULL) < 0 ||
	    root_read(system, name, sizeof(name), "/proc/%d/comm", (int) pid) < 0)
		return false;
	return streq(name, RESTORER);
}

static bool told_to_stop(const struct session_options *options)
{
	return options && options->stop && *options->stop;
}

/* Waits until the holder is gone; 0, -EINTR, or -ETIMEDOUT. HOLDER negative: for a moment. */
static int wait_holder(int holder, const struct session_options *options, uint64_t give_up)
{
	struct pollfd p = { .fd = holder, .events = POLLRDHUP };

	for (;;) {
		if (told_to_stop(options))
			return -EINTR;
		if (now_ns() > give_up)
			return -ETIMEDOUT;
		if (poll(&p, 1, holder < 0 ? LOOK_EVERY_MS / 10 : LOOK_EVERY_MS) > 0 || holder < 0)
			return 0;
	}
}

static int busy(pid_t pid, struct error *err)
{
	char who[32] = "";

	if (pid > 0)
		snprintf(who, sizeof(who), " (pid %d)", (int) pid);
	return fail(err, -EBUSY,
		    "another tacho%s is at work on this machine; wait for it with --wait", who);
}

/* Waits where that is due, so that it can be tried again. */
static int await_turn(const struct sockaddr_un *name, socklen_t size,
		      const struct session_options *options, uint64_t give_up, bool *told,
		      struct error *err)
{
	bool wait = options && options->wait, restores;
	_cleanup_close_ int holder = -1;
	pid_t pid;
	int r;

	holder = connect_holder(name, size, &pid);
	/* refused: it is about to listen, or gone by now */
	restores = holder == -ECONNREFUSED || is_restorer(pid);
	if (!wait && !restores)
		return busy(pid, err);
	if (!*told && !restores)
		log_note("waiting for another tacho (pid %d)", (int) pid);
	*told |= !restores;
	r = wait_holder(holder, options, wait ? UINT64_MAX : give_up);
	if (r == -EINTR)
		return fail(err, r, "stopped by a signal");
	return r < 0 ? busy(pid, err) : 0;
}

int lock_take(const struct root *root, const struct session_options *options, struct error *err)
{
	uint64_t give_up = now_ns() + LONGEST_RESTORE;
	struct sockaddr_un name;
	socklen_t size = 0;
	bool told = false;
	int fd = -1, r = address(root, &name, &size, err);

	while (r == 0) {
		r = try_take(&name, size, &fd);
		if (r == 0)
			return fd;
		if (r != -EADDRINUSE)
			return fail(err, r, "the lock cannot be taken: %s", strerror(-r));
		r = await_turn(&name, size, options, give_up, &told, err);
	}
	return r;
}
