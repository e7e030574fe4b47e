/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A made-up machine of two policies in a folder of its own, for the tests of knobs: files that keep
 * what is written to them, as in the copy of a machine's tree. Each test includes it and uses what
 * it needs.
 */
#pragma once

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "knob/knob.h"
#include "lib/file.h"

#define CPU "/sys/devices/system/cpu"
#define FREQ CPU "/cpufreq"

/* fail_msg() of cmocka does not work once its fail() is gone. */
#define stop_test(...)                     \
	do {                               \
		print_error(__VA_ARGS__);  \
		print_error("\n");         \
		_fail(__FILE__, __LINE__); \
	} while (0)

struct tree {
	char path[64], state[96];
	struct root *root;
};

static inline void put(const struct tree *t, const char *name, const char *content)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s%s", t->path, name);
	*strrchr(path, '/') = '\0';
	assert_int_equal(make_folders(path), 0);
	snprintf(path, sizeof(path), "%s%s", t->path, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, content, strlen(content)), 0);
	close(fd);
}

/* The content of a file without its line end; in a static buffer. */
static inline const char *look(const struct tree *t, const char *name)
{
	static char buf[4][4096];
	static unsigned next;
	char *b = buf[next++ % 4];
	int n = root_read(t->root, b, sizeof(buf[0]), "%s", name);

	return n >= 0 ? b : n == -ENODATA ? "" : strerror(-n);
}

static inline void remove_file(const struct tree *t, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", t->path, name);
	assert_int_equal(unlink(path), 0);
}

static inline void put_policy(const struct tree *t, int number, const char *cpus,
			      const char *governor)
{
	static const char *const files[][2] = {
		{ "cpuinfo_min_freq", "300000\n" },
		{ "cpuinfo_max_freq", "1800000\n" },
		{ "scaling_min_freq", "300000\n" },
		{ "scaling_max_freq", "1800000\n" },
		{ "scaling_cur_freq", "600000\n" },
		{ "scaling_driver", "test\n" },
		{ "scaling_setspeed", "<unsupported>\n" },
		{ "scaling_available_frequencies",
		  "300000 600000 900000 1200000 1500000 1800000 \n" },
		{ "scaling_available_governors",
		  "performance powersave conservative ondemand userspace schedutil \n" },
	};
	char path[256];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), FREQ "/policy%d/%s", number, files[i][0]);
		put(t, path, files[i][1]);
	}
	snprintf(path, sizeof(path), FREQ "/policy%d/scaling_governor", number);
	put(t, path, governor);
	snprintf(path, sizeof(path), FREQ "/policy%d/affected_cpus", number);
	put(t, path, cpus);
	snprintf(path, sizeof(path), FREQ "/policy%d/related_cpus", number);
	put(t, path, cpus);
}

static inline int tree_setup(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	strcpy(t->path, "/tmp/tacho-knob.XXXXXX");
	assert_non_null(mkdtemp(t->path));
	snprintf(t->state, sizeof(t->state), "%s/state", t->path);
	put_policy(t, 0, "0 1\n", "schedutil\n");
	put_policy(t, 4, "4 5\n", "schedutil\n");
	put(t, FREQ "/schedutil/rate_limit_us", "1000\n");
	put(t, FREQ "/ondemand/sampling_rate", "10000\n");
	put(t, FREQ "/ondemand/up_threshold", "80\n");
	put(t, "/proc/sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555\n");
	put(t, "/proc/sys/kernel/osrelease", "6.12.0-test\n");
	put(t, "/proc/modules", "");
	assert_int_equal(root_new(t->path, &t->root, NULL), 0);
	*state = t;
	return 0;
}

static inline int tree_teardown(void **state)
{
	struct tree *t = *state;
	char command[128];

	root_free(t->root);
	snprintf(command, sizeof(command), "rm -rf '%s'", t->path);
	assert_int_equal(system(command), 0);
	free(t);
	return 0;
}

static inline struct session *open_session(const struct tree *t)
{
	struct session_options options = { .state_dir = t->state };
	struct error err = { 0 };
	struct session *s = NULL;

	if (session_open(t->root, &options, &s, &err) < 0)
		stop_test("%s", err.text);
	return s;
}

/* Splits `a=1 b=2` at spaces and applies it. A value may not have spaces. */
static inline int apply(struct session *s, const char *text, struct error *err)
{
	struct setting settings[16];
	char copy[1024], *rest, *word;
	size_t n = 0;
	int r;

	snprintf(copy, sizeof(copy), "%s", text);
	for (word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		assert_int_equal(setting_parse(word, &settings[n++], NULL), 0);
	r = session_apply(s, settings, n, err);
	while (n)
		setting_done(&settings[--n]);
	return r;
}

static inline void apply_ok(struct session *s, const char *text)
{
	struct error err = { 0 };

	if (apply(s, text, &err) < 0)
		stop_test("%s: %s", text, err.text);
	if (session_verify(s, &err) < 0)
		stop_test("%s: %s", text, err.text);
}

static inline void close_ok(struct session *s)
{
	struct error err = { 0 };

	if (session_close(s, &err) < 0)
		stop_test("%s", err.text);
}

/* How many journals the state folder has. */
static inline int journals(const struct tree *t)
{
	char **names = NULL;
	int n = root_list(t->root, "", &names, "/state");

	strv_free(names);
	return n == -ENOENT ? 0 : n;
}

/* What a check of one setting says: the code, with the text in ERR. */
static inline int check(const struct tree *t, const char *text, struct error *err)
{
	struct setting setting;
	int r;

	error_clear(err);
	assert_int_equal(setting_parse(text, &setting, NULL), 0);
	r = knob_check(t->root, NULL, &setting, err);
	setting_done(&setting);
	return r;
}

#define assert_file(tree, name, expected) assert_string_equal(look(tree, name), expected)
#define assert_says(err, words)                                                 \
	do {                                                                    \
		if (!strstr((err).text, words))                                 \
			stop_test("`%s` does not say `%s`", (err).text, words); \
	} while (0)
