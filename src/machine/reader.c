/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading one file of a kernel's tree, whatever it holds, and keeping a note of each kind of file
 * that failed. */
#include "machine/internal.h"

#include <ctype.h>
#include <errno.h>

#include "lib/record.h"

#define GAPS_MAX 200
#define TEXT_MAX 8192 /* sysfs shows a page at most */
#define WORD_MAX 64

static const struct {
	int code;
	const char *text;
} reasons[] = {
	{ -ENOENT, "no such file" },
	{ -ENOTDIR, "no such file" },
	{ -EACCES, "permission denied; try as root" },
	{ -EPERM, "not permitted, as under kernel lockdown" },
	{ -ENODATA, "empty" },
	{ -EBADMSG, "does not hold what it should" },
	{ -ERANGE, "holds a number that cannot be" },
	{ -E2BIG, "longer than it can be" },
	{ -EILSEQ, "holds binary data" },
	{ -EISDIR, "a folder where a file was expected" },
	{ -ELOOP, "symbolic links that lead nowhere" },
	{ -EBUSY, "busy, as for a policy whose CPUs are all offline" },
	{ -EOPNOTSUPP, "not supported here" },
};

static const char *reason_text(int code)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].code == code)
			return reasons[i].text;
	return strerror(-code);
}

char *keep(struct reader *rd, char *text)
{
	if (!text)
		rd->no_memory = true;
	return text;
}

static struct gap *find_gap(struct reader *rd, const char *what, const char *reason)
{
	struct gap *gap;

	for (size_t i = 0; i < rd->n_gaps; i++)
		if (streq(rd->gaps[i].reason, reason) && streq(rd->gaps[i].what, what))
			return &rd->gaps[i];
	if (rd->n_gaps >= GAPS_MAX) { /* a tree made to be broken: enough was said */
		rd->more_gaps = true;
		return NULL;
	}
	gap = array_add(&rd->gaps, &rd->n_gaps, sizeof(*gap));
	if (!gap) {
		rd->no_memory = true;
		return NULL;
	}
	gap->what = copy_text(rd, what);
	gap->reason = copy_text(rd, reason);
	if (!gap->what || !gap->reason) {
		free(gap->what);
		free(gap->reason);
		rd->n_gaps--;
		return NULL;
	}
	return gap;
}

void note_text(struct reader *rd, const char *what, const char *reason, const char *plural,
	       int number)
{
	struct gap *gap = find_gap(rd, what, reason);

	if (!gap)
		return;
	gap->plural = plural;
	if (plural)
		cpus_add(&gap->numbers, number);
}

void note(struct reader *rd, const struct place *place, const struct item *item, int code)
{
	bool absent = code == -ENOENT || code == -ENOTDIR;
	char what[512], reason[256];

	if (code == -ENOMEM) {
		rd->no_memory = true;
		return;
	}
	if (absent && item->quiet)
		return;
	snprintf(what, sizeof(what), "%s/%s", place->each ? place->each : place->folder,
		 item->file);
	snprintf(reason, sizeof(reason), "%s%s%s", reason_text(code),
		 absent && item->absent ? ": " : "", absent && item->absent ? item->absent : "");
	note_text(rd, what, reason, place->plural, place->number);
}

static void add_missing(struct reader *rd, char *what, char *reason)
{
	struct machine *m = rd->m;
	struct missing *missing = array_add(&m->missing, &m->n_missing, sizeof(*missing));

	if (missing && what && reason) {
		*missing = (struct missing) { what, reason };
		return;
	}
	free(what);
	free(reason);
	m->n_missing -= missing != NULL;
	rd->no_memory = true;
}

void notes_finish(struct reader *rd)
{
	for (size_t i = 0; i < rd->n_gaps; i++) {
		struct gap *gap = &rd->gaps[i];
		char list[256], *reason = NULL;

		if (gap->plural && asprintf(&reason, "%s (%s %s)", gap->reason, gap->plural,
					    cpus_format(&gap->numbers, list, sizeof(list))) < 0)
			reason = NULL;
		add_missing(rd, steal_ptr(gap->what),
			    gap->plural ? reason : steal_ptr(gap->reason));
	}
	if (rd->more_gaps)
		add_missing(rd, strdup("others"),
			    strdup("more kinds of files could not be read than are listed here"));
}

void notes_done(struct reader *rd)
{
	for (size_t i = 0; i < rd->n_gaps; i++) {
		free(rd->gaps[i].what);
		free(rd->gaps[i].reason);
	}
	free(rd->gaps);
}

