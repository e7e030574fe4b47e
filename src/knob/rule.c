/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the content of a file and a value are compared (change.h says what each rule is). */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "knob/change.h"
#include "lib/file.h"

#define MOST_CONTENT (256 * 1024)
#define TABLELESS_STEP_KHZ 100000 /* one step of a processor's bus clock ratio */

static const char *const rule_names[N_RULES] = {
	[RULE_TEXT] = "text",       [RULE_LIMIT] = "limit", [RULE_EPP] = "epp",
	[RULE_FEATURE] = "feature", [RULE_HELD] = "held",
};

const char *rule_name(enum rule rule)
{
	return rule_names[rule];
}

bool path_is_volatile(const char *path)
{
	return strafter(path, "/sys/") || strafter(path, "/proc/") || strafter(path, "/dev/");
}

static int read_raw(const struct root *root, const char *path, char **ret)
{
	_cleanup_close_ int fd = root_open(root, O_RDONLY | O_NONBLOCK, path);
	_cleanup_free_ char *buf = NULL;
	size_t used;
	int r;

	if (fd < 0)
		return fd;
	for (size_t size = 4096;; size *= 4) {
		free(buf);
		buf = malloc(size);
		if (!buf)
			return -ENOMEM;
		if (lseek(fd, 0, SEEK_SET) < 0 && errno != ESPIPE)
			return -errno;
		r = file_read_fd(fd, buf, size, &used);
		if (r != -E2BIG || size >= MOST_CONTENT)
			break;
	}
	if (r < 0)
		return r;
	if (memchr(buf, '\0', used))
		return -EILSEQ;
	*ret = steal_ptr(buf);
	return 0;
}

static void trim(char *text)
{
	size_t n = strlen(text);

	while (n && isspace((unsigned char) text[n - 1]))
		text[--n] = '\0';
}

/* The word that `always [madvise] never` or `none (full)` has chosen, in place. */
static void pick_choice(char *text)
{
	char *chosen = NULL;
	size_t length = 0, words = 0, found = 0;

	if (strchr(text, '\n'))
		return;
	for (char *p = text; *p;) {
		size_t n = strcspn(p, " \t");

		words += n > 0;
		if (n > 2 &&
		    ((p[0] == '[' && p[n - 1] == ']') || (p[0] == '(' && p[n - 1] == ')'))) {
			chosen = p + 1;
			length = n - 2;
			found++;
		}
		p += n;
		p += strspn(p, " \t");
	}
	if (found != 1 || (words == 1 && text[0] == '('))
		return;
	memmove(text, chosen, length);
	text[length] = '\0';
}

static const char *feature_name(const char *text)
{
	return strafter(text, "NO_") ?: text;
}

