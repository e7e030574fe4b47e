/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command:NAME=0|1: a named pair of commands. The file $XDG_CONFIG_HOME/tacho/commands (~/.config
 * without that variable) has one line each, `#` starts a comment line:
 *
 *	NAME.do = COMMAND
 *	NAME.undo = COMMAND
 *
 * Both are run by /bin/sh -c, output on standard error; exit status 0 is success. The machine is
 * taken to be in state 0 at the start: 1 runs do, and putting back runs undo. A `do` that fails or
 * is killed is undone too, and an undo that was killed is run again, so undo must do no harm when
 * there is nothing to undo. With --sysroot the folder is in the variable TACHO_SYSROOT.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "knob/knob-internal.h"
#include "lib/file.h"

static int config_path(char *path, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	int n;

	if (config && config[0] == '/')
		n = snprintf(path, size, "%s/tacho/commands", config);
	else if (home && home[0] == '/')
		n = snprintf(path, size, "%s/.config/tacho/commands", home);
	else
		return -ENOENT;
	return n < 0 || (size_t) n >= size ? -ENAMETOOLONG : 0;
}

static int read_config(char *path, size_t size, char **ret, struct error *err)
{
	_cleanup_close_ int fd = -1;
	_cleanup_free_ char *text = malloc(65536);
	size_t used;
	int r = config_path(path, size);

	if (r < 0)
		return fail(err, -EOPNOTSUPP,
			    "neither XDG_CONFIG_HOME nor HOME says where the "
			    "file of commands is");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(err, -EOPNOTSUPP, "%s, which names the commands: %s", path,
			    strerror(errno));
	if (!text)
		return out_of_memory(err);
	r = file_read_fd(fd, text, 65536, &used);
	if (r < 0)
		return fail(err, -EINVAL, "%s: %s", path, strerror(-r));
	*ret = steal_ptr(text);
	return 0;
}

/* The value of KEY in one line `KEY = VALUE`, or NULL. */
static char *line_value(char *line, const char *name, const char *what)
{
	char *rest;

	line += strspn(line, " \t");
	rest = (char *) strafter(line, name);
	rest = rest ? (char *) strafter(rest, what) : NULL;
	if (!rest)
		return NULL;
	rest += strspn(rest, " \t");
	if (*rest++ != '=')
		return NULL;
	return rest + strspn(rest, " \t");
}

static int find_pair(const struct request *rq, char **ret_do, char **ret_undo, struct error *err)
{
	_cleanup_free_ char *text = NULL;
	const char *do_text = NULL, *undo_text = NULL;
	char path[PATH_MAX], *rest, *line;
	int r = read_config(path, sizeof(path), &text, err);

	if (r < 0)
		return fail_prefix(err, r, "%s", rq->name);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (line[strspn(line, " \t")] == '#')
			continue;
		do_text = do_text ?: line_value(line, rq->base, ".do");
		undo_text = undo_text ?: line_value(line, rq->base, ".undo");
	}
	if (!do_text || !*do_text || !undo_text || !*undo_text)
		return fail(err, -EINVAL, "%s: %s has no line `%s.%s = COMMAND`", rq->name, path,
			    rq->base, do_text && *do_text ? "undo" : "do");
	*ret_do = strdup(do_text);
	*ret_undo = strdup(undo_text);
	return *ret_do && *ret_undo ? 0 : out_of_memory(err);
}

static int plan(const struct request *rq, struct changes *ret, struct error *err)
{
	_cleanup_free_ char *do_text = NULL, *undo_text = NULL;
	struct change *c;
	bool on = false;
	int r = parse_switch(rq->name, rq->value, &on, err);

	if (r == 0)
		r = find_pair(rq, &do_text, &undo_text, err);
	if (r < 0 || !on)
		return r;
	c = changes_add(ret, CHANGE_COMMAND, rq->name, rq->base);
	if (!c)
		return out_of_memory(err);
	c->new = steal_ptr(do_text);
	c->old = steal_ptr(undo_text);
	return 0;
}

static int get(const struct request *rq, char **ret, struct error *err)
{
	return fail(err, -EOPNOTSUPP, "%s: whether a command was run cannot be read", rq->name);
}

static int available(const struct root *root, struct error *err)
{
	_cleanup_free_ char *text = NULL;
	char path[PATH_MAX];

	return read_config(path, sizeof(path), &text, err);
}

static _Noreturn void run_child(const struct root *root, const char *command, int hold)
{
	struct sigaction initial = { .sa_handler = SIG_DFL };
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	setpgid(0, 0); /* an interrupt from the terminal must not stop an undo half-way */
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &initial, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (hold >= 0)
		fcntl(hold, F_SETFD, 0);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	if (!root_is_system(root))
		setenv("TACHO_SYSROOT", root_prefix(root), 1);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

int command_run(const struct root *root, const char *name, const char *command, int hold,
		struct error *err)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return fail(err, -errno, "command:%s: %s", name, strerror(errno));
	if (pid == 0)
		run_child(root, command, hold);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return fail(err, -errno, "command:%s: %s", name, strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return fail(err, -EIO, "command:%s: `%.200s` %s %d", name, command,
		    WIFEXITED(status) ? "ended with exit status" : "was ended by signal",
		    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

const struct knob knob_command = {
	.name = "command:NAME",
	.help = "pair of commands from the file of commands: 1 runs NAME.do, back runs NAME.undo",
	.scope = "machine",
	.stage = STAGE_OTHER,
	.verified = "",
	.prefix = "command:",
	.available = available,
	.plan = plan,
	.get = get,
};