/* The length of the UTF-8 character at P (RFC 3629), or 0 where there is none. */
static size_t character(const unsigned char *p)
{
	static const unsigned char least[] = { 0, 0, 0xc2, 0xe0, 0xf0 };
	size_t n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;

	if (n == 1)
		return *p >= 0x20 && *p != 0x7f;
	if (*p < least[n] || *p > 0xf4)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

static void make_printable(char *text)
{
	for (unsigned char *p = (unsigned char *) text; *p;) {
		size_t n = character(p);

		if (n == 0)
			*p = isspace(*p) ? ' ' : '?';
		p += n ? n : 1;
	}
}

char *copy_text(struct reader *rd, const char *text)
{
	char *copy;

	if (!text)
		return NULL;
	copy = keep(rd, strndup(text, strcspn(text, "\n")));
	if (copy)
		make_printable(copy);
	return copy;
}

int name_number(const char *name, const char *prefix)
{
	const char *rest = strafter(name, prefix);
	int n = 0;

	if (!rest || !*rest || (rest[0] == '0' && rest[1]))
		return -1;
	for (; *rest; rest++) {
		if (!isdigit((unsigned char) *rest))
			return -1;
		n = n * 10 + (*rest - '0');
		if (n >= CPUS_MAX)
			return -1;
	}
	return n;
}

static int read_text(struct reader *rd, const struct place *place, const struct item *item,
		     char *buf, size_t size)
{
	int n = root_read(rd->root, buf, size, "%s/%s", place->folder, item->file);

	if (n < 0)
		note(rd, place, item, n);
	return n;
}

uint64_t place_number(struct reader *rd, const struct place *place, const struct item *item)
{
	uint64_t n;
	int r = root_read_u64(rd->root, &n, "%s/%s", place->folder, item->file);

	if (r == 0 && item->max && (n < item->min || n > item->max))
		r = -ERANGE;
	if (r < 0) {
		note(rd, place, item, r);
		return UNKNOWN;
	}
	return n;
}

/* Ends a word of TEXT that is made of printable ASCII. Returns what follows it, or NULL where there
 * is no such word. */
static char *end_word(char *text)
{
	size_t n = 0;

	while (isgraph((unsigned char) text[n]) && (unsigned char) text[n] < 0x80)
		n++;
	if (n == 0 || n > WORD_MAX || (text[n] && !isspace((unsigned char) text[n])))
		return NULL;
	if (text[n])
		text[n++] = '\0';
	return text + n;
}

char *place_word(struct reader *rd, const struct place *place, const struct item *item)
{
	char buf[TEXT_MAX], *rest;
	size_t n;

	if (read_text(rd, place, item, buf, sizeof(buf)) < 0)
		return NULL;
	n = strcspn(buf, "\n");
	if (buf[n])
		buf[n] = '\0'; /* further lines repeat the first one in copies of trees */
	rest = end_word(buf);
	if (!rest || *rest) {
		note(rd, place, item, -EBADMSG);
		return NULL;
	}
	return keep(rd, strdup(buf));
}

char *place_line(struct reader *rd, const struct place *place, const struct item *item)
{
	char buf[TEXT_MAX];

	if (read_text(rd, place, item, buf, sizeof(buf)) < 0)
		return NULL;
	make_printable(buf);
	return keep(rd, strdup(buf));
}

static bool has_word(char **words, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (streq(words[i], word))
			return true;
	return false;
}

char **place_words(struct reader *rd, const struct place *place, const struct item *item)
{
	_cleanup_strv_ char **words = NULL;
	char buf[TEXT_MAX], *p = buf;
	size_t n = 0;

	if (read_text(rd, place, item, buf, sizeof(buf)) < 0)
		return NULL;
	words = calloc(TEXT_MAX / 2 + 1, sizeof(*words));
	while (words && *p) {
		char *word = p + strspn(p, " \t\n"), *rest = end_word(word);

		if (!rest) {
			note(rd, place, item, -EBADMSG);
			return NULL;
		}
		p = rest;
		if (!has_word(words, n, word) && !(words[n++] = strdup(word)))
			break;
	}
	if (!words || (n && !words[n - 1])) {
		rd->no_memory = true;
		return NULL;
	}
	/* most lists are a few words long, and there may be thousands of them */
	p = realloc(words, (n + 1) * sizeof(*words));
	if (p)
		words = (char **) (void *) p;
	return steal_ptr(words);
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

static int parse_numbers(char *text, const struct item *item, uint64_t *numbers, size_t *ret_n)
{
	size_t n = 0, unique = 0;
	char *p = text;

	for (p += strspn(p, " \t\n"); *p; p += strspn(p, " \t\n")) {
		if (!isdigit((unsigned char) *p))
			return -EBADMSG;
		errno = 0;
		numbers[n] = strtoull(p, &p, 10);
		if (errno || (item->max && (numbers[n] < item->min || numbers[n] > item->max)))
			return -ERANGE;
		if (*p && !isspace((unsigned char) *p))
			return -EBADMSG;
		n++;
	}
	if (n)
		qsort(numbers, n, sizeof(*numbers), compare_numbers);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || numbers[i] != numbers[unique - 1])
			numbers[unique++] = numbers[i];
	*ret_n = unique;
	return 0;
}

uint64_t *place_numbers(struct reader *rd, const struct place *place, const struct item *item,
			size_t *ret_n)
{
	uint64_t numbers[TEXT_MAX / 2], *copy;
	char buf[TEXT_MAX];
	size_t n = 0;
	int r = root_read(rd->root, buf, sizeof(buf), "%s/%s", place->folder, item->file);

	*ret_n = 0;
	if (r > 0)
		r = parse_numbers(buf, item, numbers, &n);
	else if (r ==
		 -ENODATA) /* a list without entries: the driver has no boost frequencies, say */
		r = 0;
	if (r < 0) {
		note(rd, place, item, r);
		return NULL;
	}
	copy = malloc((n + 1) * sizeof(*copy));
	if (!copy) {
		rd->no_memory = true;
		return NULL;
	}
	memcpy(copy, numbers, n * sizeof(*copy));
	*ret_n = n;
	return copy;
}

bool place_cpus(struct reader *rd, const struct place *place, const struct item *item,
		struct cpus *ret)
{
	int r = root_read_cpus(rd->root, ret, "%s/%s", place->folder, item->file);

	if (r < 0) {
		note(rd, place, item, r);
		cpus_clear(ret);
	}
	return r == 0;
}