/* NAME or NO_NAME, whichever of the two is among the words of TEXT. */
static int pick_feature(char *text, const char *hint)
{
	char *rest, *word;

	for (word = strtok_r(text, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
		if (streq(feature_name(word), feature_name(hint))) {
			memmove(text, word, strlen(word) + 1);
			return 0;
		}
	}
	return -ENOENT;
}

int change_read(const struct root *root, const struct change *change, const char *hint, char **ret)
{
	_cleanup_free_ char *text = NULL;
	int r = read_raw(root, change->path, &text);

	if (r < 0)
		return r;
	if (path_is_volatile(change->path)) {
		trim(text);
		if (change->rule == RULE_FEATURE)
			r = pick_feature(text, hint);
		else
			pick_choice(text);
		if (r < 0)
			return r;
	}
	*ret = steal_ptr(text);
	return 0;
}

static bool number(const char *text, double *ret)
{
	char *end;

	if (!isdigit((unsigned char) text[text[0] == '-' || text[0] == '+']))
		return false;
	*ret = strtod(text, &end);
	return *end == '\0';
}

static int truth(const char *text)
{
	static const char *const no[] = { "0", "n", "no", "off", "false", "disabled" };
	static const char *const yes[] = { "1", "y", "yes", "on", "true", "enabled" };

	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (strcasecmp(text, no[i]) == 0)
			return 0;
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		if (strcasecmp(text, yes[i]) == 0)
			return 1;
	return -1;
}

/* Equal but for how much and which white space there is between words and around them. */
static bool same_words(const char *a, const char *b)
{
	for (;;) {
		size_t n;

		a += strspn(a, " \t\n\r");
		b += strspn(b, " \t\n\r");
		n = strcspn(a, " \t\n\r");
		if (n != strcspn(b, " \t\n\r") || strncmp(a, b, n) != 0)
			return false;
		if (n == 0)
			return true;
		a += n;
		b += n;
	}
}

static bool same_text(const char *a, const char *b)
{
	double x, y;

	if (same_words(a, b))
		return true;
	if (number(a, &x) && number(b, &y))
		return x <= y && x >= y;
	return truth(a) >= 0 && truth(a) == truth(b);
}

bool change_equal(const struct change *change, const char *wanted, const char *now)
{
	if (!path_is_volatile(change->path))
		return streq(wanted, now);
	return change->rule == RULE_FEATURE ? streq(wanted, now) : same_text(wanted, now);
}

static bool khz(const char *text, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char) *text))
		return false;
	*ret = strtoull(text, &end, 10);
	return *end == '\0';
}

/* The highest frequency of the policy's tables that is not above WANTED, and the lowest not below.
 */
static bool table_neighbours(const struct root *root, const char *path, uint64_t wanted,
			     uint64_t *ret_below, uint64_t *ret_above)
{
	static const char *const tables[] = { "scaling_available_frequencies",
					      "scaling_boost_frequencies" };
	int folder = (int) (strrchr(path, '/') - path);
	bool any = false;

	*ret_below = 0;
	*ret_above = UINT64_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		char buf[4096], *rest, *word;

		if (root_read(root, buf, sizeof(buf), "%.*s/%s", folder, path, tables[i]) < 0)
			continue;
		for (word = strtok_r(buf, " \t\n", &rest); word;
		     word = strtok_r(NULL, " \t\n", &rest)) {
			uint64_t f;

			if (!khz(word, &f))
				continue;
			any = true;
			if (f <= wanted)
				*ret_below = MAX(*ret_below, f);
			if (f >= wanted)
				*ret_above = MIN(*ret_above, f);
		}
	}
	return any;
}

static bool limit_took(const struct root *root, const struct change *change, const char *wanted,
		       const char *now)
{
	uint64_t w, n, below, above;

	if (!khz(wanted, &w) || !khz(now, &n))
		return false;
	if (w == n)
		return true;
	if (table_neighbours(root, change->path, w, &below, &above))
		return n == below || n == above;
	return (w > n ? w - n : n - w) < TABLELESS_STEP_KHZ;
}

/*
 * Which raw preferences a driver shows under a name: the kernel's own are 0, 128, 192 (191 on AMD)
 * and 255, some models have others for the two in the middle (drivers/cpufreq/intel_pstate.c).
 */
static bool epp_took(const char *wanted, const char *now)
{
	uint64_t w;

	if (streq(wanted, "default"))
		return now[0];
	if (!khz(wanted, &w))
		return false;
	if (w == 0)
		return streq(now, "performance");
	if (w == 255)
		return streq(now, "power");
	return (w < 160 && streq(now, "balance_performance")) ||
	       (w > 128 && streq(now, "balance_power"));
}

bool change_took(const struct root *root, const struct change *change, const char *wanted,
		 const char *now)
{
	uint64_t w, n;

	switch (change->rule) {
	case RULE_LIMIT:
		return limit_took(root, change, wanted, now);
	case RULE_EPP:
		return same_words(wanted, now) || epp_took(wanted, now);
	case RULE_HELD:
		return khz(wanted, &w) && khz(now, &n) && n <= w;
	case RULE_FEATURE:
		return streq(wanted, now);
	default:
		return same_text(wanted, now);
	}
}
