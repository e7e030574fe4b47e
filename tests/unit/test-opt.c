/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <errno.h>

#include "lib/opt.h"

struct conf {
	bool flag;
	char *text;
	char **list;
	int64_t number;
	uint64_t count, time, size;
	double fraction;
	int choice;
};

static const char *const choices[] = { "text", "json", NULL };
#define FIELD(field) offsetof(struct conf, field)
static const struct opt opts[] = {
	{ "flag", 'f', OPT_FLAG, FIELD(flag), .help = "a flag" },
	{ "text", 0, OPT_STRING, FIELD(text), .def = "none", .help = "a text" },
	{ "vary", 0, OPT_STRINGS, FIELD(list), .help = "a list" },
	{ "number", 'n', OPT_INT, FIELD(number), -20, 19, "0", .help = "a number" },
	{ "count", 'c', OPT_UINT, FIELD(count), 1, 100, "5", .help = "a count" },
	{ "time", 't', OPT_TIME, FIELD(time), 1e3, 1e9, "100ms", .help = "a time" },
	{ "size", 0, OPT_SIZE, FIELD(size), .help = "a size" },
	{ "fraction", 0, OPT_NUMBER, FIELD(fraction), 0, 1, "0.5", .help = "a fraction" },
	{ "choice", 0, OPT_CHOICE, FIELD(choice), .def = "text", .choices = choices,
	  .help = "a choice" },
	{ 0 },
};

static int parse(struct conf *conf, char **argv, int *words, struct error *err)
{
	struct opt_group group = { "Options", opts, conf };
	int argc = 0;

	while (argv[argc])
		argc++;
	assert_int_equal(opts_init(opts, conf, NULL), 0);
	return opts_parse(&group, 1, argc, argv, words, err);
}

/* Arguments as main() gets them; the parser moves the pointers but writes none of the texts. */
#define ARGV(...) (char **) (uintptr_t) ((const char *[]) { "verb", __VA_ARGS__, NULL })

static void parses(void **state)
{
	struct conf conf = { 0 };
	char **argv = ARGV("word", "--flag", "--text=a=b", "-n-3", "--vary", "a=1,2", "--vary=b=3",
			   "-c", "7", "-t250us", "--choice", "json", "--size", "64k", "other", "--",
			   "--not-an-option");
	int words;

	assert_int_equal(parse(&conf, argv, &words, NULL), 0);
	assert_int_equal(words, 3);
	assert_string_equal(argv[1], "word");
	assert_string_equal(argv[2], "other");
	assert_string_equal(argv[3], "--not-an-option");
	assert_true(conf.flag);
	assert_string_equal(conf.text, "a=b");
	assert_int_equal(conf.number, -3);
	assert_string_equal(conf.list[0], "a=1,2");
	assert_string_equal(conf.list[1], "b=3");
	assert_null(conf.list[2]);
	assert_int_equal(conf.count, 7);
	assert_int_equal(conf.time, 250000);
	assert_int_equal(conf.size, 65536);
	assert_int_equal(conf.choice, 1);
	assert_true(conf.fraction == 0.5);
	opts_free(opts, &conf);
	assert_null(conf.text);
}

static void bundles_letters(void **state)
{
	struct conf conf = { 0 };
	int words;

	assert_int_equal(parse(&conf, ARGV("-fc9"), &words, NULL), 0);
	assert_true(conf.flag);
	assert_int_equal(conf.count, 9);
	opts_free(opts, &conf);
}

static void refuses(void **state)
{
	static const struct {
		const char *argument, *says;
	} bad[] = {
		{ "--falg", "did you mean --flag" },
		{ "--zzzzzz", "--help" },
		{ "-z", "-z" },
		{ "--count=0", "out of range" },
		{ "--count=101", "1 to 100" },
		{ "--count=x", "--count" },
		{ "--time=5", "unit" },
		{ "--time=2s", "1us to 1s" },
		{ "--choice=xml", "text, json" },
		{ "--count", "needs a value" },
		{ "-c", "needs a value" },
		{ "--fraction=1.5", "out of range" },
		{ "--flag=maybe", "yes, no" },
		{ "--number=-21", "-20 to 19" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct conf conf = { 0 };
		struct error err = { 0 };
		char argument[64];
		int words;

		strcpy(argument, bad[i].argument);
		assert_int_equal(parse(&conf, ARGV(argument), &words, &err), -EINVAL);
		assert_non_null(strstr(err.text, bad[i].says));
		opts_free(opts, &conf);
	}
}

/* What opt_get() writes opt_set() reads back to the same. */
static void round_trip(void **state)
{
	struct conf conf = { 0 }, copy = { 0 };
	int words;

	assert_int_equal(parse(&conf,
			       ARGV("--flag", "--text", "x y", "-n", "-7", "-t", "1500us", "--size",
				    "3", "--fraction", "0.125"),
			       &words, NULL),
			 0);
	for (const struct opt *opt = opts; opt->name; opt++) {
		char *text = opt_get(opt, &conf), *again;

		if (!text)
			continue;
		assert_int_equal(opt_set(opt, &copy, text, NULL), 0);
		again = opt_get(opt, &copy);
		assert_string_equal(text, again);
		free(text);
		free(again);
	}
	assert_false(opt_is_default(opt_find(opts, "text"), &conf));
	assert_true(opt_is_default(opt_find(opts, "count"), &conf));
	assert_true(opt_is_default(opt_find(opts, "vary"), &conf));
	opts_free(opts, &conf);
	opts_free(opts, &copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses),
		cmocka_unit_test(bundles_letters),
		cmocka_unit_test(refuses),
		cmocka_unit_test(round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
