/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program says on standard error: one line each, `tacho: text`. Never called on a measured
 * path. */
#pragma once

#include "lib/macro.h"

enum log_level { LOG_ERROR, LOG_WARNING, LOG_NOTE, LOG_DEBUG };

/* Up to which level messages are shown; LOG_NOTE at the start, -q LOG_WARNING, -v LOG_DEBUG. */
void log_set_level(enum log_level level);
enum log_level log_get_level(void);

void log_at(enum log_level level, const char *format, ...) PRINTF(2, 3);

#define log_error(...) log_at(LOG_ERROR, __VA_ARGS__)
#define log_warning(...) log_at(LOG_WARNING, __VA_ARGS__)
#define log_note(...) log_at(LOG_NOTE, __VA_ARGS__)
#define log_debug(...) log_at(LOG_DEBUG, __VA_ARGS__)

/*
 * A line of progress that overwrites the one before. Shown only where standard error is a terminal
 * and the level is at least LOG_NOTE; log_progress_end() clears it. A message in between clears it
 * first.
 */
void log_progress(const char *format, ...) PRINTF(1, 2);
void log_progress_end(void);
