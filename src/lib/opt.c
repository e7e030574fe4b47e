/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/opt.h"

#include <errno.h>

#include "lib/nearest.h"
#include "lib/units.h"

#define FIELD(type, conf, opt) ((type *) (void *) ((char *) (conf) + (opt)->offset))
#define CFIELD(type, conf, opt) \
	((type const *) (const void *) ((const char *) (conf) + (opt)->offset))

const struct opt *opt_find(const struct opt *opts, const char *name)
{
	for (; opts && opts->name; opts++)
		if (streq(opts->name, name))
			return opts;
	return NULL;
}

static int check_range(const struct opt *opt, const char *name, const char *text, double value,
		       struct error *err)
{
	char low[32], high[32];

	if ((opt->min == 0 && opt->max == 0) || (value >= opt->min && value <= opt->max))
		return 0;
	if (opt->type == OPT_TIME) {
		format_time_exact((uint64_t) opt->min, low, sizeof(low));
		format_time_exact((uint64_t) opt->max, high, sizeof(high));
	} else {
		snprintf(low, sizeof(low), "%.15g", opt->min);
		snprintf(high, sizeof(high), "%.15g", opt->max);
	}
	return fail(err, -EINVAL, "%s: `%s` is out of range, expected %s to %s", name, text, low,
		    high);
}

static int set_choice(const struct opt *opt, int *field, const char *name, const char *text,
		      struct error *err)
{
	char list[256] = "";

	for (int i = 0; opt->choices[i]; i++) {
		size_t used = strlen(list);

		if (streq(opt->choices[i], text)) {
			*field = i;
			return 0;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", opt->choices[i]);
	}
	return fail(err, -EINVAL, "%s: `%s` is none of %s", name, text, list);
}

static int set_string(char **field, const char *text, struct error *err)
{
	char *copy = strdup(text);

	if (!copy)
		return fail(err, -ENOMEM, "out of memory");
	free(*field);
	*field = copy;
	return 0;
}

static int add_string(char ***field, const char *text, struct error *err)
{
	size_t n = 0;
	char **larger;

	while (*field && (*field)[n])
		n++;
	larger = realloc(*field, (n + 2) * sizeof(*larger));
	if (!larger)
		return fail(err, -ENOMEM, "out of memory");
	*field = larger;
	larger[n] = strdup(text);
	larger[n + 1] = NULL;
	return larger[n] ? 0 : fail(err, -ENOMEM, "out of memory");
}

static int set_flag(bool *field, const char *name, const char *text, struct error *err)
{
	if (streq(text, "yes") || streq(text, "1"))
		*field = true;
	else if (streq(text, "no") || streq(text, "0"))
		*field = false;
	else
		return fail(err, -EINVAL, "%s: `%s` is none of yes, no", name, text);
	return 0;
}

static int set_u64(const struct opt *opt, void *conf, const char *name, const char *text,
		   struct error *err)
{
	uint64_t value = 0;
	int r;

	if (opt->type == OPT_TIME)
		r = parse_time(name, text, &value, err);
	else if (opt->type == OPT_SIZE)
		r = parse_size(name, text, &value, err);
	else
		r = parse_u64_text(name, text, &value, err);
	if (r == 0)
		r = check_range(opt, name, text, (double) value, err);
	if (r == 0)
		*FIELD(uint64_t, conf, opt) = value;
	return r;
}

int opt_set(const struct opt *opt, void *conf, const char *text, struct error *err)
{
	char name[64];
	int64_t s = 0;
	double d = 0;
	int r;

	snprintf(name, sizeof(name), "--%s", opt->name);
	switch (opt->type) {
	case OPT_FLAG:
		return set_flag(FIELD(bool, conf, opt), name, text, err);
	case OPT_STRING:
		return set_string(FIELD(char *, conf, opt), text, err);
	case OPT_STRINGS:
		return add_string(FIELD(char **, conf, opt), text, err);
	case OPT_CHOICE:
		return set_choice(opt, FIELD(int, conf, opt), name, text, err);
	case OPT_INT:
		r = parse_s64_text(name, text, &s, err);
		if (r == 0)
			r = check_range(opt, name, text, (double) s, err);
		if (r == 0)
			*FIELD(int64_t, conf, opt) = s;
		return r;
	case OPT_NUMBER:
		r = parse_double_text(name, text, &d, err);
		if (r == 0)
			r = check_range(opt, name, text, d, err);
		if (r == 0)
			*FIELD(double, conf, opt) = d;
		return r;
	case OPT_UINT:
	case OPT_TIME:
	case OPT_SIZE:
		return set_u64(opt, conf, name, text, err);
	}
	return -EINVAL;
}

static char *join(const char *const *v)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (size_t i = 0; v[i]; i++)
		fprintf(f, "%s%s", i ? "," : "", v[i]);
	fclose(f);
	return text;
}

