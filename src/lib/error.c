/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/error.h"

#include <errno.h>
#include <stdarg.h>

int fail(struct error *err, int code, const char *format, ...)
{
	va_list ap;

	if (!err || err->code)
		return code;
	err->code = code;
	va_start(ap, format);
	vsnprintf(err->text, sizeof(err->text), format, ap);
	va_end(ap);
	return code;
}

int fail_prefix(struct error *err, int code, const char *format, ...)
{
	char old[sizeof(err->text)];
	va_list ap;
	int n;

	if (!err)
		return code;
	memcpy(old, err->text, sizeof(old));
	va_start(ap, format);
	n = vsnprintf(err->text, sizeof(err->text), format, ap);
	va_end(ap);
	if (n >= 0 && (size_t) n + 3 < sizeof(err->text))
		snprintf(err->text + n, sizeof(err->text) - (size_t) n, ": %.*s",
			 (int) (sizeof(err->text) - (size_t) n) - 3, old);
	return code;
}

void error_clear(struct error *err)
{
	err->code = 0;
	err->text[0] = '\0';
}

enum exit_status error_status(int code)
{
	switch (code) {
	case 0:
		return STATUS_OK;
	case -EINVAL:
		return STATUS_USAGE;
	case -EOPNOTSUPP:
		return STATUS_UNSUPPORTED;
	case -EINTR:
		return STATUS_INTERRUPTED;
	case -ENOTRECOVERABLE:
		return STATUS_NOT_RESTORED;
	default:
		return STATUS_FAILED;
	}
}
