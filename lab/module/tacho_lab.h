/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tacho_lab plays the hardware of a machine that has none: frequencies (frequency.c), and CPUs that really are as slow as
 * their frequency and capacity say (speed.c). Everything above it (governors, scheduler, sysfs) is the kernel's own.
 */
#ifndef TACHO_LAB_H
#define TACHO_LAB_H

#include <linux/types.h>

#define LAB_MAX_CPUS 64
#define LAB_MAX_FREQUENCIES 32

/* The machine's description, from module parameters. */
struct lab_machine {
	unsigned int frequencies[LAB_MAX_FREQUENCIES]; /* kHz, ascending */
	unsigned int n_frequencies;
	unsigned int clusters[LAB_MAX_CPUS]; /* of each CPU; CPUs of one cluster share a policy */
	unsigned int n_clusters;
	unsigned int capacities[LAB_MAX_CPUS]; /* of each CPU, 1..1024 */
	unsigned int n_capacities;
	unsigned int latency_us; /* until a new frequency is in effect */
};

extern struct lab_machine lab_machine;

int lab_frequency_init(void);
void lab_frequency_exit(void);

int lab_speed_init(void);
void lab_speed_exit(void);

/* The CPU runs at KHZ from now on. */
void lab_speed_set(unsigned int cpu, unsigned int khz);

/* What CPU has lost to being slow so far, in ns. */
u64 lab_speed_stolen(unsigned int cpu);

#endif
