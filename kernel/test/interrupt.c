// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * interrupt.c - interrupt handlers and bottom halves that read the lock, on each processor
 *
 * Four sources: a timer's hard interrupt, an interrupt from another processor, the timer softirq, and
 * a tasklet that the hard interrupt has scheduled. Each asserts that it is what it is called.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/smp.h>
#include <linux/timer.h>
#include <linux/timex.h>
#include "context.h"
#include "delays.h"
#include "interrupt.h"
#include "shared.h"

struct processor {
	struct hrtimer hard;
	struct timer_list soft;
	struct tasklet_struct tasklet;
	struct delays lock[NR_SOURCES], unlock[NR_SOURCES];
	u64 wrong;
};

static DEFINE_PER_CPU(struct processor, processors);
static const struct subject *reads;
static unsigned int every;
static struct task_struct *caller;

static bool in_timer_irq(void)
{
	return in_hardirq() && irqs_disabled();
}

/* The caller's own processor runs it without an interrupt, masked. */
static bool in_call(void)
{
	return irqs_disabled() && (in_hardirq() || current == caller);
}

static bool in_bottom_half(void)
{
	return in_serving_softirq() && !in_hardirq();
}

static void read_from(enum source source, enum test_class class, bool (*is_there)(void))
{
	struct processor *here = this_cpu_ptr(&processors);
	u64 begin, end, raised;

	here->wrong += !is_there();
	begin = get_cycles();
	raised = reads->read[class]();
	end = get_cycles();
	delays_add(&here->lock[source], begin, end);
	here->wrong += !stands_at(class) || !is_there();
	shared_read();
	begin = get_cycles();
	reads->end_read[class](raised);
	end = get_cycles();
	delays_add(&here->unlock[source], begin, end);
	here->wrong += !is_there();
}

static enum hrtimer_restart on_hard(struct hrtimer *timer)
{
	read_from(FROM_TIMER_IRQ, CLASS_IRQ, in_timer_irq);
	tasklet_schedule(this_cpu_ptr(&processors.tasklet));
	hrtimer_forward_now(timer, every * NSEC_PER_USEC);
	return HRTIMER_RESTART;
}

static void on_call(void *unused)
{
	read_from(FROM_IPI, CLASS_IRQ, in_call);
}

static void on_soft(struct timer_list *timer)
{
	read_from(FROM_TIMER_SOFTIRQ, CLASS_BH, in_bottom_half);
	mod_timer(timer, jiffies + max(1UL, usecs_to_jiffies(every)));
}

static void on_tasklet(struct tasklet_struct *unused)
{
	read_from(FROM_TASKLET, CLASS_BH, in_bottom_half);
}

static int call(void *unused)
{
	/* Before interrupts_start has its answer. */
	WRITE_ONCE(caller, current);
	while (!kthread_should_stop()) {
		on_each_cpu(on_call, NULL, 1);
		usleep_range(every, every);
	}
	return 0;
}

static void start_here(void *unused)
{
	struct processor *here = this_cpu_ptr(&processors);

	hrtimer_start(&here->hard, every * NSEC_PER_USEC, HRTIMER_MODE_REL_PINNED_HARD);
	here->soft.expires = jiffies + 1;
	add_timer_on(&here->soft, smp_processor_id());
}

int interrupts_start(const struct subject *subject, unsigned int pause)
{
	int cpu;

	reads = subject;
	every = pause;
	for_each_online_cpu(cpu) {
		struct processor *there = per_cpu_ptr(&processors, cpu);

		memset(there, 0, sizeof(*there));
		hrtimer_init(&there->hard, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		there->hard.function = on_hard;
		timer_setup(&there->soft, on_soft, TIMER_PINNED);
		tasklet_setup(&there->tasklet, on_tasklet);
	}
	caller = kthread_run(call, NULL, "interrupt_readers_thread");
	if (IS_ERR(caller))
		return PTR_ERR(caller);
	on_each_cpu(start_here, NULL, 1);
	return 0;
}

void interrupts_stop(void)
{
	int cpu;

	if (IS_ERR_OR_NULL(caller))
		return;
	kthread_stop(caller);
	caller = NULL;
	for_each_online_cpu(cpu) {
		struct processor *there = per_cpu_ptr(&processors, cpu);

		/* In this order: the hard interrupt schedules the tasklet. */
		hrtimer_cancel(&there->hard);
		del_timer_sync(&there->soft);
		tasklet_kill(&there->tasklet);
	}
}

static const char *const names[NR_SOURCES] = {
	[FROM_TIMER_IRQ] = "interrupt readers",
	[FROM_IPI] = "called interrupt readers",
	[FROM_TIMER_SOFTIRQ] = "softirq readers",
	[FROM_TASKLET] = "tasklet readers",
};

void interrupts_print(void)
{
	char what[64];
	int cpu, source;

	for (source = 0; source < NR_SOURCES; source++) {
		for_each_online_cpu(cpu) {
			struct processor *there = per_cpu_ptr(&processors, cpu);

			snprintf(what, sizeof(what), "%s on CPU %d", names[source], cpu);
			delays_print(what, "lock delay", &there->lock[source]);
			delays_print(what, "unlock delay", &there->unlock[source]);
		}
	}
}

u64 interrupts_fewest(enum source source)
{
	u64 fewest = U64_MAX;
	int cpu;

	for_each_online_cpu(cpu)
		fewest = min(fewest, per_cpu_ptr(&processors, cpu)->unlock[source].count);
	return fewest;
}

u64 interrupts_wrong(void)
{
	u64 wrong = 0;
	int cpu;

	for_each_online_cpu(cpu)
		wrong += per_cpu_ptr(&processors, cpu)->wrong;
	return wrong;
}
