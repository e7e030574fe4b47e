/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading and writing whole files outside the kernel's trees. */
#pragma once

#include "lib/error.h"
#include "lib/macro.h"

/* Reads up to the end into BUF of SIZE, ends it with a zero. -E2BIG where it does not fit. */
int file_read_fd(int fd, char *buf, size_t size, size_t *ret_used);

/* Writes all of BUF, however often write(2) must be called. Returns 0 or a negative errno. */
int file_write_all(int fd, const void *buf, size_t size);

/* Makes a folder and those above it, mode 0755 less umask. Returns 0 (also where it is there
 * already) or a negative errno. */
int make_folders(const char *path);
