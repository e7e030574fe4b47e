/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's configuration as far as it can be read: its tick, its preemption model, and what was
 * built in that makes every measurement longer than it is on a kernel for use.
 */
#include "machine/internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <zlib.h>

#include "lib/file.h"
#include "lib/units.h"

#define PACKED_MAX (1 << 20)
#define CONFIG_MAX (8 << 20)

/*
 * Debugging that slows locks, memory or scheduling down wherever it is built in (lib/Kconfig.debug,
 * kernel/trace/Kconfig).
 */
static const char *const distorting[] = {
	"CONFIG_PROVE_LOCKING",
	"CONFIG_DEBUG_LOCK_ALLOC",
	"CONFIG_LOCK_STAT",
	"CONFIG_DEBUG_SPINLOCK",
	"CONFIG_DEBUG_MUTEXES",
	"CONFIG_DEBUG_RWSEMS",
	"CONFIG_DEBUG_RT_MUTEXES",
	"CONFIG_DEBUG_WW_MUTEX_SLOWPATH",
	"CONFIG_DEBUG_ATOMIC_SLEEP",
	"CONFIG_DEBUG_PREEMPT",
	"CONFIG_TRACE_IRQFLAGS",
	"CONFIG_IRQSOFF_TRACER",
	"CONFIG_PREEMPT_TRACER",
	"CONFIG_KASAN",
	"CONFIG_KMSAN",
	"CONFIG_KCSAN",
	"CONFIG_KMEMCHECK",
	"CONFIG_KCOV",
	"CONFIG_GCOV_PROFILE_ALL",
	"CONFIG_DEBUG_KMEMLEAK",
	"CONFIG_DEBUG_OBJECTS",
	"CONFIG_SLUB_DEBUG_ON",
	"CONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT",
	"CONFIG_DMA_API_DEBUG",
	"CONFIG_RCU_EQS_DEBUG",
	"CONFIG_DEBUG_ENTRY",
};

/*
 * CONFIG_... to the word for the preemption model (kernel/Kconfig.preempt); the last one that is
 * set holds.
 */
static const struct {
	const char *option, *word;
} models[] = {
	{ "CONFIG_PREEMPT_NONE", "none" }, { "CONFIG_PREEMPT_VOLUNTARY", "voluntary" },
	{ "CONFIG_PREEMPT", "full" },      { "CONFIG_PREEMPT__LL", "full" },
	{ "CONFIG_PREEMPT_LAZY", "lazy" }, { "CONFIG_PREEMPT_RT_FULL", "rt" },
	{ "CONFIG_PREEMPT_RT", "rt" },
};

struct findings {
	const char *model;
	bool dynamic;
	bool set[ARRAY_SIZE(distorting)];
	uint64_t hz;
};

static int unpack(const char *packed, size_t n, char **ret)
{
	_cleanup_free_ char *text = malloc(CONFIG_MAX);
	z_stream z = { 0 };
	int r;

	if (!text)
		return -ENOMEM;
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return -ENOMEM;
	z.next_in = (Bytef *) (uintptr_t) packed;
	z.avail_in = (uInt) n;
	z.next_out = (Bytef *) text;
	z.avail_out = CONFIG_MAX - 1;
	r = inflate(&z, Z_FINISH);
	text[z.total_out] = '\0';
	inflateEnd(&z);
	if (r != Z_STREAM_END)
		return z.avail_out ? -EBADMSG : -E2BIG;
	*ret = steal_ptr(text);
	return 0;
}

static int read_packed(struct reader *rd, const char *path, char **ret)
{
	_cleanup_close_ int fd = root_open(rd->root, O_RDONLY | O_NONBLOCK, path);
	_cleanup_free_ char *packed = NULL;
	size_t n;
	int r;

	if (fd < 0)
		return fd;
	packed = malloc(PACKED_MAX);
	if (!packed)
		return -ENOMEM;
	r = file_read_fd(fd, packed, PACKED_MAX, &n);
	if (r < 0)
		return r;
	return n ? unpack(packed, n, ret) : -ENODATA;
}

/* Reads the configuration and says where; what is in the way of a file that is there is noted. */
static char *read_config(struct reader *rd)
{
	static const struct place proc = { "/proc" };
	static const struct item packed_file = { "config.gz", .quiet = true };
	static const char *const formats[] = { "/boot/config-", "/lib/modules/" };
	struct machine *m = rd->m;
	char *text = NULL, path[256];
	int r = read_packed(rd, "/proc/config.gz", &text);

	if (r == 0) {
		m->config_source = copy_text(rd, "/proc/config.gz");
		return text;
	}
	note(rd, &proc, &packed_file, r);
	if (!m->kernel || strchr(m->kernel, '/')) {
		note_text(rd, "kernel configuration",
			  "no /proc/config.gz, and the kernel's release is unknown", NULL, 0);
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		snprintf(path, sizeof(path), "%s%s%s", formats[i], m->kernel, i ? "/config" : "");
		if (root_read_all(rd->root, CONFIG_MAX, &text, "%s", path) > 0) {
			m->config_source = copy_text(rd, path);
			return text;
		}
	}
	note_text(
		rd, "kernel configuration",
		"no /proc/config.gz, /boot/config-RELEASE or /lib/modules/RELEASE/config that can be read",
		NULL, 0);
	return NULL;
}

