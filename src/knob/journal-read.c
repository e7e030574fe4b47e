/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a journal that a session left. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "knob/journal.h"
#include "knob/knob-internal.h"
#include "lib/clock.h"
#include "lib/file.h"

#define LONGEST_COMMAND (5 * NSEC_PER_SEC)
#define LARGEST (256 * 1024 * 1024)

char *journal_field(char **cursor)
{
	char *start = *cursor, *to = start, *from = start;

	if (!start)
		return NULL;
	for (; *from && *from != '\t'; from++) {
		if (*from == '\\' && from[1]) {
			from++;
			*to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
		} else {
			*to++ = *from;
		}
	}
	*cursor = *from ? from + 1 : NULL;
	*to = '\0';
	return start;
}

/* The same, with NULL for a value that is not there; *RET_OK where there was a field. */
static char *optional_field(char **cursor, bool *ret_ok)
{
	bool absent = *cursor && strncmp(*cursor, "\\-", 2) == 0 &&
		      ((*cursor)[2] == '\t' || (*cursor)[2] == '\0');
	char *field = journal_field(cursor);

	*ret_ok = *ret_ok && field;
	return absent ? NULL : field;
}

static bool field_number(char **cursor, unsigned long long *ret)
{
	char *field = journal_field(cursor), *end;

	if (!field || *field < '0' || *field > '9')
		return false;
	*ret = strtoull(field, &end, 10);
	return !*end;
}

static int parse_header(char *cursor, struct journal *j)
{
	unsigned long long version, pid, start;
	char *boot, *host, *root;

	if (!field_number(&cursor, &version) || version != 1)
		return -EBADMSG;
	boot = journal_field(&cursor);
	host = journal_field(&cursor);
	root = journal_field(&cursor);
	if (!root || !field_number(&cursor, &pid) || !field_number(&cursor, &start))
		return -EBADMSG;
	snprintf(j->owner.boot, sizeof(j->owner.boot), "%s", boot);
	snprintf(j->owner.host, sizeof(j->owner.host), "%s", host);
	j->owner.pid = (pid_t) pid;
	j->owner.start = start;
	j->owner.root = strdup(root);
	return j->owner.root ? 0 : -ENOMEM;
}

static int find_name(const char *name, const char *(*name_of)(unsigned), unsigned n)
{
	for (unsigned i = 0; name && i < n; i++)
		if (streq(name, name_of(i)))
			return (int) i;
	return -1;
}

static const char *kind_by_number(unsigned i)
{
	return change_kind_name(i);
}

static const char *rule_by_number(unsigned i)
{
	return rule_name(i);
}

static int parse_change(char *cursor, struct journal *j, struct changes *changes)
{
	unsigned long long sequence, passing;
	struct change c = { .fd = -1, .made = true }, *slot;
	int kind, rule;
	bool ok = true;
	char *old, *new;

	if (!field_number(&cursor, &sequence) || sequence == 0)
		return -EBADMSG;
	kind = find_name(journal_field(&cursor), kind_by_number, N_CHANGE_KINDS);
	rule = find_name(journal_field(&cursor), rule_by_number, N_RULES);
	if (kind < 0 || rule < 0 || !field_number(&cursor, &passing))
		return -EBADMSG;
	c.knob = journal_field(&cursor);
	c.path = journal_field(&cursor);
	old = optional_field(&cursor, &ok);
	new = optional_field(&cursor, &ok);
	if (!c.path || !ok)
		return -EBADMSG;
	/* not through changes_add(): the same file may be there several times */
	slot = changes_append(changes, (enum change_kind) kind, c.knob, c.path);
	if (!slot)
		return -ENOMEM;
	slot->rule = (enum rule) rule;
	slot->passing = passing;
	slot->made = true;
	slot->sequence = sequence;
	slot->old = old ? strdup(old) : NULL;
	slot->new = new ? strdup(new) : NULL;
	j->sequence = MAX(j->sequence, sequence);
	return (old && !slot->old) || (new && !slot->new) ? -ENOMEM : 0;
}

static int parse_undone(char *cursor, struct journal *j, struct changes *changes)
{
	unsigned long long sequence;

	if (!field_number(&cursor, &sequence))
		return -EBADMSG;
	for (size_t i = changes->n; i-- > 0;) {
		if (changes->list[i].sequence != sequence)
			continue;
		change_done(&changes->list[i]);
		memmove(&changes->list[i], &changes->list[i + 1],
			(changes->n - i - 1) * sizeof(changes->list[0]));
		changes->n--;
		j->undone++;
		break;
	}
	return 0;
}