char *opt_get(const struct opt *opt, const void *conf)
{
	char buf[64];
	const char *text = buf;

	switch (opt->type) {
	case OPT_FLAG:
		text = *CFIELD(bool, conf, opt) ? "yes" : "no";
		break;
	case OPT_STRING:
		text = *CFIELD(char *, conf, opt);
		break;
	case OPT_STRINGS:
		return *CFIELD(const char *const *, conf, opt)
			       ? join(*CFIELD(const char *const *, conf, opt))
			       : NULL;
	case OPT_CHOICE:
		text = opt->choices[*CFIELD(int, conf, opt)];
		break;
	case OPT_INT:
		snprintf(buf, sizeof(buf), "%lld", (long long) *CFIELD(int64_t, conf, opt));
		break;
	case OPT_NUMBER:
		snprintf(buf, sizeof(buf), "%.15g", *CFIELD(double, conf, opt));
		break;
	case OPT_TIME:
		format_time_exact(*CFIELD(uint64_t, conf, opt), buf, sizeof(buf));
		break;
	case OPT_UINT:
	case OPT_SIZE:
		snprintf(buf, sizeof(buf), "%llu",
			 (unsigned long long) *CFIELD(uint64_t, conf, opt));
		break;
	}
	return text ? strdup(text) : NULL;
}

