/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which governors there are. scaling_available_governors lists those registered with the kernel;
 * those that are modules appear there once loaded, which the kernel does by itself when their name
 * is written (drivers/cpufreq/cpufreq.c, cpufreq_parse_governor). Drivers that set policy
 * themselves always have exactly performance and powersave, which are their own.
 */
#include <errno.h>
#include <sys/utsname.h>

#include "knob/policies.h"
#include "lib/nearest.h"

#define MOST_MODULES (4 * 1024 * 1024)

static int add_name(char ***names, size_t *n, const char *name, size_t length)
{
	char **larger;

	for (size_t i = 0; i < *n; i++)
		if (strlen((*names)[i]) == length && strncmp((*names)[i], name, length) == 0)
			return 0;
	larger = realloc(*names, (*n + 2) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	*names = larger;
	larger[*n] = strndup(name, length);
	larger[*n + 1] = NULL;
	return larger[*n] ? (++*n, 0) : -ENOMEM;
}

int governors_listed(const struct root *root, const struct domain *domain, char ***ret)
{
	_cleanup_strv_ char **names = calloc(1, sizeof(*names));
	char buf[1024], *rest, *word;
	size_t n = 0;

	if (!names)
		return -ENOMEM;
	domain_text(root, domain, "scaling_available_governors", buf, sizeof(buf));
	for (word = strtok_r(buf, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
		if (add_name(&names, &n, word, strlen(word)) < 0)
			return -ENOMEM;
	*ret = steal_ptr(names);
	return 0;
}

static bool sets_policy_itself(const struct root *root, const struct domain *domain)
{
	char driver[64];

	domain_text(root, domain, "scaling_driver", driver, sizeof(driver));
	return streq(driver, "intel_pstate") || streq(driver, "amd-pstate-epp") ||
	       streq(driver, "longrun");
}

static void kernel_release(const struct root *root, char *buf, size_t size)
{
	struct utsname name;

	if (root_read(root, buf, size, "/proc/sys/kernel/osrelease") >= 0)
		return;
	buf[0] = '\0';
	if (root_is_system(root) && uname(&name) == 0)
		snprintf(buf, size, "%s", name.release);
}

/* The name behind cpufreq_ in `kernel/drivers/cpufreq/cpufreq_ondemand.ko.xz: ...`, or NULL. */
static const char *governor_in(const char *line, size_t *ret_length)
{
	size_t path = strcspn(line, ": \t\n"), file = path;
	const char *name;

	while (file && line[file - 1] != '/')
		file--;
	name = strafter(line + file, "cpufreq_");
	if (!name || name >= line + path)
		return NULL;
	*ret_length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");
	/* modules of that name that are no governors */
	if (strncmp(name, "stats.", 6) == 0 || strncmp(name, "governor.", 9) == 0)
		return NULL;
	return strncmp(name + *ret_length, ".ko", 3) == 0 ? name : NULL;
}

static int names_from_list(const struct root *root, const char *release, char ***names, size_t *n)
{
	_cleanup_free_ char *text = NULL;
	char *rest, *line;
	int r = root_read_all(root, MOST_MODULES, &text, "/lib/modules/%s/modules.dep", release);

	if (r < 0)
		return r;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t length;
		const char *name = governor_in(line, &length);

		if (name && add_name(names, n, name, length) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int names_from_folder(const struct root *root, const char *release, char ***names, size_t *n)
{
	_cleanup_strv_ char **files = NULL;
	int r = root_list(root, "cpufreq_", &files, "/lib/modules/%s/kernel/drivers/cpufreq",
			  release);

	for (char **file = files; r >= 0 && *file; file++) {
		size_t length;
		const char *name = governor_in(*file, &length);

		if (name && add_name(names, n, name, length) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Adds the governors that are modules. */
static int add_modules(const struct root *root, char ***names, size_t *n)
{
	uint64_t disabled = 0;
	char release[128];
	int r;

	root_read_u64(root, &disabled, "/proc/sys/kernel/modules_disabled");
	kernel_release(root, release, sizeof(release));
	if (disabled || !release[0] || strchr(release, '/'))
		return 0;
	r = names_from_list(root, release, names, n);
	if (r < 0 && r != -ENOMEM)
		r = names_from_folder(root, release, names, n);
	return r == -ENOMEM ? r : 0;
}

static bool has(char **names, const char *name)
{
	for (; names && *names; names++)
		if (streq(*names, name))
			return true;
	return false;
}

bool governor_module_exists(const struct root *root, const char *governor)
{
	_cleanup_strv_ char **names = NULL;
	size_t n = 0;

	return add_modules(root, &names, &n) == 0 && has(names, governor);
}

static int governors_of(const struct root *root, const struct domain *domain, char ***ret)
{
	char **names = NULL;
	size_t n = 0;
	int r = governors_listed(root, domain, &names);

	for (n = 0; r == 0 && names[n];)
		n++;
	/* a tree that does not say which there are cannot be asked to load one */
	if (r == 0 && n && !sets_policy_itself(root, domain))
		r = add_modules(root, &names, &n);
	if (r < 0) {
		strv_free(names);
		return r;
	}
	*ret = names;
	return 0;
}

int governor_check(const struct request *rq, const struct domain *domain, const char *governor,
		   struct error *err)
{
	_cleanup_strv_ char **names = NULL;
	char list[512] = "";
	const char *near;
	size_t n = 0, used = 0;

	if (governors_of(rq->root, domain, &names) < 0)
		return out_of_memory(err);
	if (has(names, governor))
		return 0;
	for (; names[n]; n++)
		if (used < sizeof(list))
			used += (size_t) snprintf(list + used, sizeof(list) - used, "%s%s",
						  n ? ", " : "", names[n]);
	near = nearest_name(governor, (const char *const *) names, n);
	return fail(err, -EINVAL, "%s: policy%d has no governor `%s`%s%s%s; it has %s", rq->name,
		    domain->number, governor, near ? " (did you mean `" : "", near ?: "",
		    near ? "`?)" : "", n ? list : "none that the kernel lists");
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *) a, *(char *const *) b);
}

int knob_governors(const struct root *root, const struct machine *m, char ***ret, struct error *err)
{
	struct request all = { .root = root, .name = "governor", .policy = -1, .cpu = -1 };
	_cleanup_free_ struct domain *list = NULL;
	_cleanup_strv_ char **names = NULL;
	size_t n = 0, kept = 0;
	int r = domains_find(&all, &list, &n, err);

	if (r == 0 && governors_of(root, &list[0], &names) < 0)
		r = out_of_memory(err);
	for (size_t i = 1; i < n && r == 0; i++) {
		_cleanup_strv_ char **others = NULL;

		if (governors_of(root, &list[i], &others) < 0)
			return out_of_memory(err);
		for (char **name = names; *name; name++) /* only what all policies have */
			if (!has(others, *name))
				(*name)[0] = '\0';
	}
	if (r < 0)
		return r;
	for (char **name = names; *name; name++) {
		if (!(*name)[0] || streq(*name, "userspace"))
			free(*name);
		else
			names[kept++] = *name;
	}
	names[kept] = NULL;
	if (!kept)
		return fail(err, -EOPNOTSUPP, "%s/scaling_available_governors lists no governor",
			    list[0].folder);
	qsort(names, kept, sizeof(*names), compare);
	*ret = steal_ptr(names);
	return 0;
}

int module_loaded(const struct root *root, const char *name, long *ret_used)
{
	_cleanup_free_ char *text = NULL;
	char *rest, *line;
	int r = root_read_all(root, MOST_MODULES, &text, "/proc/modules");

	if (r == -ENODATA)
		return 0;
	if (r < 0)
		return -1;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		const char *size = strafter(line, name);

		if (!size || *size != ' ')
			continue;
		*ret_used = 0;
		sscanf(size, " %*s %ld", ret_used);
		return 1;
	}
	return 0;
}
