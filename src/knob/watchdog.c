/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that outlives a killed session (watchdog.h says what it does). */
#include "knob/watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "knob/knob-internal.h"
#include "knob/lock.h"
#include "knob/restore.h"
#include "lib/file.h"

#define DONE 'd'
#define END_WAIT_MS 10000

struct plan {
	const char *root; /* absolute, NULL for the real one */
	const char *folder, *name;
	int fd, lock, owner;
};

static void keep_only(int a, int b, int c)
{
	int keep[] = { a, b, c };

	for (int fd = 3, next; fd >= 0; fd = next) {
		unsigned first = (unsigned) fd, last = ~0U;

		next = -1;
		for (size_t i = 0; i < ARRAY_SIZE(keep); i++)
			if (keep[i] >= fd && (next < 0 || keep[i] < next))
				next = keep[i];
		if (next >= 0)
			last = (unsigned) next - 1;
		if (next != fd && syscall(SYS_close_range, first, last, 0) < 0) /* before 5.9 */
			for (unsigned i = first; i <= MIN(last, 65536U); i++)
				close((int) i);
		next = next >= 0 ? next + 1 : -1;
	}
}

static void detach(void)
{
	sigset_t all;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "tacho-watchdog");
	/* who reads the output of the first process must see its end */
	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	if (score >= 0)
		file_write_all(score, "-1000", 5);
	if (score >= 0)
		close(score);
	if (chdir("/") < 0)
		return; /* then the folder it was started in stays in use */
}

/* Waits for the owner. Whether it died without a word. */
static bool wait_owner(const struct plan *plan)
{
	for (;;) {
		struct pollfd p[2] = { { .fd = plan->fd, .events = POLLIN },
				       { .fd = plan->owner, .events = POLLIN } };
		ssize_t n;
		char word;

		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return true;
		/* children of the owner that live on may hold its end open: its word comes first,
		 * its death by itself then is enough */
		n = recv(plan->fd, &word, 1, MSG_DONTWAIT);
		if (n == 1 && word == DONE)
			return false;
		if (n == 0 || p[1].revents)
			return true;
	}
}

static _Noreturn void watch(const struct plan *plan)
{
	_cleanup_root_ struct root *root = NULL;
	struct undo u = { .final = true };
	pid_t self = getpid();

	detach();
	keep_only(plan->fd, plan->lock, plan->owner);
	if (root_new(plan->root, &root, NULL) < 0 ||
	    send(plan->fd, &self, sizeof(self), MSG_NOSIGNAL) != sizeof(self))
		_exit(1);
	if (!wait_owner(plan))
		_exit(0);
	prctl(PR_SET_NAME, RESTORER);
	if (plan->lock >= 0)
		lock_adopt(plan->lock);
	u.root = root;
	restore_journal(&u, plan->folder, plan->name);
	_exit(u.failures ? 1 : 0);
}

/* The first child, which makes the process that nobody has to wait for. */
static _Noreturn void spawn(const struct plan *plan)
{
	pid_t pid;

	setsid();
	pid = fork();
	if (pid == 0)
		watch(plan);
	_exit(pid > 0 ? 0 : 1);
}

/* Its pid is what the watchdog says once it is ready. */
static bool wait_ready(int fd, pid_t *ret_pid)
{
	ssize_t n;

	do
		n = recv(fd, ret_pid, sizeof(*ret_pid), MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	return n == sizeof(*ret_pid);
}

int watchdog_start(const struct root *root, const struct journal *journal, int lock,
		   struct watchdog *ret, struct error *err)
{
	struct plan plan = { .folder = journal->folder_path, .name = journal->name, .lock = lock };
	int pair[2];
	bool ready;
	pid_t child;

	plan.root = root_is_system(root) ? NULL : journal->owner.root;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return fail(err, -errno, "the watchdog cannot be started: %s", strerror(errno));
	plan.fd = pair[1];
	plan.owner = (int) syscall(SYS_pidfd_open, getpid(), 0); /* -1 before 5.3 */
	child = fork();
	if (child == 0) {
		close(pair[0]);
		spawn(&plan);
	}
	close(pair[1]);
	if (plan.owner >= 0)
		close(plan.owner);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	ready = child > 0 && wait_ready(pair[0], &ret->pid);
	if (!ready) {
		close(pair[0]);
		return fail(err, -EAGAIN, "the watchdog cannot be started");
	}
	ret->fd = pair[0];
	return 0;
}

void watchdog_end(struct watchdog *w)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };
	char word = DONE;

	if (w->fd < 0)
		return;
	if (send(w->fd, &word, 1, MSG_NOSIGNAL) == 1 && poll(&p, 1, END_WAIT_MS) == 0)
		kill(w->pid, SIGKILL); /* stopped by someone: it must not act later */
	close(w->fd);
	w->fd = -1;
}