static void take(struct findings *f, const char *option, const char *value)
{
	uint64_t hz;

	if (streq(option, "CONFIG_HZ") && parse_u64_text("", value, &hz, NULL) == 0 && hz >= 1 &&
	    hz <= 100000)
		f->hz = hz;
	if (!streq(value, "y"))
		return;
	if (streq(option, "CONFIG_PREEMPT_DYNAMIC"))
		f->dynamic = true;
	for (size_t i = 0; i < ARRAY_SIZE(distorting); i++)
		if (streq(option, distorting[i]))
			f->set[i] = true;
}

/* The model is chosen after all lines were seen: PREEMPT_RT comes with others of the list. */
static void take_model(struct findings *f, const char *option, const char *value, size_t *best)
{
	for (size_t i = 0; streq(value, "y") && i < ARRAY_SIZE(models); i++)
		if (streq(option, models[i].option) && (!f->model || i > *best)) {
			f->model = models[i].word;
			*best = i;
		}
}

static void parse_config(char *text, struct findings *f)
{
	size_t best = 0;

	for (char *line = text, *next; line; line = next) {
		char *value;
		size_t n;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line += strspn(line, " \t");
		value = strchr(line, '=');
		if (!strafter(line, "CONFIG_") || !value)
			continue;
		*value++ = '\0';
		value += *value == '"';
		n = strlen(value);
		while (n && (isspace((unsigned char) value[n - 1]) || value[n - 1] == '"'))
			value[--n] = '\0';
		take(f, line, value);
		take_model(f, line, value, &best);
	}
}

/*
 * With PREEMPT_DYNAMIC the boot decides: /sys/kernel/debug/sched/preempt marks it, as `none
 * voluntary (full)`.
 */
static const char *dynamic_model(struct reader *rd, char *buf, size_t size)
{
	const char *option = rd->m->command_line ? strstr(rd->m->command_line, "preempt=") : NULL;
	char *open, *close;

	if (root_read(rd->root, buf, size, "/sys/kernel/debug/sched/preempt") > 0 &&
	    (open = strchr(buf, '(')) && (close = strchr(open, ')'))) {
		*close = '\0';
		return open + 1;
	}
	if (!option || (option != rd->m->command_line && option[-1] != ' '))
		return NULL;
	snprintf(buf, size, "%.*s", (int) strcspn(option + 8, " "), option + 8);
	return *buf ? buf : NULL;
}

/*
 * Failing a configuration, the build's own words: `#1 SMP PREEMPT_DYNAMIC ...`
 * (scripts/mkcompile_h).
 */
static void model_by_build(const struct machine *m, struct findings *f)
{
	if (!m->kernel_build)
		return;
	if (strstr(m->kernel_build, "PREEMPT_RT"))
		f->model = "rt";
	else if (strstr(m->kernel_build, "PREEMPT_DYNAMIC"))
		f->dynamic = true;
	else if (strstr(m->kernel_build, " PREEMPT "))
		f->model = "full";
}

static void settle_model(struct reader *rd, const struct findings *f)
{
	char buf[128];
	const char *chosen = f->dynamic ? dynamic_model(rd, buf, sizeof(buf)) : NULL,
		   *word = chosen ? chosen : f->model;
	char text[160];

	if (!word && !f->dynamic) {
		note_text(rd, "preemption",
			  "neither the configuration nor the kernel's build names it", NULL, 0);
		return;
	}
	if (word)
		snprintf(text, sizeof(text), "%s%s", word, f->dynamic ? " (dynamic)" : "");
	rd->m->preemption = copy_text(rd, word ? text : "dynamic");
}

static void list_distorting(struct reader *rd, const struct findings *f)
{
	char **list = calloc(ARRAY_SIZE(distorting) + 1, sizeof(*list));
	size_t n = 0;

	if (!list) {
		rd->no_memory = true;
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(distorting); i++)
		if (f->set[i] && !(list[n++] = strdup(distorting[i]))) {
			rd->no_memory = true;
			break;
		}
	rd->m->distorting = list;
}

void kernel_config_read(struct reader *rd)
{
	_cleanup_free_ char *text = read_config(rd);
	struct findings f = { .hz = UNKNOWN };

	if (text) {
		parse_config(text, &f);
		list_distorting(rd, &f);
	} else {
		model_by_build(rd->m, &f);
	}
	rd->m->hz = f.hz;
	if (f.hz == UNKNOWN)
		note_text(rd, "tick",
			  text ? "the configuration has no CONFIG_HZ"
			       : "the kernel's configuration cannot be read",
			  NULL, 0);
	settle_model(rd, &f);
}
