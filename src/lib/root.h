/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every file of the kernel is reached through a root, which is `/` or the copy of a machine's tree
 * (--sysroot). Paths are absolute (`/sys/devices/system/cpu/online`) and never leave the root,
 * whatever symbolic links say (openat2(2), RESOLVE_IN_ROOT).
 */
#pragma once

#include <stdint.h>

#include "lib/cpus.h"
#include "lib/macro.h"

struct root;

/* PREFIX NULL means `/`. Returns 0 or a negative errno with ERR set. */
int root_new(const char *prefix, struct root **ret, struct error *err);
void root_free(struct root *root);
static inline void root_freep(struct root **root)
{
	root_free(*root);
}
#define _cleanup_root_ _cleanup_(root_freep)

bool root_is_system(const struct root *root); /* the real `/`: things may be set, and ran here */
const char *root_prefix(const struct root *root); /* "" for the real one */

/* Opens PATH with FLAGS (O_CLOEXEC is added). Returns a descriptor or a negative errno. */
int root_open(const struct root *root, int flags, const char *path);

/*
 * Reads a file whole as text into BUF: ends it with a zero and takes white space off its end.
 * Returns the length, or a negative errno; -ENODATA where the file is empty, -E2BIG where it does
 * not fit, -EILSEQ where it holds a zero byte.
 */
int root_read(const struct root *root, char *buf, size_t size, const char *path_format, ...)
	PRINTF(4, 5);

/* The same into memory that the caller frees; at most MAX bytes, a longer file is -E2BIG. */
int root_read_all(const struct root *root, size_t max, char **ret, const char *path_format, ...)
	PRINTF(4, 5);

/* One number, decimal or 0x hexadecimal, alone in its file; -EBADMSG where the file holds anything
 * else. */
int root_read_u64(const struct root *root, uint64_t *ret, const char *path_format, ...)
	PRINTF(3, 4);
int root_read_s64(const struct root *root, int64_t *ret, const char *path_format, ...) PRINTF(3, 4);

/* A CPU list in any of the kernel's forms. */
int root_read_cpus(const struct root *root, struct cpus *ret, const char *path_format, ...)
	PRINTF(3, 4);

/* Writes TEXT in one write(2), as sysfs wants it; nothing is created. Returns 0 or a negative
 * errno. In a copied tree the copy is written, so that knobs can be tried on one. */
int root_write(const struct root *root, const char *text, const char *path_format, ...)
	PRINTF(3, 4);

bool root_exists(const struct root *root, const char *path_format, ...) PRINTF(2, 3);

/*
 * The names in a directory that start with PREFIX ("" for all), sorted with numbers by value; a
 * NULL ends them. Returns how many, or a negative errno. The caller frees with strv_free().
 */
int root_list(const struct root *root, const char *prefix, char ***ret, const char *path_format,
	      ...) PRINTF(4, 5);

void strv_free(char **v);
static inline void strv_freep(char ***v)
{
	strv_free(*v);
}
#define _cleanup_strv_ _cleanup_(strv_freep)
