/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpufreq policies as knobs need them: read anew whenever asked, because a driver's change of mode
 * makes new ones.
 */
#pragma once

#include "knob/knob-internal.h"

#define CPU_FOLDER "/sys/devices/system/cpu"
#define CPUFREQ_FOLDER CPU_FOLDER "/cpufreq"

struct domain {
	int number;
	char folder[96];
	struct cpus cpus; /* online; empty where the tree does not say */
};

/*
 * The policies with CPUs online, those alone that the request is narrowed to; RET is allocated, at
 * least one. -EOPNOTSUPP where the machine has none, -EINVAL where it has none of that number.
 */
int domains_find(const struct request *rq, struct domain **ret, size_t *ret_n, struct error *err);

/* Adds FILE of each selected policy that has it. -EOPNOTSUPP with WHY where none does. */
int domains_files(const struct request *rq, const char *file, enum rule rule, const char *why,
		  struct changes *ret, struct error *err);

/* Where GOVERNOR keeps its tunables for a policy: in its own folder or in the one for all. -ENOENT
 * where it has none or is not in force. */
int tunables_folder(const struct root *root, const struct domain *domain, const char *governor,
		    char *buf, size_t size);

/* Adds the governor's tunables of a policy as values that a change will destroy. */
int save_tunables(const struct request *rq, const struct domain *domain, const char *governor,
		  struct changes *ret, struct error *err);

/* The same for the limits of all policies (a switch of the boost resets the highest frequency). */
int save_limits(const struct request *rq, struct changes *ret, struct error *err);

/* The same for one file with one value; nothing where there is no such file. */
int save_file(const struct request *rq, const char *path, enum rule rule, struct changes *ret,
	      struct error *err);

/* The governors that scaling_available_governors lists for a policy; NULL-terminated. */
int governors_listed(const struct root *root, const struct domain *domain, char ***ret);

/* Whether GOVERNOR is offered for the policy, by name or as a module. The text lists those there
 * are. */
int governor_check(const struct request *rq, const struct domain *domain, const char *governor,
		   struct error *err);

/* Whether the module cpufreq_GOVERNOR is there to be loaded. */
bool governor_module_exists(const struct root *root, const char *governor);

/* Whether /proc/modules has NAME; -1 where it cannot be read, else its use count in *RET_USED. */
int module_loaded(const struct root *root, const char *name, long *ret_used);

/* The name of the governor that the batch sets for the policy, or NULL where it sets none. */
const char *batch_governor(const struct request *rq, const struct domain *domain, char *buf,
			   size_t size);

/* The file's content as one text without white space at its end, or "". */
const char *domain_text(const struct root *root, const struct domain *domain, const char *file,
			char *buf, size_t size);
