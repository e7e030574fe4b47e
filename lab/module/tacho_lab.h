/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tacho_lab plays the hardware of a machine that has none: frequencies (frequency.c), CPUs that
 * really are as slow as their frequency and capacity say (speed.c), idle states that take their
 * time to leave (idle.c), and the power of all that with its counters (power.c). Everything above
 * it (governors, scheduler, sysfs) is the kernel's own.
 */
#ifndef TACHO_LAB_H
#define TACHO_LAB_H

#include <linux/types.h>

#define LAB_MAX_CPUS 64
#define LAB_MAX_FREQUENCIES 32
#define LAB_MAX_IDLE_STATES 8

/* The machine's description, from module parameters. */
struct lab_machine {
	unsigned int frequencies[LAB_MAX_FREQUENCIES]; /* kHz, ascending */
	unsigned int n_frequencies;
	unsigned int clusters[LAB_MAX_CPUS]; /* of each CPU; CPUs of one cluster share a policy */
	unsigned int n_clusters;
	unsigned int capacities[LAB_MAX_CPUS]; /* of each CPU, 1..1024 */
	unsigned int n_capacities;
	unsigned int latency_us; /* until a new frequency is in effect */

	unsigned int idle_latencies[LAB_MAX_IDLE_STATES]; /* us to leave each state; none: no idle
							     states */
	unsigned int n_idle_latencies;
	unsigned int idle_residencies[LAB_MAX_IDLE_STATES]; /* us from which on each state pays */
	unsigned int n_idle_residencies;

	unsigned int busy_mw[LAB_MAX_FREQUENCIES]; /* of a CPU of capacity 1024 at each frequency;
						      none: no counters */
	unsigned int n_busy_mw;
	unsigned int idle_mw[LAB_MAX_IDLE_STATES]; /* of a CPU in each idle state */
	unsigned int n_idle_mw;
};

extern struct lab_machine lab_machine;

int lab_frequency_init(void);
void lab_frequency_exit(void);

int lab_idle_init(void);
void lab_idle_exit(void);

int lab_power_init(void);
void lab_power_exit(void);

/* What CPU does from now on: runs a task or idles, at KHZ, or (lab_power_idle) is in an idle state.
 * Any context. */
void lab_power_busy(unsigned int cpu, bool busy);
void lab_power_frequency(unsigned int cpu, unsigned int khz);
void lab_power_idle(unsigned int cpu, unsigned int state);

int lab_speed_init(void);
void lab_speed_exit(void);

/* The CPU runs at KHZ from now on. */
void lab_speed_set(unsigned int cpu, unsigned int khz);

/* What CPU has lost to being slow so far, in ns. */
u64 lab_speed_stolen(unsigned int cpu);

/* Does nothing until END, ktime ns. Returns the time then, which is a little later. */
u64 lab_spin_until(u64 end);

#endif
