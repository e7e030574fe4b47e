/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/value.h"

#include <errno.h>
#include <math.h>

#include "lib/clock.h"
#include "lib/macro.h"
#include "report/clean.h"

#define DEEPEST 64

json_object *value_number(double number)
{
	char text[32];

	if (!isfinite(number))
		return NULL;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	return json_object_new_double_s(number, text);
}

json_object *value_string(const char *text)
{
	_cleanup_free_ char *clean = clean_utf8(text);

	return clean ? json_object_new_string(clean) : NULL;
}

json_object *value_time(double seconds)
{
	char text[64];

	if (!isfinite(seconds) || seconds <= 0 || seconds > 253402300799.0) /* the year 9999 */
		return NULL;
	wall_format(seconds, text, sizeof(text));
	return json_object_new_string(text);
}

static bool not_finite(json_object *x)
{
	return json_object_is_type(x, json_type_double) && !isfinite(json_object_get_double(x));
}

/* json-c reads NaN, Infinity and 1e999, which JSON has no numbers for. */
static void remove_not_finite(json_object *x)
{
	if (json_object_is_type(x, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(x); i++) {
			json_object *child = json_object_array_get_idx(x, i);

			if (not_finite(child))
				json_object_array_put_idx(x, i, NULL);
			else
				remove_not_finite(child);
		}
	} else if (json_object_is_type(x, json_type_object)) {
		json_object_object_foreach(x, key, child)
		{
			if (not_finite(child))
				json_object_object_add(x, key, NULL);
			else
				remove_not_finite(child);
		}
	}
}

json_object *value_parsed(const char *text)
{
	_cleanup_free_ char *clean = clean_utf8(text);
	json_tokener *tokener = clean ? json_tokener_new_ex(DEEPEST) : NULL;
	json_object *x = NULL;

	if (!tokener)
		return NULL;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	x = json_tokener_parse_ex(tokener, clean, (int) MIN(strlen(clean) + 1, (size_t) INT32_MAX));
	if (json_tokener_get_error(tokener) != json_tokener_success || not_finite(x)) {
		json_object_put(x);
		x = NULL;
	}
	json_tokener_free(tokener);
	remove_not_finite(x);
	return x;
}

void value_add(json_object *object, const char *key, json_object *value)
{
	if (json_object_object_add(object, key, value) < 0)
		json_object_put(value);
}

int value_print(json_object *value, FILE *out, struct error *err)
{
	const char *text =
		value ? json_object_to_json_string_ext(
				value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)
		      : NULL;
	int r = text ? 0 : fail(err, -ENOMEM, "out of memory");

	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(value);
	return r;
}