static int parse_line(char *line, size_t size, struct journal *j, struct changes *changes)
{
	char *cursor = line + 9, *type, sum[9];

	if (size < 10 || line[8] != ' ' || memchr(line, '\0', size))
		return -EBADMSG;
	snprintf(sum, sizeof(sum), "%08x", (unsigned) journal_crc(cursor, size - 9));
	if (strncmp(line, sum, 8) != 0)
		return -EBADMSG;
	type = journal_field(&cursor);
	if (!j->owner.root)
		return streq(type, "T") ? parse_header(cursor, j) : -EBADMSG;
	if (streq(type, "C"))
		return parse_change(cursor, j, changes);
	return streq(type, "U") ? parse_undone(cursor, j, changes) : -EBADMSG;
}

int journal_parse(char *text, size_t size, struct journal *j, struct changes *changes)
{
	bool bad = false, damaged = false;
	size_t at = 0;

	while (at < size) {
		char *end = memchr(text + at, '\n', size - at);
		int r;

		if (!end)
			break; /* torn: never synced, so never made */
		*end = '\0';
		r = parse_line(text + at, (size_t) (end - text) - at, j, changes);
		if (r == -ENOMEM)
			return r;
		at = (size_t) (end - text) + 1;
		damaged |= bad && r == 0; /* bad ones at the end alone are what was not synced */
		bad |= r < 0;
		if (!bad)
			j->length = (off_t) at;
	}
	return damaged || !j->owner.root ? -EBADMSG : 0;
}

static int read_file(struct journal *j, char **ret, size_t *ret_size)
{
	_cleanup_free_ char *text = NULL;
	struct stat st;
	int r;

	if (fstat(j->fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return -EPERM;
	if (st.st_size > LARGEST)
		return -EFBIG;
	text = malloc((size_t) st.st_size + 2);
	if (!text)
		return -ENOMEM;
	r = file_read_fd(j->fd, text, (size_t) st.st_size + 2, ret_size);
	*ret = steal_ptr(text);
	return r;
}

int journal_open(const char *folder_path, const char *name, struct journal **ret,
		 struct changes *ret_changes, struct error *err)
{
	_cleanup_journal_ struct journal *j = calloc(1, sizeof(*j));
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	int r;

	if (!j)
		return out_of_memory(err);
	j->fd = -1;
	j->folder = open(folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	j->folder_path = strdup(folder_path);
	j->name = strdup(name);
	if (!j->folder_path || !j->name)
		return out_of_memory(err);
	if (j->folder >= 0)
		j->fd = openat(j->folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (j->fd < 0)
		return fail(err, -errno, "%s/%s: %s", folder_path, name, strerror(errno));
	r = read_file(j, &text, &size);
	if (r == -EPERM)
		return fail(err, r, "%s/%s is another user's", folder_path, name);
	if (r == 0)
		r = journal_parse(text, size, j, ret_changes);
	if (r == -EBADMSG)
		fail(err, r, "%s/%s is damaged; what it says is readable text, put it back by hand",
		     folder_path, name);
	else if (r < 0)
		fail(err, r, "%s/%s: %s", folder_path, name, strerror(-r));
	if (j->owner.root)
		*ret = steal_ptr(j);
	return r;
}

void journal_settle(struct journal *j)
{
	uint64_t give_up = now_ns() + LONGEST_COMMAND;

	while (flock(j->fd, LOCK_EX | LOCK_NB) < 0 && now_ns() < give_up)
		sleep_until_ns(now_ns() + 10 * NSEC_PER_MSEC);
}

void journal_sweep(const char *folder_path)
{
	_cleanup_closedir_ DIR *folder = opendir(folder_path);
	struct utsname self;
	struct dirent *entry;
	char prefix[128];

	if (!folder || uname(&self) < 0)
		return;
	snprintf(prefix, sizeof(prefix), JOURNAL_NEW_PREFIX "%.64s.", self.nodename);
	while ((entry = readdir(folder))) {
		const char *pid = strafter(entry->d_name, prefix);

		if (pid && atoi(pid) > 0 && kill(atoi(pid), 0) < 0 && errno == ESRCH)
			unlinkat(dirfd(folder), entry->d_name, 0);
	}
}
