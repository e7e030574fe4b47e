// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a CPU as slow as its frequency and capacity say. Work makes a debt: the time that the
 * slower CPU would have needed more for it. When the debt reaches a quantum, a timer in hard
 * interrupt context spins it off, so the task is charged for it, not the idle CPU, as governors and
 * scheduler expect. The debt is kept by the clock: what a spin took too long, and what is left when
 * the task sleeps, is carried over, so the sum is right for short activations as for long.
 *
 * The way into and out of our own interrupt is no work of the task: overhead_ns of each interrupt
 * count as spun. It is measured when the module is loaded, because it depends on the kernel and on
 * the emulator.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#include "tacho_lab.h"

#define QUANTUM_NS (250 * NSEC_PER_USEC) /* of debt, spun off at once */
#define LONGEST_CREDIT_NS \
	(1 * NSEC_PER_MSEC) /* of a spin that ended late; more was another CPU's turn */

#define LONG_PASS_NS (40 * NSEC_PER_USEC) /* at 8 ns an instruction, 16 * 256 of them take less */
#define SHORT_PASS_NS (3 * NSEC_PER_USEC)

#define FIRST_OVERHEAD_NS 4000
#define LONGEST_OVERHEAD_NS 20000
#define MEASURED_RATIO 6
#define MEASURED_ROUNDS 3
#define USER_SHARE 8 /* interrupting user mode takes that part more, found by trying */
#define MEASURED_NS (20 * NSEC_PER_MSEC)

static unsigned int overhead_ns;
module_param(overhead_ns, uint, 0644);
MODULE_PARM_DESC(
	overhead_ns,
	"what an interrupt of the slow-down itself takes; measured at load where not given");

struct lane {
	struct hrtimer timer;
	bool armed, running;
	u32 speed;  /* capacity x kHz / 1024 */
	u64 since;  /* start of the work not yet accounted for, ktime */
	s64 owed;   /* ns to be lost still */
	u64 stolen; /* ns lost */
	u32 spins;
};

static DEFINE_PER_CPU(struct lane, lanes);
static struct tracepoint *sched_switch_point;

static u32 full_speed(void)
{
	return lab_machine.frequencies[lab_machine.n_frequencies - 1];
}

static u32 speed_at(unsigned int cpu, unsigned int khz)
{
	return max_t(u32, (u32) div_u64((u64) khz * lab_machine.capacities[cpu], 1024), 1);
}

/* Work of WORK ns at the lane's speed costs the difference to full speed. */
static void account(struct lane *lane, s64 work)
{
	if (work > 0)
		lane->owed += (s64) div_u64((u64) work * (full_speed() - lane->speed), lane->speed);
}

/* When work from lane->since on will have made a quantum of debt. */
static ktime_t due(const struct lane *lane)
{
	s64 missing = (s64) QUANTUM_NS - lane->owed;
	u64 work =
		missing > 0 ? div_u64((u64) missing * lane->speed, full_speed() - lane->speed) : 0;

	return ns_to_ktime(lane->since + work + overhead_ns);
}

/*
 * Instructions that do nothing cost an emulator that counts instructions nearly nothing, where
 * reading its clock costs much. So as few readings as possible. The relaxing lets its other CPUs
 * run, as nothing else here would.
 */
static void pass(unsigned int times)
{
	while (times--)
		asm volatile(".rept 256\n\tnop\n\t.endr" ::: "memory");
}

u64 lab_spin_until(u64 end)
{
	u64 now;

	while ((now = ktime_get_ns()) < end) {
		if (end - now > LONG_PASS_NS)
			pass(16);
		else if (end - now > SHORT_PASS_NS)
			pass(1);
		cpu_relax();
	}
	return now;
}

static enum hrtimer_restart expire(struct hrtimer *timer)
{
	struct lane *lane = container_of(timer, struct lane, timer);
	u64 now = ktime_get_ns(), start = now;
	s64 debt;

	if (!lane->running || lane->speed >= full_speed()) {
		lane->armed = false;
		return HRTIMER_NORESTART;
	}
	account(lane, (s64) (now - lane->since) - overhead_ns);
	debt = lane->owed - overhead_ns;
	now = lab_spin_until(start + max_t(s64, debt, 0));
	lane->owed = max_t(s64, debt - (s64) (now - start), -(s64) LONGEST_CREDIT_NS);
	lane->stolen += now - start + overhead_ns;
	lane->since = now;
	lane->spins++;
	hrtimer_set_expires(timer, due(lane));
	return HRTIMER_RESTART;
}

