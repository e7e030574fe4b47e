/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions: what is applied, in which order it comes back, the lock, and what others change. */
#include "test-knob.h"

#include <sys/wait.h>

#define G0 FREQ "/policy0/scaling_governor"
#define G4 FREQ "/policy4/scaling_governor"
#define MAX0 FREQ "/policy0/scaling_max_freq"
#define MIN0 FREQ "/policy0/scaling_min_freq"
#define RATE FREQ "/ondemand/sampling_rate"

static void sets_and_puts_back(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);

	assert_int_equal(journals(t), 0);
	apply_ok(s, "governor=ondemand ondemand/sampling_rate=20000 max_freq=1200MHz");
	assert_file(t, G0, "ondemand");
	assert_file(t, G4, "ondemand");
	assert_file(t, RATE, "20000");
	assert_file(t, MAX0, "1200000");
	assert_int_equal(journals(t), 1);
	close_ok(s);
	assert_file(t, G0, "schedutil");
	assert_file(t, G4, "schedutil");
	assert_file(t, RATE, "10000");
	assert_file(t, MAX0, "1800000");
	assert_int_equal(journals(t), 0);
}

static void next_apply_starts_anew(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);

	apply_ok(s, "governor=ondemand max_freq=600000");
	apply_ok(s, "governor=performance");
	assert_file(t, G0, "performance");
	assert_file(t, MAX0, "1800000");
	apply_ok(s, "governor@policy4=powersave");
	assert_file(t, G0, "schedutil");
	assert_file(t, G4, "powersave");
	apply_ok(s, "");
	assert_file(t, G4, "schedutil");
	close_ok(s);
	assert_int_equal(journals(t), 0);
}

static void common_settings_stay(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);
	struct stat before, after;
	char path[128];

	snprintf(path, sizeof(path), "%s" G0, t->path);
	apply_ok(s, "governor=ondemand ondemand/sampling_rate=20000");
	assert_int_equal(stat(path, &before), 0);
	usleep(20000);
	apply_ok(s, "governor=ondemand ondemand/sampling_rate=40000");
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_file(t, RATE, "40000");
	/* changed by someone else in between: what is kept is looked at first */
	put(t, G0, "powersave\n");
	apply_ok(s, "governor=ondemand ondemand/sampling_rate=40000");
	assert_file(t, G0, "ondemand");
	close_ok(s);
	assert_file(t, G0, "schedutil");
	assert_file(t, RATE, "10000");
}

static void saves_tunables_of_the_governor_left(void **state)
{
	struct tree *t = *state;
	struct session *s;

	put(t, FREQ "/schedutil/rate_limit_us", "4321\n");
	s = open_session(t);
	apply_ok(s, "governor=ondemand");
	/* what the kernel does at the switch back */
	put(t, FREQ "/schedutil/rate_limit_us", "1000\n");
	close_ok(s);
	assert_file(t, FREQ "/schedutil/rate_limit_us", "4321");
}

static void limits_widen_first(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);

	put(t, MIN0, "300000\n");
	put(t, MAX0, "600000\n");
	apply_ok(s, "min_freq@policy0=900000 max_freq@policy0=1200000");
	assert_file(t, MIN0, "900000");
	assert_file(t, MAX0, "1200000");
	apply_ok(s, "max_freq@policy0=min min_freq@policy0=min");
	assert_file(t, MAX0, "300000");
	close_ok(s);
	assert_file(t, MIN0, "300000");
	assert_file(t, MAX0, "600000");
}

static void failure_puts_all_back(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);
	struct error err = { 0 };

	assert_int_equal(apply(s, "governor=ondemand ondemand/nonsense=1", &err), -EINVAL);
	assert_says(err, "sampling_rate");
	assert_file(t, G0, "schedutil");
	error_clear(&err);
	assert_int_equal(apply(s, "governor=ondemand governor=powersave", &err), -EINVAL);
	assert_says(err, "set twice");
	close_ok(s);
	assert_int_equal(journals(t), 0);
}

