/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single values for JSON, whatever they hold: always valid JSON comes out. Not for other folders.
 */
#pragma once

#include <json-c/json.h>
#include <stdio.h>

#include "lib/error.h"

/* A number in as few digits as give it back exactly; null where it is not finite. */
json_object *value_number(double number);

/* Text with invalid UTF-8 replaced; null for NULL. */
json_object *value_string(const char *text);

/* An instant in UTC, `2026-01-31T12:00:00Z`; null for 0 or no number. */
json_object *value_time(double seconds);

/* JSON in a text; null where it is none. Numbers that are not finite become null. */
json_object *value_parsed(const char *text);

/* Adds a member, and puts VALUE where that fails. */
void value_add(json_object *object, const char *key, json_object *value);

/* Prints VALUE as one line and puts it. NULL is -ENOMEM. */
int value_print(json_object *value, FILE *out, struct error *err);
