// SPDX-License-Identifier: GPL-2.0-only
/*
 * Idle states, as deep as the machine is described: each halts the CPU in the same way, but the
 * deeper ones take longer to leave. The kernel's idle governor chooses among them.
 */
#include <linux/context_tracking.h>
#include <linux/cpuidle.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/smp.h>

#ifdef CONFIG_ARM64
#include <asm/cpuidle.h>
#endif

#include "tacho_lab.h"

/* Until an interrupt is pending; on x86 it is served before this returns. With interrupts off
 * before and after. */
static void halt_cpu(void)
{
	ct_idle_enter();
#ifdef CONFIG_ARM64
	cpu_do_idle();
#else
	raw_safe_halt();
	raw_local_irq_disable();
#endif
	ct_idle_exit();
}

static int enter(struct cpuidle_device *device, struct cpuidle_driver *driver, int index)
{
	unsigned int cpu = smp_processor_id();

	lab_power_idle(cpu, index);
	halt_cpu();
	lab_power_busy(cpu, false); /* as much as a busy one on the way out */
	lab_spin_until(ktime_get_ns() + lab_machine.idle_latencies[index] * NSEC_PER_USEC);
	return index;
}

static struct cpuidle_driver driver = {
	.name = "tacho-lab",
	.owner = THIS_MODULE,
};

int lab_idle_init(void)
{
	unsigned int i;

	for (i = 0; i < lab_machine.n_idle_latencies; i++) {
		struct cpuidle_state *state = &driver.states[i];

		snprintf(state->name, sizeof(state->name), "C%u", i + 1);
		snprintf(state->desc, sizeof(state->desc), "emulated state %u", i + 1);
		state->exit_latency = lab_machine.idle_latencies[i];
		state->target_residency = lab_machine.idle_residencies[i];
		state->power_usage = i < lab_machine.n_idle_mw ? (int) lab_machine.idle_mw[i] : 0;
		state->flags =
			CPUIDLE_FLAG_RCU_IDLE; /* enter() tells RCU itself, around the halt alone */
		state->enter = enter;
	}
	driver.state_count = (int) lab_machine.n_idle_latencies;
	return driver.state_count ? cpuidle_register(&driver, NULL) : 0;
}

void lab_idle_exit(void)
{
	if (driver.state_count)
		cpuidle_unregister(&driver);
}
