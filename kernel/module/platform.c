// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * platform.c - the functions that the locks need of the kernel
 *
 * The Rust side declares these functions in glue.rs.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/rt.h>
#include "latency.h"
#include "platform.h"
#include "records.h"

#ifdef CONFIG_PREEMPT_RT
#error "Here bottom halves and spinning locks can be preempted: the classes of contexts are not these."
#endif
#ifndef CONFIG_SMP
#error "A kernel for one processor does not say whether a task runs."
#endif
#if defined(SIFTLOCK_INLINE) && defined(CONFIG_TRACE_IRQFLAGS)
#error "This kernel keeps account of interrupts: build without SIFTLOCK_INLINE."
#endif

u32 siftlock_k_number(void)
{
	return task_pid_nr(current);
}

static void sleep_until(u64 until)
{
	ktime_t end = ns_to_ktime(min_t(u64, until, KTIME_MAX));

	if (until == U64_MAX)
		schedule();
	else
		schedule_hrtimeout(&end, HRTIMER_MODE_ABS);
}

void siftlock_k_wait(u32 number, const u32 *word, u32 seen, u64 until)
{
	struct task_struct **sleeper = siftlock_sleeper(number);

	WRITE_ONCE(*sleeper, current);
	/* Full barrier, pairs with siftlock_k_wake: the waker sees us, or we see its word. */
	set_current_state(TASK_UNINTERRUPTIBLE);
	if (READ_ONCE(*word) == seen)
		sleep_until(until);
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(*sleeper, NULL);
}

void siftlock_k_wake(u32 number)
{
	struct task_struct *task;

	/* Full barrier, pairs with set_current_state in siftlock_k_wait. */
	smp_mb();
	/* The sleeper may go on, and end, at any time: RCU keeps its task_struct until then. */
	rcu_read_lock();
	task = READ_ONCE(*siftlock_sleeper(number));
	if (task)
		wake_up_process(task);
	rcu_read_unlock();
}

/* Sleeps: the awaited task may have lower priority, and need this very processor. */
void siftlock_k_yield(void)
{
	ktime_t moment = 20 * NSEC_PER_USEC;

	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_hrtimeout(&moment, HRTIMER_MODE_REL);
}

u64 siftlock_k_now(void)
{
	return ktime_get_ns();
}

u32 siftlock_k_processors(void)
{
	return num_online_cpus();
}

bool siftlock_k_running(u32 number)
{
	struct task_struct *task;
	bool runs;

	if (need_resched())
		return false;
	rcu_read_lock();
	task = pid_task(find_pid_ns(number, &init_pid_ns), PIDTYPE_PID);
	runs = task && owner_on_cpu(task);
	rcu_read_unlock();
	return runs;
}

bool siftlock_k_urgent(void)
{
	/* rt_task goes by priority, so it includes deadline tasks. */
	return rt_task(current);
}

/*
 * What a caller has raised: a bit for each class, 0 for nothing. With interrupts off neither bottom
 * halves nor other tasks come in, so a caller there has nothing to raise.
 */
#define RAISED(class) BIT(class)

/* The highest class in @held. */
static u32 highest(u64 held)
{
	return held ? __fls(held) : SIFTLOCK_THREAD;
}

u64 siftlock_k_raise(u32 class, u64 held)
{
	if (irqs_disabled())
		return held;
	switch (class) {
	case SIFTLOCK_NP:
		preempt_disable();
		break;
	case SIFTLOCK_BH:
		local_bh_disable();
		break;
	default:
		local_irq_disable();
	}
	siftlock_latency_raised(highest(held), class);
	return held | RAISED(class);
}

void siftlock_k_restore(u64 held)
{
	siftlock_latency_restored(highest(held));
	if (held & RAISED(SIFTLOCK_IRQ))
		local_irq_enable();
	if (held & RAISED(SIFTLOCK_BH))
		local_bh_enable();
	if (held & RAISED(SIFTLOCK_NP))
		preempt_enable();
}
