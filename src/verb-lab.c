/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tacho lab: the same command inside the emulated machine. The launcher (lab/lab.sh) boots it with
 * this very program; its database comes home in a temporary folder and is merged into the local
 * one.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "config.h"
#include "lib/interrupt.h"
#include "lib/log.h"
#include "store/store.h"
#include "verb.h"

struct lab_conf {
	char *machine, *kernel;
	uint64_t timeout_ns;
};

#define FIELD(field) offsetof(struct lab_conf, field)
static const struct opt opts[] = {
	{ "machine", 0, OPT_STRING, FIELD(machine), .def = "smp", .arg = "NAME",
	  .help = "the machine to play" },
	{ "kernel", 0, OPT_STRING, FIELD(kernel), .def = "6.12", .arg = "VERSION",
	  .help = "the newest Debian kernel of this version: 6.12 or 6.1" },
	{ "timeout", 0, OPT_TIME, FIELD(timeout_ns), 1e9, 86400e9, "1h", .arg = "TIME",
	  .help = "give up after this time" },
	{ 0 },
};

static int find_launcher(char path[PATH_MAX], struct error *err)
{
	const char *given = getenv("TACHO_LAB");
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (given && *given) {
		if (access(given, X_OK) < 0)
			return fail(err, -EINVAL, "$TACHO_LAB (%s): %s; expected lab.sh", given,
				    strerror(errno));
		snprintf(path, PATH_MAX, "%s", given);
		return 0;
	}
	if (snprintf(path, PATH_MAX, "%s/lab/lab.sh", TACHO_LIBEXECDIR) < PATH_MAX &&
	    access(path, X_OK) == 0)
		return 0;
	/* not installed: BUILD/src/tacho in the sources */
	for (int up = 0; n > 0 && up < 3; up++) {
		exe[n] = '\0';
		n = strrchr(exe, '/') ? strrchr(exe, '/') - exe : 0;
	}
	exe[MAX(n, 0)] = '\0';
	if (n > 0 && snprintf(path, PATH_MAX, "%s/lab/lab.sh", exe) < PATH_MAX &&
	    access(path, X_OK) == 0)
		return 0;
	return fail(err, -EOPNOTSUPP,
		    "the lab is not installed: no %s/lab/lab.sh; `./dev install` installs it",
		    TACHO_LIBEXECDIR);
}

/* Waits for the launcher; passes on the signals that would end us. Returns its exit status. */
static int wait_for(pid_t pid, int *ret_status, struct error *err)
{
	bool told = false;
	int status;

	while (waitpid(pid, &status, interrupted() ? WNOHANG : 0) != pid) {
		if (interrupted() && !told) {
			kill(pid, SIGTERM);
			told = true;
		}
		if (interrupted())
			usleep(50000);
	}
	if (interrupted())
		return fail(
			err, -EINTR,
			"stopped by a signal; the emulated machine is gone, and nothing here was changed");
	*ret_status = WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED;
	return 0;
}

static int launch(const struct common *common, const struct lab_conf *conf, char *const *arguments,
		  int n, const char *out, int stdout_fd, int *ret_status, struct error *err)
{
	posix_spawn_file_actions_t files;
	char launcher[PATH_MAX], exe[PATH_MAX] = "", seconds[24];
	_cleanup_free_ const char **argv = calloc((size_t) n + 20, sizeof(*argv));
	ssize_t length = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	size_t i = 0;
	pid_t pid;
	int r = find_launcher(launcher, err);

	if (r < 0 || !argv || length < 0)
		return r < 0 ? r : fail(err, -ENOMEM, "out of memory");
	snprintf(seconds, sizeof(seconds), "%llu",
		 (unsigned long long) (conf->timeout_ns / NSEC_PER_SEC));
	argv[i++] = launcher;
	argv[i++] = "--machine";
	argv[i++] = conf->machine;
	argv[i++] = "--kernel";
	argv[i++] = conf->kernel;
	argv[i++] = "--timeout";
	argv[i++] = seconds;
	argv[i++] = "--out";
	argv[i++] = out;
	argv[i++] = "--env";
	argv[i++] = "TACHO_DB=/out/tacho.db";
	if (common->verbose)
		argv[i++] = "-v";
	argv[i++] = "--";
	argv[i++] = exe;
	for (int j = 0; j < n; j++)
		argv[i++] = arguments[j];
	if (common->quiet)
		setenv("TACHO_LAB_QUIET", "1", 1);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, stdout_fd, STDOUT_FILENO);
	r = posix_spawn(&pid, launcher, &files, NULL, (char *const *) (uintptr_t) argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return r ? fail(err, -r, "%s: %s", launcher, strerror(r)) : wait_for(pid, ret_status, err);
}

