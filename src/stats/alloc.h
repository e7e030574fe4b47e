/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory helpers of this folder, which depends on nothing but the C library. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

static inline void stats_freep(void *p)
{
	free(*(void **) p);
}

#define stats_cleanup_free __attribute__((cleanup(stats_freep)))

/* n doubles, zeroed; never a zero-sized request, so that NULL always means "no memory". */
static inline double *stats_doubles(size_t n)
{
	return calloc(n ? n : 1, sizeof(double));
}
