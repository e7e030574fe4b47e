/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who this machine is: kernel, command line, architecture, model, board, microcode, clock source,
 * hypervisor, SMT. */
#include "machine/internal.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>

#include "lib/file.h"

static const struct place proc = { "/proc" };
static const struct place proc_kernel = { "/proc/sys/kernel" };
static const struct place cpu_folder = { CPU_FOLDER };
static const struct place clock_folder = { "/sys/devices/system/clocksource/clocksource0" };
static const struct place firmware = { "/sys/class/dmi/id" };

static const struct item release_file = { "osrelease", .quiet = true };
static const struct item build_file = { "version", .quiet = true };
static const struct item version_file = { "version", "the kernel's release and build are unknown" };
static const struct item arch_file = { "arch", .quiet = true };
static const struct item hostname_file = { "hostname" };
static const struct item command_line_file = { "cmdline" };
static const struct item clocksource_file = { "current_clocksource" };
static const struct item vendor_file = { "sys_vendor", .quiet = true };
static const struct item product_file = { "product_name", .quiet = true };
static const struct item microcode_file = { "cpu0/microcode/version", .quiet = true };
static const struct item smt_file = { "smt/active", NULL, 0, 1, .quiet = true };
static const struct item siblings_file = { "topology/thread_siblings_list", .quiet = true };

/* `Linux version RELEASE (who) (compiler) #1 SMP ...` (init/version.c, linux_proc_banner) */
static void read_version(struct reader *rd)
{
	struct machine *m = rd->m;
	_cleanup_free_ char *line = place_line(rd, &proc, &version_file);
	const char *rest = line ? strafter(line, "Linux version ") : NULL, *build;

	if (line && !rest)
		note_text(rd, "/proc/version", "does not begin with `Linux version`", NULL, 0);
	if (!rest)
		return;
	build = strstr(rest, ") #");
	if (!m->kernel)
		m->kernel = keep(rd, strndup(rest, strcspn(rest, " ")));
	if (!m->kernel_build && build)
		m->kernel_build = copy_text(rd, build + 2);
}

static void read_kernel(struct reader *rd)
{
	struct machine *m = rd->m;

	m->kernel = place_word(rd, &proc_kernel, &release_file);
	m->kernel_build = place_line(rd, &proc_kernel, &build_file);
	if (!m->kernel || !m->kernel_build)
		read_version(rd);
	m->command_line = place_line(rd, &proc, &command_line_file);
	m->hostname = place_word(rd, &proc_kernel, &hostname_file);
}

static void read_architecture(struct reader *rd)
{
	struct machine *m = rd->m;
	struct utsname names;

	m->architecture = place_word(rd, &proc_kernel, &arch_file);
	if (!m->architecture && root_is_system(rd->root) && uname(&names) == 0)
		m->architecture = copy_text(rd, names.machine);
	if (!m->architecture)
		m->architecture = copy_text(rd, rd->info.architecture);
	if (!m->architecture)
		note_text(rd, "architecture", "/proc/cpuinfo does not tell it", NULL, 0);
}

/* Texts of the device tree end with a zero byte, which root_read() takes for binary data. */
static char *device_tree_text(struct reader *rd, const char *path)
{
	_cleanup_close_ int fd = root_open(rd->root, O_RDONLY | O_NONBLOCK, path);
	char buf[256];
	size_t n;

	if (fd < 0 || file_read_fd(fd, buf, sizeof(buf), &n) < 0 || n == 0 || buf[0] == '\0')
		return NULL;
	return copy_text(rd, buf);
}

static bool named_before(const struct machine *m, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (streq(m->types[i].model, m->types[index].model))
			return true;
	return false;
}

/* On Arm the model is told by identification registers only: the cores that they stand for. */
static char *model_by_types(struct reader *rd)
{
	const struct machine *m = rd->m;
	char text[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < m->n_types; i++) {
		if (!m->types[i].model)
			return NULL;
		if (named_before(m, i) || used + strlen(m->types[i].model) + 4 > sizeof(text))
			continue;
		used += (size_t) snprintf(text + used, sizeof(text) - used, "%s%s",
					  used ? " + " : "", m->types[i].model);
	}
	return used ? copy_text(rd, text) : NULL;
}

void model_read(struct reader *rd)
{
	struct machine *m = rd->m;

	m->model = model_by_types(rd);
	if (!m->model)
		m->model = copy_text(rd, rd->info.model);
	if (!m->model)
		note_text(rd, "CPU model", "/proc/cpuinfo does not name it", NULL, 0);
}

