// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the machine takes: each CPU its frequency's power while it runs a task or is on its way out
 * of an idle state, the state's power in it. Integrated at each change, and shown as hardware shows
 * it: an hwmon device with an energy sensor for each cluster and one for all, and a powercap zone
 * for all whose counter wraps soon, as RAPL's does.
 */
#include <linux/hwmon.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/platform_device.h>
#include <linux/powercap.h>
#include <linux/spinlock.h>

#include "tacho_lab.h"

#define WRAP_UJ (32ULL * 1000 * 1000)
#define PJ_PER_UJ 1000000

struct draw {
	raw_spinlock_t lock;
	u32 busy_mw, idle_mw;
	bool busy;
	u64 since; /* ktime ns */
	u64 pj;    /* mW x ns, until then */
};

static DEFINE_PER_CPU(struct draw, draws);
static struct platform_device *platform;
static struct device *hwmon;
static struct powercap_control_type *control;
static struct powercap_zone zone;
static unsigned int n_clusters;
static u32 hwmon_config[LAB_MAX_CPUS + 2];
static char labels[LAB_MAX_CPUS + 1][16];

static bool counting(void)
{
	return lab_machine.n_busy_mw > 0;
}

static void integrate(struct draw *draw)
{
	u64 now = ktime_get_ns();

	draw->pj += (now - draw->since) * (draw->busy ? draw->busy_mw : draw->idle_mw);
	draw->since = now;
}

static u32 busy_mw(unsigned int cpu, unsigned int khz)
{
	unsigned int i = 0;

	while (i + 1 < lab_machine.n_frequencies && lab_machine.frequencies[i] < khz)
		i++;
	return lab_machine.busy_mw[i] * lab_machine.capacities[cpu] / 1024;
}

void lab_power_busy(unsigned int cpu, bool busy)
{
	struct draw *draw = &per_cpu(draws, cpu);
	unsigned long flags;

	if (!counting())
		return;
	raw_spin_lock_irqsave(&draw->lock, flags);
	integrate(draw);
	draw->busy = busy;
	/* until it is in an idle state, where there are any */
	draw->idle_mw = lab_machine.n_idle_latencies ? draw->busy_mw : lab_machine.idle_mw[0];
	raw_spin_unlock_irqrestore(&draw->lock, flags);
}

void lab_power_frequency(unsigned int cpu, unsigned int khz)
{
	struct draw *draw = &per_cpu(draws, cpu);
	unsigned long flags;

	if (!counting())
		return;
	raw_spin_lock_irqsave(&draw->lock, flags);
	integrate(draw);
	draw->busy_mw = busy_mw(cpu, khz);
	raw_spin_unlock_irqrestore(&draw->lock, flags);
}

void lab_power_idle(unsigned int cpu, unsigned int state)
{
	struct draw *draw = &per_cpu(draws, cpu);
	unsigned long flags;

	if (!counting())
		return;
	raw_spin_lock_irqsave(&draw->lock, flags);
	integrate(draw);
	draw->idle_mw = lab_machine.idle_mw[state];
	raw_spin_unlock_irqrestore(&draw->lock, flags);
}

/* Of a cluster, or of all for n_clusters. */
static u64 energy_uj(unsigned int cluster)
{
	unsigned int cpu;
	u64 pj = 0;

	for_each_present_cpu(cpu) {
		struct draw *draw = &per_cpu(draws, cpu);
		unsigned long flags;

		if (cluster < n_clusters && lab_machine.clusters[cpu] != cluster)
			continue;
		raw_spin_lock_irqsave(&draw->lock, flags);
		integrate(draw);
		pj += draw->pj;
		raw_spin_unlock_irqrestore(&draw->lock, flags);
	}
	return div_u64(pj, PJ_PER_UJ);
}

static umode_t visible(const void *data, enum hwmon_sensor_types type, u32 attribute, int channel)
{
	return 0444;
}

static int read_energy(struct device *device, enum hwmon_sensor_types type, u32 attribute,
		       int channel, long *value)
{
	*value = (long) energy_uj((unsigned int) channel);
	return 0;
}

