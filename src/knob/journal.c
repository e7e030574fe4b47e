/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing a journal (journal.h says what is in it). */
#include "knob/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "knob/knob-internal.h"
#include "lib/file.h"

uint32_t journal_crc(const char *text, size_t size)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < size; i++) {
		crc ^= (unsigned char) text[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
	}
	return ~crc;
}

/*
 * *RET: when the process was started; -ESRCH where it is dead. A killed process closes its files
 * (so that its lock is free and its watchdog awake) before it becomes a zombie: PF_EXITING among
 * its flags (proc(5), stat, field 9; include/linux/sched.h) tells that already.
 */
static int start_time(pid_t pid, unsigned long long *ret)
{
	char path[64], buf[1024], state;
	_cleanup_close_ int fd = -1;
	unsigned long flags;
	const char *p;
	size_t used;
	int r;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int) pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	r = file_read_fd(fd, buf, sizeof(buf), &used);
	if (r < 0)
		return r;
	p = strrchr(buf, ')'); /* the end of the name, the second field */
	if (!p || sscanf(p + 1, " %c %*d %*d %*d %*d %*d %lu", &state, &flags) != 2)
		return -EBADMSG;
	if (strchr("ZXx", state) || flags & 4)
		return -ESRCH;
	for (int field = 2; field < 22 && p; field++)
		p = strchr(p + 1, ' ');
	return p && sscanf(p, " %llu", ret) == 1 ? 0 : -EBADMSG;
}

bool journal_owner_alive(const struct journal_owner *owner)
{
	unsigned long long start;
	int r = start_time(owner->pid, &start);

	return r != -ESRCH && (r < 0 || start == owner->start);
}

int journal_owner_self(struct journal_owner *ret, const struct root *root, struct error *err)
{
	struct utsname name;

	*ret = (struct journal_owner) { .pid = getpid() };
	if (root_read(root, ret->boot, sizeof(ret->boot), "/proc/sys/kernel/random/boot_id") < 0)
		strcpy(ret->boot, "unknown");
	snprintf(ret->host, sizeof(ret->host), "%s", uname(&name) == 0 ? name.nodename : "");
	start_time(ret->pid, &ret->start);
	ret->root = root_is_system(root) ? strdup("/") : realpath(root_prefix(root), NULL);
	if (!ret->root)
		return fail(err, -errno, "%s: %s", root_prefix(root), strerror(errno));
	return 0;
}

void journal_owner_done(struct journal_owner *owner)
{
	free(owner->root);
	owner->root = NULL;
}

static void put_field(FILE *out, const char *text)
{
	fputc('\t', out);
	if (!text)
		fputs("\\-", out);
	for (; text && *text; text++) {
		if (*text == '\t')
			fputs("\\t", out);
		else if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\\')
			fputs("\\\\", out);
		else
			fputc(*text, out);
	}
}

/* Adds `CRC RECORD` to OUT, the record being what has been written to *RECORD since. */
static void put_line(FILE *out, const char *record, size_t size)
{
	fprintf(out, "%08x %.*s\n", (unsigned) journal_crc(record, size), (int) size, record);
}

static int put_change(FILE *out, const struct change *c)
{
	_cleanup_free_ char *record = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&record, &size);

	if (!line)
		return -ENOMEM;
	fprintf(line, "C\t%llu\t%s\t%s\t%d", (unsigned long long) c->sequence,
		change_kind_name(c->kind), rule_name(c->rule), c->passing);
	put_field(line, c->knob);
	put_field(line, c->path);
	put_field(line, c->old);
	put_field(line, c->new);
	if (fclose(line) != 0)
		return -ENOMEM;
	put_line(out, record, size);
	return 0;
}

static int put_header(FILE *out, const struct journal_owner *owner)
{
	_cleanup_free_ char *record = NULL;
	size_t size = 0;
	FILE *line = open_memstream(&record, &size);

	if (!line)
		return -ENOMEM;
	fputs("T\t1", line);
	put_field(line, owner->boot);
	put_field(line, owner->host);
	put_field(line, owner->root);
	fprintf(line, "\t%d\t%llu", (int) owner->pid, owner->start);
	if (fclose(line) != 0)
		return -ENOMEM;
	put_line(out, record, size);
	return 0;
}

static bool is_journalled(const struct change *c)
{
	if (c->kind == CHANGE_HOLD)
		return false;
	return c->kind == CHANGE_MODULE || c->old;
}

