/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small trees of /sys and /proc, made by hand for one case each. */
#pragma once

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "lib/file.h"
#include "machine/machine.h"

#define CPU "/sys/devices/system/cpu"
#define POLICY CPU "/cpufreq/policy%d"

struct tree {
	char path[64];
	struct root *root;
	struct machine *m;
};

static inline int tree_setup(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	assert_non_null(tree);
	strcpy(tree->path, "/tmp/tacho-machine.XXXXXX");
	assert_non_null(mkdtemp(tree->path));
	assert_int_equal(root_new(tree->path, &tree->root, NULL), 0);
	*state = tree;
	return 0;
}

static inline int tree_teardown(void **state)
{
	struct tree *tree = *state;
	char command[256];

	machine_free(tree->m);
	root_free(tree->root);
	snprintf(command, sizeof(command), "chmod -R u+rwX '%s'; rm -rf '%s'", tree->path,
		 tree->path);
	assert_int_equal(system(command), 0);
	free(tree);
	return 0;
}

/* The path of NAME on disk, its folder made. */
static inline void tree_place(const struct tree *tree, const char *name, char *ret, size_t size)
{
	char *slash;

	assert_true(snprintf(ret, size, "%s%s", tree->path, name) < (int) size);
	slash = strrchr(ret, '/');
	*slash = '\0';
	assert_int_equal(make_folders(ret), 0);
	*slash = '/';
}

static inline void put_bytes(const struct tree *tree, const char *name, const void *bytes, size_t n)
{
	char path[512];
	int fd;

	tree_place(tree, name, path, sizeof(path));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, bytes, n), 0);
	close(fd);
}

/* A file with TEXT and a line end, as the kernel shows it. */
static inline void put(const struct tree *tree, const char *text, const char *name_format, ...)
	PRINTF(3, 4);
static inline void put(const struct tree *tree, const char *text, const char *name_format, ...)
{
	char name[256], line[4096];
	va_list ap;

	va_start(ap, name_format);
	vsnprintf(name, sizeof(name), name_format, ap);
	va_end(ap);
	snprintf(line, sizeof(line), "%s\n", text);
	put_bytes(tree, name, line, strlen(line));
}

static inline void put_link(const struct tree *tree, const char *target, const char *name)
{
	char path[512];

	tree_place(tree, name, path, sizeof(path));
	assert_int_equal(symlink(target, path), 0);
}

static inline void put_cpus(const struct tree *tree, const char *list)
{
	struct cpus cpus;

	assert_int_equal(cpus_parse(list, &cpus, NULL), 0);
	put(tree, list, CPU "/present");
	put(tree, list, CPU "/online");
	for_each_cpu (cpu, &cpus)
		put(tree, "", CPU "/cpu%d/uevent", cpu);
}

struct policy_files {
	int number;
	const char *related, *driver, *governor, *governors;
	const char *low, *high, *frequencies;
};

static inline void put_policy(const struct tree *tree, const struct policy_files *p)
{
	const struct {
		const char *file, *text;
	} files[] = {
		{ "related_cpus", p->related },
		{ "affected_cpus", p->related },
		{ "scaling_driver", p->driver },
		{ "scaling_governor", p->governor },
		{ "scaling_available_governors", p->governors },
		{ "scaling_min_freq", p->low },
		{ "scaling_max_freq", p->high },
		{ "cpuinfo_min_freq", p->low },
		{ "cpuinfo_max_freq", p->high },
		{ "scaling_cur_freq", p->low },
		{ "scaling_available_frequencies", p->frequencies },
	};

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i].text)
			put(tree, files[i].text, POLICY "/%s", p->number, files[i].file);
}

static inline const struct machine *read_tree(struct tree *tree)
{
	struct error err = { 0 };

	machine_free(tree->m);
	tree->m = NULL;
	assert_int_equal(machine_read(tree->root, &tree->m, &err), 0);
	return tree->m;
}

static inline const char *list_of(const struct cpus *cpus)
{
	static char buf[4][512];
	static unsigned turn;

	return cpus_format(cpus, buf[++turn % 4], sizeof(buf[0]));
}

/* The reason that WHAT is missing for, or "" where it is not. */
static inline const char *why(const struct machine *m, const char *what)
{
	for (size_t i = 0; i < m->n_missing; i++)
		if (streq(m->missing[i].what, what))
			return m->missing[i].reason;
	return "";
}

static inline const char *why_cannot(const struct machine *m, const char *what)
{
	for (size_t i = 0; i < m->n_cannot; i++)
		if (streq(m->cannot[i].what, what))
			return m->cannot[i].reason;
	return "";
}

static inline void assert_contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		print_error("`%s` does not contain `%s`\n", text, part);
	assert_non_null(strstr(text, part));
}
