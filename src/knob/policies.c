/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpufreq policies in today's layout (cpufreq/policyN) and that of kernels before about 4.3
 * (cpuN/cpufreq). */
#include "knob/policies.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>

#include "lib/record.h"

const char *domain_text(const struct root *root, const struct domain *domain, const char *file,
			char *buf, size_t size)
{
	if (root_read(root, buf, size, "%s/%s", domain->folder, file) < 0)
		buf[0] = '\0';
	return buf;
}

static bool is_number(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

static int add_domain(const struct request *rq, struct domain **list, size_t *n, int number,
		      const char *folder)
{
	struct domain *d;
	int r;

	for (size_t i = 0; i < *n; i++)
		if ((*list)[i].number == number)
			return 0;
	d = array_add(list, n, sizeof(*d));
	if (!d)
		return -ENOMEM;
	d->number = number;
	snprintf(d->folder, sizeof(d->folder), "%s", folder);
	r = root_read_cpus(rq->root, &d->cpus, "%s/affected_cpus", folder);
	if (r == 0 && cpus_first(&d->cpus) < 0)
		--*n; /* all its CPUs are offline: every file of it gives EBUSY */
	return 0;
}

static int read_new_layout(const struct request *rq, struct domain **list, size_t *n)
{
	_cleanup_strv_ char **names = NULL;

	if (root_list(rq->root, "policy", &names, CPUFREQ_FOLDER) < 0)
		return 0;
	for (char **name = names; *name; name++) {
		char folder[96], governor[64];
		int r;

		if (!is_number(*name + 6))
			continue;
		snprintf(folder, sizeof(folder), CPUFREQ_FOLDER "/%.40s", *name);
		/* every file of a policy whose CPUs are all offline answers EBUSY
		 * (drivers/cpufreq/cpufreq.c, show()) */
		if (root_read(rq->root, governor, sizeof(governor), "%s/scaling_governor",
			      folder) == -EBUSY)
			continue;
		r = add_domain(rq, list, n, atoi(*name + 6), folder);
		if (r < 0)
			return r;
	}
	return 0;
}

static int read_old_layout(const struct request *rq, struct domain **list, size_t *n)
{
	_cleanup_strv_ char **names = NULL;

	if (root_list(rq->root, "cpu", &names, CPU_FOLDER) < 0)
		return 0;
	for (char **name = names; *name; name++) {
		struct cpus related;
		char folder[96];
		int r;

		if (!is_number(*name + 3))
			continue;
		snprintf(folder, sizeof(folder), CPU_FOLDER "/%.40s/cpufreq", *name);
		if (root_read_cpus(rq->root, &related, "%s/related_cpus", folder) < 0)
			continue;
		r = add_domain(rq, list, n, cpus_first(&related), folder);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool is_selected(const struct request *rq, const struct domain *d)
{
	if (rq->policy >= 0)
		return d->number == rq->policy;
	return rq->cpu < 0 || cpus_has(&d->cpus, rq->cpu);
}

static int no_such_domain(const struct request *rq, const struct domain *list, size_t n,
			  struct error *err)
{
	char numbers[160] = "";
	size_t used = 0;

	for (size_t i = 0; i < n && used + 16 < sizeof(numbers); i++)
		used += (size_t) snprintf(numbers + used, sizeof(numbers) - used, "%spolicy%d",
					  i ? ", " : "", list[i].number);
	if (rq->policy >= 0)
		return fail(err, -EINVAL, "%s: there is no policy%d with a CPU online, but %s",
			    rq->name, rq->policy, numbers);
	return fail(err, -EINVAL, "%s: no policy has CPU %d online; the policies are %s", rq->name,
		    rq->cpu, numbers);
}

int domains_find(const struct request *rq, struct domain **ret, size_t *ret_n, struct error *err)
{
	_cleanup_free_ struct domain *list = NULL;
	size_t n = 0, kept = 0;
	int r = read_new_layout(rq, &list, &n);

	if (r == 0 && n == 0)
		r = read_old_layout(rq, &list, &n);
	if (r < 0)
		return out_of_memory(err);
	if (n == 0)
		return fail(err, -EOPNOTSUPP,
			    "no cpufreq policies: " CPUFREQ_FOLDER
			    " has none (a virtual machine, or no driver for its frequencies)");
	for (size_t i = 0; i < n; i++) {
		if (!is_selected(rq, &list[i]))
			continue;
		if (kept != i) {
			struct domain swap = list[kept];

			list[kept] = list[i];
			list[i] = swap;
		}
		kept++;
	}
	if (kept == 0)
		return no_such_domain(rq, list, n, err);
	*ret = steal_ptr(list);
	*ret_n = kept;
	return 0;
}

static int add_file(const struct request *rq, enum change_kind kind, const char *path,
		    enum rule rule, struct changes *ret, struct change **ret_change,
		    struct error *err)
{
	struct change *c = changes_add(ret, kind, rq->name, path);

	if (!c)
		return out_of_memory(err);
	c->rule = rule;
	if (ret_change)
		*ret_change = c;
	return 0;
}

int domains_files(const struct request *rq, const char *file, enum rule rule, const char *why,
		  struct changes *ret, struct error *err)
{
	_cleanup_free_ struct domain *list = NULL;
	size_t n, before = ret->n;
	int r = domains_find(rq, &list, &n, err);

	for (size_t i = 0; i < n && r == 0; i++) {
		char path[160];

		snprintf(path, sizeof(path), "%s/%s", list[i].folder, file);
		if (root_exists(rq->root, "%s", path))
			r = add_file(rq, CHANGE_WRITE, path, rule, ret, NULL, err);
	}
	if (r == 0 && ret->n == before)
		return fail(err, -EOPNOTSUPP, "%s: %s/%s is not there: %s", rq->name,
			    list[0].folder, file, why);
	return r;
}

int tunables_folder(const struct root *root, const struct domain *domain, const char *governor,
		    char *buf, size_t size)
{
	if (!*governor || strchr(governor, '/') || governor[0] == '.')
		return -ENOENT;
	snprintf(buf, size, "%s/%s", domain->folder, governor);
	if (root_exists(root, "%s/.", buf))
		return 0;
	snprintf(buf, size, CPUFREQ_FOLDER "/%s", governor);
	return root_exists(root, "%s/.", buf) ? 0 : -ENOENT;
}

int save_file(const struct request *rq, const char *path, enum rule rule, struct changes *ret,
	      struct error *err)
{
	struct change *c = NULL;
	int r;

	if (!root_exists(rq->root, "%s", path))
		return 0;
	r = add_file(rq, CHANGE_SAVE, path, rule, ret, &c, err);
	if (r < 0 || c->old)
		return r;
	r = change_read(rq->root, c, NULL, &c->old);
	if (r < 0) { /* what cannot be read cannot be set either: a status or a trigger */
		change_done(c);
		ret->n--;
	}
	return r == -ENOMEM ? out_of_memory(err) : 0;
}

/* Only what can be written is a setting: the modes of sysfs tell. */
static bool is_writable(const struct root *root, const char *path)
{
	_cleanup_close_ int fd = root_open(root, O_WRONLY | O_NONBLOCK, path);

	return fd >= 0;
}

static int save_setspeed(const struct request *rq, const struct domain *domain, struct changes *ret,
			 struct error *err)
{
	char path[160], speed[64];

	domain_text(rq->root, domain, "scaling_setspeed", speed, sizeof(speed));
	if (!is_number(speed))
		return 0;
	snprintf(path, sizeof(path), "%s/scaling_setspeed", domain->folder);
	return save_file(rq, path, RULE_LIMIT, ret, err);
}

int save_tunables(const struct request *rq, const struct domain *domain, const char *governor,
		  struct changes *ret, struct error *err)
{
	_cleanup_strv_ char **names = NULL;
	size_t before = ret->n;
	char folder[160];
	int r = 0;

	if (streq(governor, "userspace"))
		return save_setspeed(rq, domain, ret, err);
	if (tunables_folder(rq->root, domain, governor, folder, sizeof(folder)) < 0 ||
	    root_list(rq->root, "", &names, "%s", folder) < 0)
		return 0;
	for (char **name = names; *name && r == 0; name++) {
		char path[512];

		if (snprintf(path, sizeof(path), "%s/%s", folder, *name) < (int) sizeof(path) &&
		    is_writable(rq->root, path))
			r = save_file(rq, path, RULE_TEXT, ret, err);
	}
	for (size_t i = before; i < ret->n; i++)
		ret->list[i].passing = true;
	return r;
}

int save_limits(const struct request *rq, struct changes *ret, struct error *err)
{
	/* undone in reverse: first the highest frequency, which a boost moves, then the lowest */
	static const char *const files[] = { "scaling_min_freq", "scaling_max_freq" };
	struct request all = *rq;
	_cleanup_free_ struct domain *list = NULL;
	size_t n = 0;
	int r;

	all.policy = all.cpu = -1;
	r = domains_find(&all, &list, &n, NULL);
	if (r == -EOPNOTSUPP)
		return 0;
	if (r < 0)
		return out_of_memory(err);
	for (size_t i = 0; i < n * ARRAY_SIZE(files); i++) {
		char path[160];

		snprintf(path, sizeof(path), "%s/%s", list[i / 2].folder, files[i % 2]);
		r = save_file(rq, path, RULE_LIMIT, ret, err);
		if (r < 0)
			return r;
	}
	return 0;
}

const char *batch_governor(const struct request *rq, const struct domain *domain, char *buf,
			   size_t size)
{
	const char *found = NULL;

	for (size_t i = 0; i < rq->n_batch; i++) {
		const struct request *other = &rq->batch[i];

		if (other->knob == &knob_governor && is_selected(other, domain))
			found = other->value;
	}
	if (!found)
		return NULL;
	snprintf(buf, size, "%.*s", (int) strcspn(found, "@"), found);
	return buf;
}