/* On the lane's own CPU with interrupts off: its timer runs while a task does, below full speed. */
static void arm(struct lane *lane)
{
	if (lane->running && lane->speed < full_speed()) {
		hrtimer_start(&lane->timer, due(lane), HRTIMER_MODE_ABS_PINNED_HARD);
		lane->armed = true;
	} else if (lane->armed) {
		/* or the idle CPU would be woken, and its idle governor would expect that */
		hrtimer_try_to_cancel(&lane->timer);
		lane->armed = false;
	}
}

static void settle(struct lane *lane)
{
	u64 now = ktime_get_ns();

	if (lane->running)
		account(lane, (s64) (now - lane->since));
	lane->since = now;
}

/* sched_switch, on the CPU that switches, with interrupts off. */
static void on_switch(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		      unsigned int prev_state)
{
	struct lane *lane = this_cpu_ptr(&lanes);
	bool running = !is_idle_task(next);

	settle(lane);
	if (lane->running != running)
		lab_power_busy(smp_processor_id(), running);
	lane->running = running;
	arm(lane);
}

static void set_here(void *argument)
{
	struct lane *lane = this_cpu_ptr(&lanes);

	settle(lane);
	lane->speed = *(const u32 *) argument;
	lane->running = !is_idle_task(current);
	arm(lane);
}

void lab_speed_set(unsigned int cpu, unsigned int khz)
{
	u32 speed = speed_at(cpu, khz);

	/* fails for a CPU that is offline: nothing runs there */
	if (smp_call_function_single(cpu, set_here, &speed, 1))
		per_cpu(lanes, cpu).speed = speed;
}

u64 lab_speed_stolen(unsigned int cpu)
{
	return READ_ONCE(per_cpu(lanes, cpu).stolen);
}

static u64 timed_loop(u64 steps)
{
	u64 start = ktime_get_ns(), i;

	for (i = 0; i < steps; i++)
		barrier();
	return ktime_get_ns() - start;
}

static u64 timed_at(u32 speed, u64 steps)
{
	smp_call_function_single(smp_processor_id(), set_here, &speed, 1);
	return timed_loop(steps);
}

/*
 * The same loop at full speed and at a sixth of it: what the latter takes beyond six times is
 * overhead, which was taken for work and multiplied. Both are several scheduler ticks long, so that
 * these count equally.
 */
static long measure_overhead(void *unused)
{
	struct lane *lane = this_cpu_ptr(&lanes);
	u32 fast = full_speed(), slow = fast / MEASURED_RATIO, before = lane->speed;
	u64 steps = 100000;
	int i;

	preempt_disable();
	steps = div64_u64(steps * MEASURED_NS, timed_at(fast, steps) + 1);
	overhead_ns = FIRST_OVERHEAD_NS;
	for (i = 0; i < MEASURED_ROUNDS; i++) {
		u64 full = timed_at(fast, steps), slowed;
		s64 excess;
		u32 spins = lane->spins;

		slowed = timed_at(slow, steps);
		spins = max(lane->spins - spins, 1U);
		excess = div_s64((s64) (slowed - MEASURED_RATIO * full),
				 (s32) (spins * MEASURED_RATIO));
		overhead_ns =
			(unsigned int) clamp_t(s64, overhead_ns + excess, 1, LONGEST_OVERHEAD_NS);
	}
	overhead_ns += overhead_ns / USER_SHARE;
	timed_at(before, 0);
	preempt_enable();
	return 0;
}

static void find_point(struct tracepoint *point, void *data)
{
	if (strcmp(point->name, "sched_switch") == 0)
		sched_switch_point = point;
}

int lab_speed_init(void)
{
	unsigned int cpu;
	int r;

	for_each_possible_cpu(cpu) {
		struct lane *lane = &per_cpu(lanes, cpu);

		lane->speed = speed_at(cpu, full_speed());
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
		hrtimer_setup(&lane->timer, expire, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
#else
		hrtimer_init(&lane->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD);
		lane->timer.function = expire;
#endif
	}
	for_each_kernel_tracepoint(find_point, NULL);
	if (!sched_switch_point)
		return -ENOENT;
	r = tracepoint_probe_register(sched_switch_point, on_switch, NULL);
	if (r == 0 && !overhead_ns) {
		work_on_cpu(cpumask_last(cpu_online_mask), measure_overhead, NULL);
		pr_info("tacho_lab: an interrupt of the slow-down takes %u ns\n", overhead_ns);
	}
	return r;
}

void lab_speed_exit(void)
{
	unsigned int cpu;

	tracepoint_probe_unregister(sched_switch_point, on_switch, NULL);
	tracepoint_synchronize_unregister();
	for_each_possible_cpu(cpu) {
		per_cpu(lanes, cpu).running = false;
		hrtimer_cancel(&per_cpu(lanes, cpu).timer);
	}
}
