/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session is killed with SIGKILL at random moments, sometimes its watchdog too, sometimes the one
 * that restores as well; after the last restore every file is as it was.
 */
#include "test-knob.h"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "lib/clock.h"
#include "lib/rng.h"

#define ROUNDS 300
#define LONGEST_US 40000

static const char *const files[] = {
	FREQ "/policy0/scaling_governor",
	FREQ "/policy4/scaling_governor",
	FREQ "/policy0/scaling_min_freq",
	FREQ "/policy0/scaling_max_freq",
	FREQ "/policy4/scaling_min_freq",
	FREQ "/policy4/scaling_max_freq",
	FREQ "/ondemand/sampling_rate",
	FREQ "/ondemand/up_threshold",
	FREQ "/schedutil/rate_limit_us",
	FREQ "/boost",
	CPU "/cpu0/cpuidle/state1/disable",
	"/proc/sys/vm/swappiness",
	"/etc/some.conf",
};

static const char *const sets[] = {
	"governor=ondemand ondemand/sampling_rate=20000 ondemand/up_threshold=60",
	"governor=performance max_freq=900000 min_freq=600000 boost=0",
	"boost=0 schedutil/rate_limit_us=5 idle/C1=0 command:mark=1",
	"file:/etc/some.conf=other sysctl/vm.swappiness=10 governor@policy4=powersave",
	"max_freq=min",
};

static int setup(void **state)
{
	struct tree *t;
	char path[128], text[512];

	tree_setup(state);
	t = *state;
	put(t, FREQ "/boost", "1\n");
	put(t, CPU "/cpu0/cpuidle/state0/name", "POLL\n");
	put(t, CPU "/cpu0/cpuidle/state0/disable", "0\n");
	put(t, CPU "/cpu0/cpuidle/state1/name", "C1\n");
	put(t, CPU "/cpu0/cpuidle/state1/disable", "0\n");
	put(t, "/proc/sys/vm/swappiness", "60\n");
	put(t, "/etc/some.conf", "two\nlines, no line end");
	snprintf(
		text, sizeof(text),
		"mark.do = touch \"$TACHO_SYSROOT/mark\"\nmark.undo = rm -f \"$TACHO_SYSROOT/mark\"\n");
	put(t, "/config/tacho/commands", text);
	snprintf(path, sizeof(path), "%s/config", t->path);
	setenv("XDG_CONFIG_HOME", path, 1);
	return 0;
}

/* What is killed: sessions that apply all sets in turn. */
static _Noreturn void victim(const struct tree *t)
{
	struct session_options options = { .state_dir = t->state };
	struct session *s = NULL;

	if (session_open(t->root, &options, &s, NULL) < 0)
		_exit(1);
	for (size_t i = 0; i < ARRAY_SIZE(sets); i++)
		if (apply(s, sets[i], NULL) < 0)
			_exit(2);
	_exit(session_close(s, NULL) < 0 ? 3 : 0);
}

/* The process that was left to this one as the nearest reaper; 0 where there is none. */
static pid_t find_watchdog(void)
{
	char path[64], name[32] = "";
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while ((entry = readdir(proc))) {
		FILE *f;
		int parent;

		if (atoi(entry->d_name) <= 0)
			continue;
		snprintf(path, sizeof(path), "/proc/%.20s/stat", entry->d_name);
		f = fopen(path, "re");
		if (!f)
			continue;
		if (fscanf(f, "%*d (%30[^)]) %*c %d", name, &parent) == 2 && parent == getpid() &&
		    strncmp(name, "tacho-", 6) == 0)
			found = atoi(entry->d_name);
		fclose(f);
	}
	closedir(proc);
	return found;
}

static void pause_us(uint64_t us)
{
	sleep_until_ns(now_ns() + us * NSEC_PER_USEC);
}

/* A restore that is killed, too. */
static void kill_restorer(const struct tree *t, uint64_t after_us)
{
	pid_t child = fork();
	size_t n;

	if (child == 0)
		_exit(session_restore(t->root, t->state, &n, NULL) < 0);
	pause_us(after_us);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void remember(const struct tree *t, char **ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		FILE *f;
		char path[256];
		size_t n;

		snprintf(path, sizeof(path), "%s%s", t->path, files[i]);
		f = fopen(path, "re");
		assert_non_null(f);
		free(ret[i]);
		ret[i] = calloc(1, 256);
		n = fread(ret[i], 1, 255, f);
		assert_true(n < 255);
		fclose(f);
	}
}

static void compare(const struct tree *t, char **before, unsigned round)
{
	char *now[ARRAY_SIZE(files)] = { 0 };

	remember(t, now);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (!streq(now[i], before[i]))
			stop_test("round %u: %s was `%s`, is `%s`", round, files[i], before[i],
				  now[i]);
		free(now[i]);
	}
	assert_false(root_exists(t->root, "/mark"));
	assert_int_equal(journals(t), 0);
}

struct tally {
	unsigned killed, finished, dirty, watchdogs, restorers;
};

static void one_round(const struct tree *t, struct rng *rng, struct tally *tally)
{
	pid_t child = fork(), dog;
	unsigned mode = (unsigned) rng_below(rng, 4);
	int status;

	if (child == 0)
		victim(t);
	pause_us(rng_below(rng, LONGEST_US));
	dog = mode >= 2 ? find_watchdog() : 0;
	if (dog > 0 && mode == 3) { /* the watchdog dies first */
		kill(dog, SIGKILL);
		tally->watchdogs++;
	}
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status))
		tally->killed++;
	else
		tally->finished++;
	if (WIFEXITED(status) && WEXITSTATUS(status))
		stop_test("a session failed by itself, at step %d", WEXITSTATUS(status));
	if (mode == 2 && (dog = find_watchdog()) > 0) { /* or while it is at work */
		pause_us(rng_below(rng, 3000));
		kill(dog, SIGKILL);
		tally->watchdogs++;
	}
	if (journals(t))
		tally->dirty++;
	if (mode >= 2) {
		kill_restorer(t, rng_below(rng, 4000));
		tally->restorers++;
	}
}

static void put_back_after_any_kill(void **state)
{
	struct tree *t = *state;
	char *before[ARRAY_SIZE(files)] = { 0 };
	struct tally tally = { 0 };
	struct rng rng;

	rng_init(&rng, 20260131);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	remember(t, before);
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct error err = { 0 };
		size_t n;

		one_round(t, &rng, &tally);
		/* it waits for a watchdog that is at work */
		if (session_restore(t->root, t->state, &n, &err) < 0)
			stop_test("round %u: %s", round, err.text);
		compare(t, before, round);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	print_message("%u killed, %u had finished, %u left a journal; also killed: %u watchdogs, "
		      "%u restorers\n",
		      tally.killed, tally.finished, tally.dirty, tally.watchdogs, tally.restorers);
	assert_true(tally.killed >= 200);
	assert_true(tally.watchdogs > 20);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		free(before[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(put_back_after_any_kill, setup, tree_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