static int read_label(struct device *device, enum hwmon_sensor_types type, u32 attribute,
		      int channel, const char **text)
{
	*text = labels[channel];
	return 0;
}

static const struct hwmon_ops hwmon_ops = {
	.is_visible = visible,
	.read = read_energy,
	.read_string = read_label,
};

static const struct hwmon_channel_info channels = { .type = hwmon_energy, .config = hwmon_config };
static const struct hwmon_channel_info *const channel_list[] = { &channels, NULL };
/* .info is const in newer kernels only */
static const struct hwmon_chip_info chip = { .ops = &hwmon_ops, .info = (void *) channel_list };

static int zone_energy(struct powercap_zone *unused, u64 *uj)
{
	u64 energy = energy_uj(n_clusters);

	*uj = energy - div64_u64(energy, WRAP_UJ) * WRAP_UJ;
	return 0;
}

static int zone_range(struct powercap_zone *unused, u64 *uj)
{
	*uj = WRAP_UJ - 1;
	return 0;
}

static int zone_release(struct powercap_zone *unused)
{
	return 0;
}

static const struct powercap_zone_ops zone_ops = {
	.get_energy_uj = zone_energy,
	.get_max_energy_range_uj = zone_range,
	.release = zone_release,
};

/* powercap wants these even of a zone that has no limit to set, and then never calls them. */
static int no_limit(struct powercap_zone *unused, int id, u64 *value)
{
	return -ENODATA;
}

static int no_setting(struct powercap_zone *unused, int id, u64 value)
{
	return -ENODATA;
}

static const struct powercap_zone_constraint_ops no_constraints = {
	.get_power_limit_uw = no_limit,
	.set_power_limit_uw = no_setting,
	.get_time_window_us = no_limit,
	.set_time_window_us = no_setting,
};

static void start_counting(void)
{
	unsigned int cpu, i;

	for_each_present_cpu(cpu) {
		struct draw *draw = &per_cpu(draws, cpu);

		n_clusters = max(n_clusters, lab_machine.clusters[cpu] + 1);
		raw_spin_lock_init(&draw->lock);
		draw->busy_mw =
			busy_mw(cpu, lab_machine.frequencies[lab_machine.n_frequencies - 1]);
		draw->idle_mw = draw->busy_mw;
		draw->since = ktime_get_ns();
	}
	for (i = 0; i < n_clusters; i++)
		snprintf(labels[i], sizeof(labels[i]), "cluster%u", i);
	snprintf(labels[i], sizeof(labels[i]), "total");
	for (i = 0; i <= n_clusters; i++)
		hwmon_config[i] = HWMON_E_INPUT | HWMON_E_LABEL;
}

int lab_power_init(void)
{
	struct powercap_zone *registered;
	int r;

	if (!counting())
		return 0;
	start_counting();
	platform = platform_device_register_simple("tacho_lab", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(platform))
		return PTR_ERR(platform);
	hwmon = hwmon_device_register_with_info(&platform->dev, "tacho_lab", NULL, &chip, NULL);
	r = PTR_ERR_OR_ZERO(hwmon);
	if (r)
		goto drop_platform;
	control = powercap_register_control_type(NULL, "tacho-lab", NULL);
	r = PTR_ERR_OR_ZERO(control);
	if (r)
		goto drop_hwmon;
	registered = powercap_register_zone(&zone, control, "package-0", NULL, &zone_ops, 0,
					    &no_constraints);
	r = PTR_ERR_OR_ZERO(registered);
	if (r)
		goto drop_control;
	return 0;

drop_control:
	powercap_unregister_control_type(control);
drop_hwmon:
	hwmon_device_unregister(hwmon);
drop_platform:
	platform_device_unregister(platform);
	return r;
}

void lab_power_exit(void)
{
	if (!counting())
		return;
	powercap_unregister_zone(control, &zone);
	powercap_unregister_control_type(control);
	hwmon_device_unregister(hwmon);
	platform_device_unregister(platform);
}
