/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal on disk: torn at every byte, damaged, of another boot, another machine, a full disk.
 */
#include "test-knob.h"

#include <sys/mount.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "knob/journal.h"

static void add(struct changes *changes, enum change_kind kind, const char *path, const char *old,
		const char *new)
{
	struct change *c = changes_append(changes, kind, "a knob", path);

	assert_non_null(c);
	c->old = old ? strdup(old) : NULL;
	c->new = new ? strdup(new) : NULL;
}

static void make_folder(const struct tree *t)
{
	assert_int_equal(make_folders(t->state), 0);
}

static void path_of(const struct tree *t, const struct journal *j, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", t->state, j->name);
}

static void round_trip(void **state)
{
	struct tree *t = *state;
	struct journal *j = NULL, *again = NULL;
	struct changes changes = { 0 }, read = { 0 };

	make_folder(t);
	assert_int_equal(journal_create(t->state, t->root, &j, NULL), 0);
	add(&changes, CHANGE_WRITE, "/sys/a", "tab\there", "line\nand \\ and \\n");
	add(&changes, CHANGE_SAVE, "/sys/b", "", NULL);
	add(&changes, CHANGE_MODULE, "cpufreq_x", NULL, NULL);
	add(&changes, CHANGE_WRITE, "/sys/c", NULL, "nothing to put back");
	add(&changes, CHANGE_COMMAND, "name", "\\-", "-");
	changes.list[0].rule = RULE_LIMIT;
	changes.list[1].passing = true;
	assert_int_equal(journal_append(j, &changes, 0, changes.n, NULL), 0);
	assert_int_equal(changes.list[3].sequence, 0);
	journal_undone(j, &changes.list[2]);
	assert_int_equal(journal_open(t->state, j->name, &again, &read, NULL), 0);
	assert_int_equal(read.n, 3);
	assert_string_equal(read.list[0].old, "tab\there");
	assert_string_equal(read.list[0].new, "line\nand \\ and \\n");
	assert_int_equal(read.list[0].rule, RULE_LIMIT);
	assert_string_equal(read.list[1].old, "");
	assert_null(read.list[1].new);
	assert_true(read.list[1].passing);
	assert_int_equal(read.list[2].kind, CHANGE_COMMAND);
	assert_string_equal(read.list[2].old, "\\-");
	assert_string_equal(read.list[2].new, "-");
	assert_int_equal(again->sequence, 4);
	assert_int_equal(again->owner.pid, getpid());
	assert_true(journal_owner_alive(&again->owner));
	assert_int_equal(journal_remove(j, NULL), 0);
	assert_int_equal(journal_open(t->state, j->name, &(struct journal *) { NULL },
				      &(struct changes) { 0 }, NULL),
			 -ENOENT);
	changes_done(&changes);
	changes_done(&read);
	journal_free(j);
	journal_free(again);
}

static void known_sums(void **state)
{
	/* the check value of CRC-32/ISO-HDLC in every catalogue of CRCs */
	assert_int_equal(journal_crc("123456789", 9), 0xcbf43926);
	assert_int_equal(journal_crc("", 0), 0);
}

static size_t file_size(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (size_t) st.st_size;
}

