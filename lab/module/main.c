// SPDX-License-Identifier: GPL-2.0-only
/* Parameters, sysfs, and the order of starting and stopping. */
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/sysfs.h>

#include "tacho_lab.h"

struct lab_machine lab_machine;

module_param_array_named(frequencies, lab_machine.frequencies, uint, &lab_machine.n_frequencies,
			 0444);
MODULE_PARM_DESC(frequencies, "kHz, ascending");
module_param_array_named(clusters, lab_machine.clusters, uint, &lab_machine.n_clusters, 0444);
MODULE_PARM_DESC(clusters, "cluster of each CPU; one each where not given");
module_param_array_named(capacities, lab_machine.capacities, uint, &lab_machine.n_capacities, 0444);
MODULE_PARM_DESC(capacities, "capacity of each CPU, 1..1024; 1024 where not given");
module_param_named(latency_us, lab_machine.latency_us, uint, 0444);
MODULE_PARM_DESC(latency_us, "until a new frequency is in effect");
module_param_array_named(idle_latencies, lab_machine.idle_latencies, uint,
			 &lab_machine.n_idle_latencies, 0444);
MODULE_PARM_DESC(idle_latencies,
		 "us to leave each idle state, shallowest first; no idle states where not given");
module_param_array_named(idle_residencies, lab_machine.idle_residencies, uint,
			 &lab_machine.n_idle_residencies, 0444);
MODULE_PARM_DESC(idle_residencies, "us from which on each idle state pays");
module_param_array_named(busy_mw, lab_machine.busy_mw, uint, &lab_machine.n_busy_mw, 0444);
MODULE_PARM_DESC(
	busy_mw,
	"mW of a busy CPU of capacity 1024 at each frequency; no energy counters where not given");
module_param_array_named(idle_mw, lab_machine.idle_mw, uint, &lab_machine.n_idle_mw, 0444);
MODULE_PARM_DESC(idle_mw, "mW of a CPU in each idle state, or in the only one");

static struct kobject *lab_kobject;

static ssize_t stolen_ns_show(struct kobject *kobject, struct kobj_attribute *attribute, char *buf)
{
	ssize_t n = 0;
	unsigned int cpu;

	for_each_present_cpu(cpu)
		n += sysfs_emit_at(buf, n, "%u %llu\n", cpu, lab_speed_stolen(cpu));
	return n;
}

static struct kobj_attribute stolen_ns = __ATTR_RO(stolen_ns);

static int __init check_idle_and_power(void)
{
	unsigned int n_states = lab_machine.n_idle_latencies;

	if (lab_machine.n_idle_residencies != n_states) {
		pr_err("tacho_lab: idle_residencies: one for each of idle_latencies\n");
		return -EINVAL;
	}
	if (!lab_machine.n_busy_mw)
		return 0;
	if (lab_machine.n_busy_mw != lab_machine.n_frequencies) {
		pr_err("tacho_lab: busy_mw: one for each of frequencies\n");
		return -EINVAL;
	}
	if (lab_machine.n_idle_mw != max(n_states, 1U)) {
		pr_err("tacho_lab: idle_mw: one for each idle state, or one\n");
		return -EINVAL;
	}
	return 0;
}

static int __init check_parameters(void)
{
	unsigned int i;

	if (!lab_machine.n_frequencies) {
		pr_err("tacho_lab: no frequencies\n");
		return -EINVAL;
	}
	for (i = 0; i < lab_machine.n_frequencies; i++)
		if (!lab_machine.frequencies[i] ||
		    (i && lab_machine.frequencies[i] <= lab_machine.frequencies[i - 1])) {
			pr_err("tacho_lab: frequencies must ascend\n");
			return -EINVAL;
		}
	for (i = 0; i < lab_machine.n_capacities; i++)
		if (!lab_machine.capacities[i] || lab_machine.capacities[i] > 1024) {
			pr_err("tacho_lab: capacities are 1 to 1024\n");
			return -EINVAL;
		}
	if (num_present_cpus() > LAB_MAX_CPUS) {
		pr_err("tacho_lab: at most %d CPUs\n", LAB_MAX_CPUS);
		return -EINVAL;
	}
	for (i = lab_machine.n_clusters; i < LAB_MAX_CPUS; i++)
		lab_machine.clusters[i] = i;
	for (i = lab_machine.n_capacities; i < LAB_MAX_CPUS; i++)
		lab_machine.capacities[i] = 1024;
	return check_idle_and_power();
}

static int __init lab_init(void)
{
	int r = check_parameters();

	if (r)
		return r;
	r = lab_power_init();
	if (r)
		return r;
	r = lab_speed_init();
	if (r)
		goto stop_power;
	r = lab_frequency_init();
	if (r)
		goto stop_speed;
	r = lab_idle_init();
	if (r)
		goto stop_frequency;
	lab_kobject = kobject_create_and_add("tacho_lab", kernel_kobj);
	r = lab_kobject ? sysfs_create_file(lab_kobject, &stolen_ns.attr) : -ENOMEM;
	if (r)
		goto stop_idle;
	return 0;

stop_idle:
	kobject_put(lab_kobject);
	lab_idle_exit();
stop_frequency:
	lab_frequency_exit();
stop_speed:
	lab_speed_exit();
stop_power:
	lab_power_exit();
	return r;
}

static void __exit lab_exit(void)
{
	kobject_put(lab_kobject);
	lab_idle_exit();
	lab_frequency_exit();
	lab_speed_exit();
	lab_power_exit();
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_DESCRIPTION("plays the hardware of an emulated machine for tacho");
MODULE_LICENSE("GPL");
