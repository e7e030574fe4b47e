/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quantities as people write and read them. */
#pragma once

#include <stdint.h>

#include "lib/error.h"

/*
 * A time with its unit: `100ms`, `1.5s`, `5m`, `2h`, `250us`, `50ns`, in nanoseconds; `0` alone
 * needs none. Returns 0 or -EINVAL with ERR set; ERR says NAME.
 */
int parse_time(const char *name, const char *text, uint64_t *ret_ns, struct error *err);

/* A number alone, decimal or 0x hexadecimal. */
int parse_u64_text(const char *name, const char *text, uint64_t *ret, struct error *err);
int parse_s64_text(const char *name, const char *text, int64_t *ret, struct error *err);
int parse_double_text(const char *name, const char *text, double *ret, struct error *err);

/* Bytes: `4096`, `64k`, `1M` (powers of 1024). */
int parse_size(const char *name, const char *text, uint64_t *ret, struct error *err);

/* A frequency in kHz: `1800000` (kHz as the kernel writes it), `1800MHz`, `1.8GHz`, `1800000kHz`.
 */
int parse_khz(const char *name, const char *text, uint64_t *ret_khz, struct error *err);

/* Writes a time with three digits that say something: `145.3 ms`. BUF of 32 suffices. Returns BUF.
 */
char *format_seconds(double seconds, char *buf, size_t size);

/* Writes a time in ns exactly and as short as it goes, in the form that parse_time() reads:
 * `100ms`. */
char *format_time_exact(uint64_t ns, char *buf, size_t size);

/* Writes `1.80 GHz` or `300 MHz`. */
char *format_khz(uint64_t khz, char *buf, size_t size);