/* What the guest measured, into the local database. */
static int bring_home(const struct common *common, const char *guest_db, struct error *err)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_free_ char *path = NULL;
	int64_t last = 0;
	size_t n = 0;
	int r;

	if (access(guest_db, F_OK) < 0)
		return 0; /* a verb that measures nothing */
	r = store_default_path(common->db, &path, err);
	if (r == 0)
		r = store_open(path, false, &store, err);
	if (r == 0)
		r = store_import_db(store, guest_db, false, &n, &last, err);
	if (r == 0 && n)
		log_note("stored as experiment %lld in %s, marked as emulated", (long long) last,
			 path);
	return r;
}

static void remove_folder(const char *folder)
{
	const char *const argv[] = { "rm", "-rf", "--", folder, NULL };
	pid_t pid;

	if (posix_spawnp(&pid, "rm", NULL, NULL, (char *const *) (uintptr_t) argv, environ) == 0)
		waitpid(pid, NULL, 0);
}

/* The database must be writable before minutes are spent. */
static int check_db(const struct common *common, struct error *err)
{
	_cleanup_store_ struct store *store = NULL;
	_cleanup_free_ char *path = NULL;
	int r = store_default_path(common->db, &path, err);

	return r < 0 ? r : store_open(path, false, &store, err);
}

static int run_lab(const struct common *common, const struct lab_conf *conf, char *const *arguments,
		   int n, int *ret_status, struct error *err)
{
	const char *tmp = getenv("TMPDIR");
	char out[PATH_MAX], guest_db[PATH_MAX + 16];
	struct error closing = { 0 };
	FILE *output;
	int r = check_db(common, err), done;

	if (r == 0)
		r = common_output(common, &output, err);
	if (r < 0)
		return r;
	snprintf(out, sizeof(out), "%s/tacho-home.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(out))
		return fail(err, -errno, "%s: %s; set TMPDIR to a folder that can be written", out,
			    strerror(errno));
	snprintf(guest_db, sizeof(guest_db), "%s/tacho.db", out);
	r = launch(common, conf, arguments, n, out, fileno(output), ret_status, err);
	if (r == 0)
		r = bring_home(common, guest_db, err);
	remove_folder(out);
	done = common_output_done(common, output, &closing);
	return r == 0 && done < 0 ? fail(err, done, "%s", closing.text) : r;
}

/* The first word that is not an option of lab's own: all from there on is for inside. */
static int split(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const struct opt *opt;
		char name[64];

		if (streq(argv[i], "--") || argv[i][0] != '-')
			return i;
		if (streq(argv[i], "-o"))
			i++;
		if (!strafter(argv[i], "--") || strchr(argv[i], '='))
			continue;
		snprintf(name, sizeof(name), "%s", argv[i] + 2);
		opt = opt_find(opts, name);
		if (!opt)
			opt = opt_find(common_opts, name);
		if (opt && opt->type != OPT_FLAG)
			i++;
	}
	return argc;
}

/* Files that are meant to be here would be written inside, and be gone with the machine. */
static int refuse_paths(char *const *arguments, int n, struct error *err)
{
	static const char *const names[] = { "--db", "--output", "-o" };

	for (int i = 0; i < n; i++)
		for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
			const char *rest = strafter(arguments[i], names[j]);

			if (rest && (!*rest || *rest == '=' || names[j][1] != '-'))
				return fail(
					err, -EINVAL,
					"%s goes before the command: `tacho lab %s FILE -- ...`; behind it, it names a file "
					"inside the emulated machine",
					names[j], names[j]);
		}
	return 0;
}

static int run(int argc, char **argv)
{
	int at = split(argc, argv), inside = at < argc && streq(argv[at], "--") ? at + 1 : at,
	    words, status = STATUS_FAILED;
	struct lab_conf conf = { 0 };
	const struct opt_group group = { "Options", opts, &conf };
	struct common common = { 0 };
	struct error err = { 0 };
	int r = opts_init(opts, &conf, &err);

	if (r == 0)
		r = common_parse(&common, &verb_lab, &group, 1, at, argv, &words, &err);
	if (r == 0 && (common.dry_run || common.samples || common.wait || common.format ||
		       common.state || common.sysroot))
		r = fail(
			&err, -EINVAL,
			"before the command, lab takes --machine, --kernel, --timeout, --db, -o, -q and -v; other options go behind it");
	if (r == 0 && inside >= argc)
		r = fail(
			&err, -EINVAL,
			"lab needs a command to run inside, as in `tacho lab -- efficiency --repeat 6`");
	if (r == 0)
		r = refuse_paths(argv + inside, argc - inside, &err);
	if (r == 0 && streq(argv[inside], "lab"))
		r = fail(&err, -EINVAL, "the lab has no lab inside");
	if (r == 0) {
		r = run_lab(&common, &conf, argv + inside, argc - inside, &status, &err);
		if (r == 0)
			r = -status;
	}
	opts_free(opts, &conf);
	common_done(&common);
	if (err.code || r > 0)
		return verb_end(r > 0 ? 0 : r, &err);
	return -r;
}

const struct verb verb_lab = { "lab", "[--] ARGUMENTS",
			       "the same command inside an emulated machine with real governors",
			       run };