static void tells_what_others_changed(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);
	struct error err = { 0 };

	apply_ok(s, "governor=ondemand");
	put(t, G4, "powersave\n");
	assert_int_equal(session_verify(s, &err), -ESTALE);
	assert_says(err, "powersave");
	error_clear(&err);
	/* at the end what someone else chose is left, said, and forgotten */
	assert_int_equal(session_close(s, &err), -ENOTRECOVERABLE);
	assert_says(err, "policy4");
	assert_file(t, G4, "powersave");
	assert_file(t, G0, "schedutil");
	assert_int_equal(journals(t), 0);
}

static void what_fails_stays_in_the_journal(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);
	struct error err = { 0 };
	size_t n = 0;

	apply_ok(s, "governor=ondemand");
	remove_file(t, G4);
	assert_int_equal(session_close(s, &err), -ENOTRECOVERABLE);
	assert_says(err, "policy4");
	assert_file(t, G0, "schedutil");
	assert_int_equal(journals(t), 1);
	put(t, G4, "ondemand\n");
	error_clear(&err);
	/* the owner lives: this process */
	assert_int_equal(session_restore(t->root, t->state, &n, &err), 0);
	assert_int_equal(n, 0);
}

static void second_is_refused_with_the_pid(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t), *other = NULL;
	struct session_options options = { .state_dir = t->state };
	struct error err = { 0 };
	bool stop = true;
	char pid[32];
	size_t n;

	snprintf(pid, sizeof(pid), "pid %d", (int) getpid());
	assert_int_equal(session_open(t->root, &options, &other, &err), -EBUSY);
	assert_says(err, pid);
	error_clear(&err);
	apply_ok(s, "governor=ondemand");
	assert_int_equal(session_restore(t->root, t->state, &n, &err), -EBUSY);
	assert_says(err, pid);
	assert_file(t, G0, "ondemand");
	error_clear(&err);
	options.wait = true;
	options.stop = &stop;
	assert_int_equal(session_open(t->root, &options, &other, &err), -EINTR);
	close_ok(s);
	options.wait = false;
	assert_int_equal(session_open(t->root, &options, &other, &err), 0);
	close_ok(other);
}

static void waits_for_its_turn(void **state)
{
	struct tree *t = *state;
	int go[2];
	pid_t child;
	int status;

	assert_int_equal(pipe(go), 0);
	child = fork();
	if (child == 0) {
		struct session *s = open_session(t);

		_exit(write(go[1], "x", 1) != 1 || usleep(100000) || session_close(s, NULL));
	}
	char byte;
	struct session_options options = { .state_dir = t->state, .wait = true };
	struct session *s = NULL;
	struct error err = { 0 };

	assert_int_equal(read(go[0], &byte, 1), 1);
	assert_int_equal(session_open(t->root, &options, &s, &err), 0);
	close_ok(s);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(go[0]);
	close(go[1]);
}

static void watchdog_keeps_no_output_open(void **state)
{
	struct tree *t = *state;
	int out[2], status;
	char byte;
	pid_t child;

	assert_int_equal(pipe(out), 0);
	child = fork();
	if (child == 0) {
		struct session *s;
		struct error err = { 0 };

		dup2(out[1], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		close(out[0]);
		close(out[1]);
		s = open_session(t);
		if (apply(s, "governor=ondemand", &err) < 0)
			_exit(1);
		close(STDOUT_FILENO);
		close(STDERR_FILENO);
		pause();
	}
	close(out[1]);
	assert_int_equal(read(out[0], &byte, 1), 0); /* the end, though both live */
	assert_int_equal(waitpid(child, &status, WNOHANG), 0);
	assert_file(t, G0, "ondemand");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	close(out[0]);
	/* a new session waits for the watchdog */
	close_ok(open_session(t));
	assert_file(t, G0, "schedutil");
	assert_int_equal(journals(t), 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, tree_setup, tree_teardown)
	const struct CMUnitTest tests[] = {
		CASE(sets_and_puts_back),
		CASE(next_apply_starts_anew),
		CASE(common_settings_stay),
		CASE(saves_tunables_of_the_governor_left),
		CASE(limits_widen_first),
		CASE(failure_puts_all_back),
		CASE(tells_what_others_changed),
		CASE(what_fails_stays_in_the_journal),
		CASE(second_is_refused_with_the_pid),
		CASE(waits_for_its_turn),
		CASE(watchdog_keeps_no_output_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