int opts_init(const struct opt *opts, void *conf, struct error *err)
{
	for (; opts && opts->name; opts++) {
		int r = opts->def ? opt_set(opts, conf, opts->def, err) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}

void opts_free(const struct opt *opts, void *conf)
{
	for (; opts && opts->name; opts++) {
		if (opts->type == OPT_STRING) {
			free(*FIELD(char *, conf, opts));
			*FIELD(char *, conf, opts) = NULL;
		} else if (opts->type == OPT_STRINGS && *FIELD(char **, conf, opts)) {
			for (char **p = *FIELD(char **, conf, opts); *p; p++)
				free(*p);
			free(*FIELD(char **, conf, opts));
			*FIELD(char **, conf, opts) = NULL;
		}
	}
}

bool opt_is_default(const struct opt *opt, const void *conf)
{
	union {
		uint64_t words[2];
		char bytes[16];
	} field = { 0 };
	struct opt at_start = *opt;
	_cleanup_free_ char *now = opt_get(opt, conf), *def = NULL;

	at_start.offset = 0;
	if (opt->def && opt_set(&at_start, field.bytes, opt->def, NULL) < 0)
		return false;
	def = opt_get(&at_start, field.bytes);
	if (opt->type == OPT_STRING)
		free(*FIELD(char *, field.bytes, &at_start));
	return now && def ? streq(now, def) : now == def;
}

/* Finds an option by long name (letter 0) or by letter (name NULL). */
static const struct opt *find(const struct opt_group *groups, size_t n, const char *name,
			      char letter, void **ret_conf)
{
	for (size_t i = 0; i < n; i++)
		for (const struct opt *opt = groups[i].opts; opt && opt->name; opt++)
			if (name ? streq(opt->name, name) : opt->letter == letter) {
				*ret_conf = groups[i].conf;
				return opt;
			}
	return NULL;
}

static int unknown(const struct opt_group *groups, size_t n, const char *name, struct error *err)
{
	const char *names[256], *hint;
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		for (const struct opt *opt = groups[i].opts;
		     opt && opt->name && count < ARRAY_SIZE(names); opt++)
			names[count++] = opt->name;
	hint = nearest_name(name, names, count);
	if (hint)
		return fail(err, -EINVAL, "unknown option --%s; did you mean --%s?", name, hint);
	return fail(err, -EINVAL, "unknown option --%s; --help lists the options", name);
}

static int parse_long(const struct opt_group *groups, size_t n, char **argv, int argc, int *i,
		      struct error *err)
{
	char name[64];
	const char *body = argv[*i] + 2, *value = strchr(body, '=');
	size_t length = value ? (size_t) (value - body) : strlen(body);
	const struct opt *opt;
	void *conf;

	if (length >= sizeof(name))
		return fail(err, -EINVAL, "unknown option --%.60s...; --help lists the options",
			    body);
	memcpy(name, body, length);
	name[length] = '\0';
	opt = find(groups, n, name, 0, &conf);
	if (!opt)
		return unknown(groups, n, name, err);
	if (value)
		value++;
	else if (opt->type == OPT_FLAG)
		value = "yes";
	else if (*i + 1 < argc)
		value = argv[++*i];
	else
		return fail(err, -EINVAL, "--%s needs a value (%s)", opt->name,
			    opt->arg ? opt->arg : "VALUE");
	return opt_set(opt, conf, value, err);
}

static int parse_letters(const struct opt_group *groups, size_t n, char **argv, int argc, int *i,
			 struct error *err)
{
	for (const char *p = argv[*i] + 1; *p; p++) {
		const char *value = p + 1;
		const struct opt *opt;
		void *conf;
		int r;

		opt = find(groups, n, NULL, *p, &conf);
		if (!opt)
			return fail(err, -EINVAL, "unknown option -%c; --help lists the options",
				    *p);
		if (opt->type == OPT_FLAG) {
			r = opt_set(opt, conf, "yes", err);
			if (r < 0)
				return r;
			continue;
		}
		if (!*value && *i + 1 < argc)
			value = argv[++*i];
		else if (!*value)
			return fail(err, -EINVAL, "-%c needs a value (%s)", *p,
				    opt->arg ? opt->arg : "VALUE");
		return opt_set(opt, conf, value, err);
	}
	return 0;
}

int opts_parse(const struct opt_group *groups, size_t n, int argc, char **argv, int *ret_words,
	       struct error *err)
{
	int words = 0;

	for (int i = 1; i < argc; i++) {
		int r = 0;

		if (streq(argv[i], "--")) {
			for (i++; i < argc; i++)
				argv[1 + words++] = argv[i];
			break;
		}
		if (strafter(argv[i], "--"))
			r = parse_long(groups, n, argv, argc, &i, err);
		else if (argv[i][0] == '-' && argv[i][1])
			r = parse_letters(groups, n, argv, argc, &i, err);
		else
			argv[1 + words++] = argv[i];
		if (r < 0)
			return r;
	}
	*ret_words = words;
	return 0;
}

void opts_help(FILE *out, const struct opt *opts)
{
	for (; opts && opts->name; opts++) {
		char left[64];
		const char *arg = opts->type == OPT_FLAG ? NULL : opts->arg ? opts->arg : "VALUE";

		snprintf(left, sizeof(left), "%c%c%s--%s%s%s", opts->letter ? '-' : ' ',
			 opts->letter ? opts->letter : ' ', opts->letter ? ", " : "  ", opts->name,
			 arg ? " " : "", arg ? arg : "");
		fprintf(out, "  %-32s %s", left, opts->help);
		if (opts->def && opts->def[0])
			fprintf(out, " [%s]", opts->def);
		fputc('\n', out);
	}
}