/* Writes all of a journal to a file of another name and puts it in the place of the old one. */
static int replace(struct journal *j, const struct changes *changes)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	char new_name[128];
	int fd, r = out ? put_header(out, &j->owner) : -ENOMEM;

	for (size_t i = 0; changes && i < changes->n && r == 0; i++)
		if (changes->list[i].sequence)
			r = put_change(out, &changes->list[i]);
	if (out && fclose(out) != 0)
		r = -ENOMEM;
	if (r < 0)
		return r;
	snprintf(new_name, sizeof(new_name), JOURNAL_NEW_PREFIX "%s.%d", j->owner.host,
		 (int) getpid());
	unlinkat(j->folder, new_name, 0);
	fd = openat(j->folder, new_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -errno;
	r = file_write_all(fd, text, size);
	if (r == 0 && (fsync(fd) < 0 || renameat(j->folder, new_name, j->folder, j->name) < 0))
		r = -errno;
	if (r < 0) {
		close(fd);
		unlinkat(j->folder, new_name, 0);
		return r;
	}
	if (j->fd >= 0)
		close(j->fd);
	j->fd = fd;
	flock(fd, LOCK_SH | LOCK_NB);
	j->length = (off_t) size;
	j->undone = 0;
	return fsync(j->folder) < 0 ? -errno : 0;
}

int journal_create(const char *folder_path, const struct root *root, struct journal **ret,
		   struct error *err)
{
	_cleanup_journal_ struct journal *j = calloc(1, sizeof(*j));
	int r;

	if (!j)
		return out_of_memory(err);
	j->fd = j->folder = -1;
	r = journal_owner_self(&j->owner, root, err);
	if (r < 0)
		return r;
	j->folder_path = realpath(folder_path, NULL);
	if (!j->folder_path ||
	    asprintf(&j->name, JOURNAL_PREFIX "%d.%llu", (int) j->owner.pid, j->owner.start) < 0)
		return fail(err, -errno, "%s: %s", folder_path, strerror(errno));
	j->folder = open(j->folder_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (j->folder < 0)
		return fail(err, -errno, "%s: %s", folder_path, strerror(errno));
	r = replace(j, NULL);
	if (r < 0)
		return fail(err, r,
			    "%s: %s; nothing is changed without a journal there, name another "
			    "folder with --state",
			    folder_path, strerror(-r));
	*ret = steal_ptr(j);
	return 0;
}

void journal_free(struct journal *j)
{
	if (!j)
		return;
	if (j->fd >= 0)
		close(j->fd);
	if (j->folder >= 0)
		close(j->folder);
	journal_owner_done(&j->owner);
	free(j->folder_path);
	free(j->name);
	free(j);
}

/* Puts TEXT behind the last whole record. */
static int append_text(struct journal *j, const char *text, size_t size, bool sync)
{
	int r;

	if (ftruncate(j->fd, j->length) < 0 || lseek(j->fd, j->length, SEEK_SET) < 0)
		return -errno;
	r = file_write_all(j->fd, text, size);
	if (r == 0 && sync && fsync(j->fd) < 0)
		r = -errno;
	if (r < 0) {
		int ignored = ftruncate(j->fd, j->length);

		(void) ignored; /* the next append cuts it off, and a reader skips a torn line */
		return r;
	}
	j->length += (off_t) size;
	return 0;
}

int journal_append(struct journal *j, struct changes *changes, size_t from, size_t to,
		   struct error *err)
{
	_cleanup_free_ char *text = NULL;
	uint64_t before = j->sequence;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int r = out ? 0 : -ENOMEM;

	for (size_t i = from; i < to && r == 0; i++) {
		if (!is_journalled(&changes->list[i]))
			continue;
		changes->list[i].sequence = ++j->sequence;
		r = put_change(out, &changes->list[i]);
	}
	if (out && fclose(out) != 0)
		r = -ENOMEM;
	if (r == 0 && size)
		r = append_text(j, text, size, true);
	if (r == 0)
		return 0;
	for (size_t i = from; i < to; i++)
		changes->list[i].sequence = 0;
	j->sequence = before;
	return fail(err, r, "the journal %s/%s cannot be written: %s; nothing was changed",
		    j->folder_path, j->name, strerror(-r));
}

void journal_undone(struct journal *j, const struct change *c)
{
	char record[64], line[96];
	int n;

	if (!c->sequence)
		return;
	n = snprintf(record, sizeof(record), "U\t%llu", (unsigned long long) c->sequence);
	n = snprintf(line, sizeof(line), "%08x %s\n", (unsigned) journal_crc(record, (size_t) n),
		     record);
	append_text(j, line, (size_t) n, c->kind == CHANGE_COMMAND);
	j->undone++;
}

int journal_rewrite(struct journal *j, const struct changes *changes, struct error *err)
{
	int r = replace(j, changes);

	return r < 0 ? fail(err, r, "the journal %s/%s cannot be written: %s", j->folder_path,
			    j->name, strerror(-r))
		     : 0;
}

int journal_remove(struct journal *j, struct error *err)
{
	if (unlinkat(j->folder, j->name, 0) < 0 && errno != ENOENT)
		return fail(err, -errno, "the journal %s/%s cannot be removed: %s", j->folder_path,
			    j->name, strerror(errno));
	fsync(j->folder);
	return 0;
}