static void read_board(struct reader *rd)
{
	struct machine *m = rd->m;

	m->board = device_tree_text(rd, "/sys/firmware/devicetree/base/model");
	if (!m->board)
		m->board = device_tree_text(rd, "/proc/device-tree/model");
	if (!m->board)
		m->board = place_line(rd, &firmware, &product_file);
	if (!m->board)
		m->board = copy_text(rd, rd->info.board);
	if (!m->board)
		note_text(rd, "board", "neither a device tree nor the firmware names it", NULL, 0);
	m->microcode = copy_text(rd, rd->info.microcode);
	if (!m->microcode)
		m->microcode = place_word(rd, &cpu_folder, &microcode_file);
	if (!m->microcode)
		note_text(rd, "microcode",
			  machine_is_x86(m)
				  ? "neither /proc/cpuinfo nor cpu0/microcode/version tells it"
				  : "only x86 tells its version",
			  NULL, 0);
}

/* Leaf 0x40000000 holds the signature of the hypervisor (Documentation/virt/kvm/x86/cpuid.rst). */
static const char *hypervisor_here(void)
{
#if defined(__x86_64__) || defined(__i386__)
	static const struct {
		const char *signature, *name;
	} known[] = {
		{ "KVMKVMKVM", "KVM" },
		{ "Microsoft Hv", "Hyper-V" },
		{ "VMwareVMware", "VMware" },
		{ "XenVMMXenVMM", "Xen" },
		{ "TCGTCGTCGTCG", "QEMU without KVM" },
		{ "bhyve bhyve ", "bhyve" },
	};
	unsigned eax, words[3];
	char signature[sizeof(words) + 1] = "";

	__cpuid(0x40000000, eax, words[0], words[1], words[2]);
	memcpy(signature, words, sizeof(words));
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (streq(signature, known[i].signature))
			return known[i].name;
#endif
	return NULL;
}

static void read_hypervisor(struct reader *rd)
{
	struct machine *m = rd->m;

	m->hypervisor = device_tree_text(rd, "/sys/hypervisor/type");
	if (!m->hypervisor)
		m->hypervisor =
			device_tree_text(rd, "/sys/firmware/devicetree/base/hypervisor/compatible");
	if (m->hypervisor || !rd->info.hypervisor)
		return;
	if (root_is_system(rd->root))
		m->hypervisor = copy_text(rd, hypervisor_here());
	if (!m->hypervisor)
		m->hypervisor = place_line(rd, &firmware, &vendor_file);
	if (!m->hypervisor)
		m->hypervisor = copy_text(rd, "one that does not tell its name");
}

/* Whether any core runs two threads: 0, 1, UNKNOWN. */
static uint64_t smt_by_siblings(struct reader *rd)
{
	uint64_t smt = UNKNOWN;

	for_each_cpu (cpu, &rd->cpus) {
		char folder[64];
		struct place place = { folder, "cpuN", "CPUs", cpu };
		struct cpus siblings;

		snprintf(folder, sizeof(folder), CPU_FOLDER "/cpu%d", cpu);
		if (!place_cpus(rd, &place, &siblings_file, &siblings) ||
		    cpus_count(&siblings) == 0)
			continue;
		if (cpus_count(&siblings) > 1)
			return 1;
		smt = 0;
	}
	return smt;
}

static void read_smt(struct reader *rd)
{
	struct machine *m = rd->m;

	m->smt = place_number(rd, &cpu_folder, &smt_file);
	if (m->smt == UNKNOWN)
		m->smt = smt_by_siblings(rd);
	if (m->smt == UNKNOWN && rd->info.siblings != UNKNOWN && rd->info.cores != UNKNOWN)
		m->smt = rd->info.siblings > rd->info.cores;
	if (m->smt == UNKNOWN)
		note_text(rd, "SMT",
			  "neither smt/active, thread_siblings_list nor /proc/cpuinfo tells", NULL,
			  0);
}

static uint64_t read_memory(struct reader *rd)
{
	_cleanup_free_ char *text = NULL;
	unsigned long long kb;

	if (root_read_all(rd->root, 1 << 16, &text, "/proc/meminfo") > 0 &&
	    sscanf(text, "MemTotal: %llu kB", &kb) == 1)
		return kb;
	note_text(rd, "memory", "/proc/meminfo does not tell it", NULL, 0);
	return UNKNOWN;
}

/*
 * The loaded sched_ext scheduler (Documentation/scheduler/sched-ext.rst); it replaces the fair
 * class.
 */
static void read_sched_ext(struct reader *rd)
{
	char state[64], ops[128];

	if (root_read(rd->root, state, sizeof(state), "/sys/kernel/sched_ext/state") < 0 ||
	    streq(state, "disabled"))
		return;
	rd->m->sched_ext =
		root_read(rd->root, ops, sizeof(ops), "/sys/kernel/sched_ext/root/ops") > 0
			? copy_text(rd, ops)
			: copy_text(rd, state);
}

void identity_read(struct reader *rd)
{
	read_kernel(rd);
	read_architecture(rd);
	read_board(rd);
	read_hypervisor(rd);
	read_smt(rd);
	read_sched_ext(rd);
	rd->m->clocksource = place_word(rd, &clock_folder, &clocksource_file);
	rd->m->memory_kb = read_memory(rd);
	rd->m->emulated = root_exists(rd->root, "/etc/tacho-lab");
}