/* Cut at every byte: what is whole is read, nothing else, and the next append goes behind it. */
static void torn_anywhere(void **state)
{
	struct tree *t = *state;
	struct journal *j = NULL;
	struct changes changes = { 0 };
	char path[PATH_MAX], *whole;
	size_t header, first, size;
	FILE *f;

	make_folder(t);
	assert_int_equal(journal_create(t->state, t->root, &j, NULL), 0);
	path_of(t, j, path);
	header = file_size(path);
	add(&changes, CHANGE_WRITE, "/sys/a", "1", "2");
	add(&changes, CHANGE_WRITE, "/sys/b", "3", "4");
	assert_int_equal(journal_append(j, &changes, 0, 1, NULL), 0);
	first = file_size(path);
	assert_int_equal(journal_append(j, &changes, 1, 2, NULL), 0);
	size = file_size(path);
	whole = calloc(1, size);
	f = fopen(path, "re");
	assert_int_equal(fread(whole, 1, size, f), size);
	fclose(f);
	for (size_t cut = 0; cut <= size; cut++) {
		struct changes read = { 0 }, more = { 0 }, all = { 0 };
		struct journal *again = NULL, *last = NULL;
		size_t expected = cut >= size ? 2 : cut >= first ? 1 : 0;
		struct error err = { 0 };
		int r;

		f = fopen(path, "we");
		assert_int_equal(fwrite(whole, 1, cut, f), cut);
		fclose(f);
		r = journal_open(t->state, j->name, &again, &read, &err);
		if (cut < header) {
			assert_int_equal(r, -EBADMSG);
			assert_null(again);
			continue;
		}
		assert_int_equal(r, 0);
		assert_int_equal(read.n, expected);
		add(&more, CHANGE_WRITE, "/sys/c", "5", "6");
		assert_int_equal(journal_append(again, &more, 0, 1, NULL), 0);
		assert_int_equal(journal_open(t->state, j->name, &last, &all, NULL), 0);
		assert_int_equal(all.n, expected + 1);
		assert_string_equal(all.list[expected].path, "/sys/c");
		changes_done(&read);
		changes_done(&more);
		changes_done(&all);
		journal_free(again);
		journal_free(last);
	}
	free(whole);
	changes_done(&changes);
	journal_free(j);
}

/* Any bit that turns over in a record is found. */
static void damaged_anywhere(void **state)
{
	struct tree *t = *state;
	struct journal *j = NULL;
	struct changes changes = { 0 };
	char path[PATH_MAX], text[1024];
	size_t header, first, size;
	FILE *f;

	make_folder(t);
	assert_int_equal(journal_create(t->state, t->root, &j, NULL), 0);
	path_of(t, j, path);
	header = file_size(path);
	add(&changes, CHANGE_WRITE, "/sys/a", "1", "2");
	add(&changes, CHANGE_WRITE, "/sys/b", "3", "4");
	assert_int_equal(journal_append(j, &changes, 0, 1, NULL), 0);
	first = file_size(path);
	assert_int_equal(journal_append(j, &changes, 1, 2, NULL), 0);
	size = file_size(path);
	f = fopen(path, "re");
	assert_int_equal(fread(text, 1, sizeof(text), f), size);
	fclose(f);
	for (size_t i = header * 8; i < size * 8; i++) {
		struct changes read = { 0 };
		struct journal *again = NULL;
		int r;

		text[i / 8] ^= (char) (1 << i % 8);
		f = fopen(path, "we");
		fwrite(text, 1, size, f);
		fclose(f);
		text[i / 8] ^= (char) (1 << i % 8);
		r = journal_open(t->state, j->name, &again, &read, NULL);
		/* in the middle it is damage, at the end it was torn */
		if (i / 8 < first - 1)
			assert_int_equal(r, -EBADMSG);
		else if (i / 8 >= first)
			assert_int_equal(r, 0);
		assert_true(read.n <= 1);
		for (size_t k = 0; k < read.n; k++)
			assert_true(streq(read.list[k].new, "2") || streq(read.list[k].new, "4"));
		changes_done(&read);
		journal_free(again);
	}
	changes_done(&changes);
	journal_free(j);
}

