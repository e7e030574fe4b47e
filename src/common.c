/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <sys/ioctl.h>

#include "lib/log.h"
#include "verb.h"

static const char *const formats[] = { "text", "json", NULL };
static const char *const colors[] = { "auto", "always", "never", NULL };

#define FIELD(field) offsetof(struct common, field)
const struct opt common_opts[] = {
	{ "format", 0, OPT_CHOICE, FIELD(format), .def = "text", .choices = formats,
	  .arg = "text|json", .help = "form of the result" },
	{ "output", 'o', OPT_STRING, FIELD(output), .arg = "FILE",
	  .help = "write the result to FILE instead of standard output" },
	{ "samples", 0, OPT_FLAG, FIELD(samples),
	  .help = "every iteration in the output (they are always in the store)" },
	{ "db", 0, OPT_STRING, FIELD(db), .arg = "FILE",
	  .help = "database of results; default $TACHO_DB or the user's data folder" },
	{ "state", 0, OPT_STRING, FIELD(state), .arg = "DIR",
	  .help = "where changes are journalled; default /var/lib/tacho" },
	{ "sysroot", 0, OPT_STRING, FIELD(sysroot), .arg = "DIR",
	  .help = "look at a copy of another machine's /sys and /proc" },
	{ "wait", 0, OPT_FLAG, FIELD(wait), .help = "wait for another tacho that is measuring" },
	{ "dry-run", 0, OPT_FLAG, FIELD(dry_run),
	  .help = "print the plan and how long it takes, change nothing" },
	{ "color", 0, OPT_CHOICE, FIELD(color), .def = "auto", .choices = colors,
	  .arg = "auto|always|never", .help = "colours in text" },
	{ "quiet", 'q', OPT_FLAG, FIELD(quiet), .help = "only results, warnings and errors" },
	{ "verbose", 'v', OPT_FLAG, FIELD(verbose), .help = "say more on standard error" },
	{ "help", 'h', OPT_FLAG, FIELD(help), .help = "this text" },
	{ 0 },
};

static void print_help(const struct verb *verb, const struct opt_group *groups, size_t n)
{
	printf("Usage: tacho %s%s%s [options]\n\n%s.\n", verb->name, verb->arguments[0] ? " " : "",
	       verb->arguments, verb->help);
	for (size_t i = 0; i < n; i++) {
		printf("\n%s:\n", groups[i].title);
		opts_help(stdout, groups[i].opts);
	}
	printf("\nCommon options:\n");
	opts_help(stdout, common_opts);
}

int common_parse(struct common *common, const struct verb *verb, const struct opt_group *groups,
		 size_t n, int argc, char **argv, int *ret_words, struct error *err)
{
	struct opt_group all[8] = { 0 };
	int r;

	if (n + 1 > ARRAY_SIZE(all))
		return fail(err, -E2BIG, "too many groups of options");
	*common = (struct common) { 0 };
	for (size_t i = 0; i < n; i++)
		all[i] = groups[i];
	all[n] = (struct opt_group) { "Common options", common_opts, common };
	r = opts_init(common_opts, common, err);
	if (r == 0)
		r = opts_parse(all, n + 1, argc, argv, ret_words, err);
	if (r < 0)
		return r;
	log_set_level(common->quiet ? LOG_WARNING : common->verbose ? LOG_DEBUG : LOG_NOTE);
	if (!common->help)
		return 0;
	print_help(verb, groups, n);
	return 1;
}

void common_done(struct common *common)
{
	opts_free(common_opts, common);
}

int common_machine(const struct common *common, struct root **ret_root,
		   struct machine **ret_machine, struct error *err)
{
	int r = root_new(common->sysroot, ret_root, err);

	return r < 0 ? r : machine_read(*ret_root, ret_machine, err);
}

int common_output(const struct common *common, FILE **ret, struct error *err)
{
	*ret = stdout;
	if (!common->output || streq(common->output, "-"))
		return 0;
	*ret = fopen(common->output, "we");
	if (!*ret)
		return fail(err, errno == EISDIR || errno == ENOENT ? -EINVAL : -errno, "-o %s: %s",
			    common->output, strerror(errno));
	return 0;
}

int common_output_done(const struct common *common, FILE *out, struct error *err)
{
	bool broken = fflush(out) != 0 || ferror(out);
	int saved = errno;

	if (out != stdout && fclose(out) != 0) {
		broken = true;
		saved = errno;
	}
	if (broken)
		return fail(err, -EIO, "cannot write the result to %s: %s",
			    out == stdout ? "standard output" : common->output, strerror(saved));
	return 0;
}

bool common_color(const struct common *common, FILE *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (common->color)
		return common->color == 1;
	return isatty(fileno(out)) && !(no_color && *no_color) && !(term && streq(term, "dumb"));
}

size_t common_width(FILE *out)
{
	struct winsize size;

	return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 ? size.ws_col : 100;
}

int verb_end(int r, const struct error *err)
{
	if (r >= 0)
		return STATUS_OK;
	log_error("%s", err->text[0] ? err->text : strerror(-r));
	return error_status(r);
}
