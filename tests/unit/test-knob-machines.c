/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole sessions on copies of real machines: everything is as it was afterwards. */
#include "test-knob.h"

static const struct {
	const char *name, *settings[4];
} machines[] = {
	{ "arm-A510-A710-A715-X3",
	  { "max_freq=min", "max_freq@policy3=max min_freq@policy3=max boost=0", "idle/WFI=0" } },
	{ "adl0",
	  { "epp=power max_freq=min", "governor=performance boost=0 idle/1=0",
	    "driver_mode=passive max_freq@cpu3=min" } },
	{ "skld0",
	  { "governor=performance min_freq=max", "max_freq=min idle/C6=0",
	    "driver_mode=active boost=0" } },
	{ "turin0", { "governor=powersave epp=255", "max_freq=min", "boost=0" } },
	{ "rome0", { "governor=performance", "max_freq=min boost=0" } },
	{ "armv7", { "max_freq=min", "governor=performance" } },
	{ "x86_64-dell_e4310", { "governor=performance", "max_freq=min" } },
};

/* Beside the sources: the folder that the tests are started in, unless the variable says it. */
static const char *archives(void)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/../shared/data/machines", getenv("TACHO_SOURCE") ?: ".");
	return access(path, R_OK | X_OK) == 0 ? path : NULL;
}

static bool unpack(const char *name, char path[64])
{
	char command[PATH_MAX + 512];
	struct stat st;

	strcpy(path, "/tmp/tacho-knob.XXXXXX");
	assert_non_null(mkdtemp(path));
	/* a tree may be in a folder of its own */
	snprintf(
		command, sizeof(command),
		"archives=$(realpath '%s') && cd %s && tar xzf \"$archives/%s.tar.gz\" 2>/dev/null && "
		"{ [ ! -d '%s' ] || mv '%s'/* .; } && chmod -R u+w .",
		archives(), path, name, name, name);
	if (system(command) != 0)
		return false;
	snprintf(command, sizeof(command), "%s/sys", path);
	return stat(command, &st) == 0;
}

/* The content of all files of the CPUs but for white space at the ends of lines, which a file that
 * is written gets; what is left is a list of sums. */
static void snapshot(const char *path, const char *to)
{
	char command[512];

	snprintf(
		command, sizeof(command),
		"cd %s && find sys/devices/system/cpu -type f | sort | xargs -d '\n' grep -sH '' | "
		"sed 's/[ \t]*$//' > %s",
		path, to);
	assert_int_equal(system(command), 0);
}

static void one_machine(size_t index)
{
	char path[64], command[600];
	struct tree t = { 0 };

	if (!unpack(machines[index].name, path))
		stop_test("%s cannot be unpacked", machines[index].name);
	snprintf(t.path, sizeof(t.path), "%s", path);
	snprintf(t.state, sizeof(t.state), "%s/state", path);
	assert_int_equal(root_new(path, &t.root, NULL), 0);
	snprintf(command, sizeof(command), "%s/before", path);
	snapshot(path, command);
	struct session *s = open_session(&t);

	for (size_t i = 0; machines[index].settings[i]; i++) {
		struct error err = { 0 };

		if (apply(s, machines[index].settings[i], &err) < 0)
			stop_test("%s, %s: %s", machines[index].name, machines[index].settings[i],
				  err.text);
		if (session_verify(s, &err) < 0)
			stop_test("%s, %s: %s", machines[index].name, machines[index].settings[i],
				  err.text);
		snprintf(command, sizeof(command), "%s/during", path);
		snapshot(path, command);
		snprintf(command, sizeof(command), "! cmp -s %s/before %s/during", path, path);
		if (system(command) != 0)
			stop_test("%s, %s: nothing was changed", machines[index].name,
				  machines[index].settings[i]);
	}
	close_ok(s);
	snprintf(command, sizeof(command), "%s/after", path);
	snapshot(path, command);
	snprintf(command, sizeof(command), "diff %s/before %s/after", path, path);
	assert_int_equal(system(command), 0);
	assert_int_equal(journals(&t), 0);
	root_free(t.root);
	snprintf(command, sizeof(command), "rm -rf %s", path);
	assert_int_equal(system(command), 0);
}

static void all_machines(void **state)
{
	if (!archives()) {
		print_message("# the copies of machines are not here\n");
		skip();
	}
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		one_machine(i);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