/* Leaves what a session that was killed (its watchdog too) left: a journal of a dead owner. */
static void leave_journal(const struct tree *t, const char *path, const char *old, const char *new)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		struct journal *j = NULL;
		struct changes changes = { 0 };

		make_folders(t->state);
		if (journal_create(t->state, t->root, &j, NULL) < 0)
			_exit(1);
		add(&changes, CHANGE_WRITE, path, old, new);
		_exit(journal_append(j, &changes, 0, 1, NULL) < 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void restores_what_a_dead_one_left(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	size_t n = 0;

	put(t, "/sys/a", "2\n");
	leave_journal(t, "/sys/a", "1", "2");
	assert_int_equal(session_restore(t->root, t->state, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_file(t, "/sys/a", "1");
	assert_int_equal(journals(t), 0);
	assert_int_equal(session_restore(t->root, t->state, &n, &err), 0);
	assert_int_equal(n, 0);
}

static void next_session_restores_too(void **state)
{
	struct tree *t = *state;

	put(t, "/sys/a", "2\n");
	leave_journal(t, "/sys/a", "1", "2");
	close_ok(open_session(t));
	assert_file(t, "/sys/a", "1");
	assert_int_equal(journals(t), 0);
}

static void leaves_the_choice_of_others(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	size_t n = 0;

	put(t, "/sys/a", "3\n");
	leave_journal(t, "/sys/a", "1", "2");
	assert_int_equal(session_restore(t->root, t->state, &n, &err), -ENOTRECOVERABLE);
	assert_says(err, "/sys/a");
	assert_file(t, "/sys/a", "3");
	assert_int_equal(journals(t), 0);
}

static void gone_files_are_said_and_kept(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	size_t n = 0;

	leave_journal(t, "/sys/gone", "1", "2");
	assert_int_equal(session_restore(t->root, t->state, &n, &err), -ENOTRECOVERABLE);
	assert_says(err, "/sys/gone");
	assert_int_equal(journals(t), 1);
	put(t, "/sys/gone", "2\n");
	error_clear(&err);
	assert_int_equal(session_restore(t->root, t->state, &n, &err), 0);
	assert_file(t, "/sys/gone", "1");
	assert_int_equal(journals(t), 0);
}

static void another_boot(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	size_t n = 0;

	put(t, "/sys/a", "2\n");
	put(t, "/etc/b", "new\n");
	leave_journal(t, "/sys/a", "1", "2");
	leave_journal(t, "/etc/b", "old", "new\n");
	put(t, "/proc/sys/kernel/random/boot_id", "99999999-2222-3333-4444-555555555555\n");
	assert_int_equal(session_restore(t->root, t->state, &n, &err), 0);
	assert_int_equal(n, 1);
	assert_file(t, "/sys/a", "2"); /* a new kernel's own value */
	assert_file(t, "/etc/b", "old");
	assert_int_equal(journals(t), 0);
}

static void another_root_or_owner(void **state)
{
	struct tree *t = *state;
	struct root *sub = NULL;
	struct error err = { 0 };
	char path[256];
	size_t n = 0;

	put(t, "/sub/sys/a", "2\n");
	put(t, "/sys/a", "2\n");
	snprintf(path, sizeof(path), "%s/sub", t->path);
	assert_int_equal(root_new(path, &sub, NULL), 0);
	leave_journal(t, "/sys/a", "1", "2");
	assert_int_equal(session_restore(sub, t->state, &n, &err), 0);
	assert_int_equal(n, 0);
	assert_int_equal(journals(t), 1);
	root_free(sub);
	if (geteuid() == 0) { /* what another user put there is not obeyed */
		char **names = NULL;

		assert_int_equal(root_list(t->root, "journal.", &names, "/state"), 1);
		snprintf(path, sizeof(path), "%s/%.40s", t->state, names[0]);
		assert_int_equal(chown(path, 65534, 65534), 0);
		assert_int_equal(session_restore(t->root, t->state, &n, &err), 0);
		assert_int_equal(n, 0);
		assert_file(t, "/sys/a", "2");
		strv_free(names);
	}
}

static void damaged_is_kept_aside(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	char **names = NULL, path[PATH_MAX];
	size_t n = 0;
	FILE *f;

	put(t, "/sys/a", "2\n");
	leave_journal(t, "/sys/a", "1", "2");
	assert_int_equal(root_list(t->root, "journal.", &names, "/state"), 1);
	snprintf(path, sizeof(path), "%s/%s", t->state, names[0]);
	f = fopen(path, "re+");
	assert_non_null(f);
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	fprintf(f, "garbage\n%s\n", "fc492b0f U\t7"); /* a whole record behind a bad one */
	fseek(f, 0, SEEK_SET);
	fclose(f);
	assert_int_equal(journal_crc("U\t7", 3), 0xfc492b0f);
	assert_int_equal(session_restore(t->root, t->state, &n, &err), -ENOTRECOVERABLE);
	assert_file(t, "/sys/a", "1"); /* what could be read of it was done */
	assert_says(err, "damaged");
	strv_free(names);
	assert_int_equal(root_list(t->root, "damaged.", &names, "/state"), 1);
	strv_free(names);
	error_clear(&err);
	assert_int_equal(session_restore(t->root, t->state, &n, &err), 0);
}

static void fill(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	char text[4096];

	assert_true(fd >= 0);
	memset(text, 'x', sizeof(text));
	while (write(fd, text, sizeof(text)) > 0)
		;
	close(fd);
}

/* Without room for the journal nothing is changed. */
static void full_disk(void **state)
{
	struct tree *t = *state;
	struct error err = { 0 };
	char big[128];
	struct session *s;

	make_folder(t);
	if (mount("none", t->state, "tmpfs", 0, "size=64k,mode=700") < 0) {
		print_message("# no tmpfs can be mounted here\n");
		skip();
	}
	snprintf(big, sizeof(big), "%s/big", t->state);
	s = open_session(t);
	apply_ok(s, "governor=ondemand");
	fill(big);
	/* the page that the journal has begun still takes some records */
	for (int i = 0; i < 200; i++) {
		int r = apply(s, i % 2 ? "governor=powersave" : "governor=performance", &err);

		if (r < 0) {
			assert_int_equal(r, -ENOSPC);
			break;
		}
	}
	assert_int_equal(err.code, -ENOSPC);
	assert_says(err, "nothing was changed");
	assert_file(t, FREQ "/policy0/scaling_governor", "schedutil");
	assert_file(t, FREQ "/policy4/scaling_governor", "schedutil");
	close_ok(s);
	/* and no journal can be begun */
	error_clear(&err);
	fill(big);
	s = open_session(t);
	assert_int_equal(apply(s, "governor=ondemand", &err), -ENOSPC);
	assert_says(err, t->state);
	close_ok(s);
	assert_file(t, FREQ "/policy0/scaling_governor", "schedutil");
	assert_int_equal(umount(t->state), 0);
}

static void no_folder(void **state)
{
	struct tree *t = *state;
	struct session_options options = { .state_dir = "/proc/nowhere" };
	struct session *s = NULL;
	struct error err = { 0 };

	assert_int_equal(session_open(t->root, &options, &s, &err), 0);
	assert_true(apply(s, "governor=ondemand", &err) < 0);
	assert_says(err, "/proc/nowhere");
	assert_file(t, FREQ "/policy0/scaling_governor", "schedutil");
	close_ok(s);
}

/* A long session does not let the journal grow without end. */
static void stays_short(void **state)
{
	struct tree *t = *state;
	struct session *s = open_session(t);
	char **names = NULL, path[PATH_MAX];

	for (int i = 0; i < 1200; i++)
		apply_ok(s, i % 2 ? "governor=powersave" : "governor=performance");
	assert_int_equal(root_list(t->root, "journal.", &names, "/state"), 1);
	snprintf(path, sizeof(path), "%s/%s", t->state, names[0]);
	assert_true(file_size(path) < 400000);
	strv_free(names);
	close_ok(s);
	assert_file(t, FREQ "/policy0/scaling_governor", "schedutil");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, tree_setup, tree_teardown)
	const struct CMUnitTest tests[] = {
		CASE(round_trip),
		CASE(known_sums),
		CASE(torn_anywhere),
		CASE(damaged_anywhere),
		CASE(restores_what_a_dead_one_left),
		CASE(next_session_restores_too),
		CASE(leaves_the_choice_of_others),
		CASE(gone_files_are_said_and_kept),
		CASE(another_boot),
		CASE(another_root_or_owner),
		CASE(damaged_is_kept_aside),
		CASE(full_disk),
		CASE(no_folder),
		CASE(stays_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
