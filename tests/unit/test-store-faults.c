/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kills, several writers, full disks: what was finished is kept, and the reason is said. */
#include "test-store.h"

#include <signal.h>
#include <sys/wait.h>

static pid_t start_writer(const char *path, unsigned n, int *ret_fd)
{
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(write_runs(path, fds[1], n) == 0 ? 0 : 1);
	close(fds[1]);
	*ret_fd = fds[0];
	return pid;
}

static size_t count_bytes(int fd, size_t most)
{
	char byte;
	size_t n = 0;

	while (n < most && read(fd, &byte, 1) == 1)
		n++;
	return n;
}

static void status_is(struct store *store, int64_t id, const char *status)
{
	struct store_entry *entries = NULL;
	struct record *record = NULL;
	struct error err = { 0 };
	size_t n = 0;

	assert_int_equal(store_load(store, id, false, &record, &err), 0);
	assert_string_equal(record->status, status);
	record_free(record);
	assert_int_equal(store_list(store, 0, &entries, &n, &err), 0);
	assert_string_equal(entries[id - 1].status, status);
	store_entries_free(entries, n);
}

static void test_killed(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "t.db");

	for (int i = 1; i <= 20; i++) {
		struct store *store;
		size_t taken;
		int fd, status;
		pid_t pid = start_writer(path, 0, &fd);

		taken = count_bytes(fd, (size_t) i);
		assert_int_equal(taken, i);
		if (i % 2) {
			store = opened(path, true);
			status_is(store, i, "running");
			store_close(store);
		}
		usleep((useconds_t) (i * 137 % 1000)); /* anywhere in the next transaction */
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		taken += count_bytes(fd, SIZE_MAX);
		close(fd);
		store = opened(path, i % 3 != 0);
		runs_are_whole(store, i, taken, taken + 1);
		status_is(store, i, "interrupted");
		store_close(store);
	}
	free(path);
	folder_remove(folder);
}

/* Both start on a file that is not there yet. */
static void test_two_writers(void **state)
{
	char *folder = folder_make(), *path = path_in(folder, "new/t.db");
	struct store *store;
	pid_t pids[3];
	int fds[3];

	for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
		pids[i] = start_writer(path, 40, &fds[i]);
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		int status;

		assert_int_equal(count_bytes(fds[i], SIZE_MAX), 40);
		close(fds[i]);
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	}
	store = opened(path, true);
	for (int i = 1; i <= 3; i++) {
		runs_are_whole(store, i, 40, 40);
		status_is(store, i, "finished");
	}
	store_close(store);
	free(path);
	folder_remove(folder);
}

static char *small_disk(char *folder, const char *options, off_t ballast)
{
	char *path = path_in(folder, "ballast");
	int fd;

	assert_int_equal(mount("tmpfs", folder, "tmpfs", 0, options), 0);
	fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(posix_fallocate(fd, 0, ballast), 0);
	close(fd);
	return path;
}

static int write_one(struct sink *sink, struct record *record, unsigned i, struct error *err)
{
	struct run run;
	int r;

	made_run(&run, i / 4 + 1, 1, i % 4, i % 4 + 1);
	r = sink->run(sink->context, record, &run, err);
	run_done(&run);
	return r;
}

static void test_full_disk(void **state)
{
	char *folder = folder_with_mounts(), *path = path_in(folder, "t.db");
	char *ballast = small_disk(folder, "size=1m", 300000);
	struct record *record = made_head(NULL);
	struct error err = { 0 };
	struct store *store = opened(path, false);
	struct sink sink;
	unsigned taken = 0;
	int r;

	store_sink(store, &sink);
	assert_int_equal(sink.begin(sink.context, record, &err), 0);
	while ((r = write_one(&sink, record, taken, &err)) == 0)
		assert_true(++taken < 100000);
	assert_int_equal(r, -ENOSPC);
	assert_non_null(strstr(err.text, "no space left"));
	assert_non_null(strstr(err.text, path));
	assert_true(taken > 10);
	print_message("%u runs until the disk was full\n", taken);
	runs_are_whole(store, 1, taken, taken);
	assert_int_equal(unlink(ballast), 0); /* there is room again: it goes on */
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(write_one(&sink, record, taken++, &err), 0);
	store_close(store);
	store = opened(path, true);
	runs_are_whole(store, 1, taken, taken);
	store_close(store);
	record_free(record);
	assert_int_equal(umount(folder), 0);
	free(ballast);
	free(path);
	folder_remove(folder);
}

static void test_no_room_at_all(void **state)
{
	char *folder = folder_with_mounts(), *path = path_in(folder, "t.db");
	char *ballast = small_disk(folder, "size=64k", 64 * 1024);
	struct store *store = NULL;
	struct error err = { 0 };

	assert_int_equal(store_open(path, false, &store, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "no space left"));
	assert_int_equal(umount(folder), 0);
	free(ballast);
	free(path);
	folder_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_killed),
		cmocka_unit_test(test_two_writers),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_no_room_at_all),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
