// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cpufreq driver with a table of frequencies and one policy for each cluster. A transition sleeps
 * for the described latency and then takes effect, as one that waits for a regulator does; so there
 * is no fast switching, and every change is an event and counted in stats/.
 */
#include <linux/cpufreq.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "tacho_lab.h"

static struct cpufreq_frequency_table table[LAB_MAX_FREQUENCIES + 1];
static unsigned int current_khz[LAB_MAX_CPUS];

static void take_effect(const struct cpufreq_policy *policy, unsigned int khz)
{
	unsigned int cpu;

	for_each_cpu(cpu, policy->related_cpus) {
		WRITE_ONCE(current_khz[cpu], khz);
		lab_speed_set(cpu, khz);
		lab_power_frequency(cpu, khz);
	}
}

static int lab_init_policy(struct cpufreq_policy *policy)
{
	unsigned int cpu, cluster = lab_machine.clusters[policy->cpu];

	for_each_present_cpu(cpu)
		if (lab_machine.clusters[cpu] == cluster)
			cpumask_set_cpu(cpu, policy->cpus);
	policy->freq_table = table;
	policy->cpuinfo.transition_latency = lab_machine.latency_us * NSEC_PER_USEC;
	policy->cur = READ_ONCE(current_khz[policy->cpu]);
	return 0;
}

static int lab_target_index(struct cpufreq_policy *policy, unsigned int index)
{
	if (lab_machine.latency_us)
		usleep_range(lab_machine.latency_us, lab_machine.latency_us + 1);
	take_effect(policy, table[index].frequency);
	return 0;
}

static unsigned int lab_get(unsigned int cpu)
{
	return READ_ONCE(current_khz[cpu]);
}

static struct cpufreq_driver driver = {
	.name = "tacho-lab",
	.flags = CPUFREQ_CONST_LOOPS, /* the time stamp counter does not follow the frequency */
	.init = lab_init_policy,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = lab_target_index,
	.get = lab_get,
	.attr = cpufreq_generic_attr,
};

int lab_frequency_init(void)
{
	unsigned int i, cpu;

	for (i = 0; i < lab_machine.n_frequencies; i++)
		table[i].frequency = lab_machine.frequencies[i];
	table[i].frequency = CPUFREQ_TABLE_END;
	for_each_present_cpu(cpu)
		current_khz[cpu] = lab_machine.frequencies[lab_machine.n_frequencies - 1];
	return cpufreq_register_driver(&driver);
}

void lab_frequency_exit(void)
{
	cpufreq_unregister_driver(&driver);
}
