/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/log.h"

#include <stdarg.h>

static enum log_level level = LOG_NOTE;
static bool progress_shown;

void log_set_level(enum log_level new_level)
{
	level = new_level;
}

enum log_level log_get_level(void)
{
	return level;
}

void log_at(enum log_level at, const char *format, ...)
{
	static const char *const prefix[] = {
		[LOG_ERROR] = "tacho: ",
		[LOG_WARNING] = "tacho: warning: ",
		[LOG_NOTE] = "tacho: ",
		[LOG_DEBUG] = "tacho: debug: ",
	};
	char line[2048];
	va_list ap;

	if (at > level)
		return;
	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	log_progress_end();
	fprintf(stderr, "%s%s\n", prefix[at], line);
}

void log_progress(const char *format, ...)
{
	va_list ap;

	if (level < LOG_NOTE || !isatty(STDERR_FILENO))
		return;
	fputs("\r\033[K", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fflush(stderr);
	progress_shown = true;
}

void log_progress_end(void)
{
	if (!progress_shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress_shown = false;
}
