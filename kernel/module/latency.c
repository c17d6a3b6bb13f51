// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * latency.c - how long the locks keep contexts out
 *
 * A class is masked on one processor from the first raise that reaches it to the last restore, since a
 * raised context keeps its processor. Higher contexts may come in between and do the same. They have
 * left again when the interrupted context goes on, so the depths are as before.
 */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kconfig.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/timex.h>
#include "latency.h"
#include "platform.h"

#define CLASSES (SIFTLOCK_IRQ + 1)

struct processor {
	u32 depth[CLASSES];
	u64 since[CLASSES];
	struct siftlock_latency seen[CLASSES];
};

static DEFINE_PER_CPU(struct processor, processors);
DEFINE_STATIC_KEY_FALSE(siftlock_latency_on);

bool siftlock_latency_watch(bool on)
{
	int cpu;

	if (IS_ENABLED(SIFTLOCK_INLINE))
		return false;
	if (on) {
		for_each_possible_cpu(cpu)
			memset(per_cpu_ptr(&processors, cpu), 0, sizeof(struct processor));
		static_branch_enable(&siftlock_latency_on);
	} else {
		static_branch_disable(&siftlock_latency_on);
	}
	return true;
}

struct siftlock_latency siftlock_latency_of(int cpu, u32 class)
{
	return per_cpu(processors, cpu).seen[class];
}

void siftlock_latency_note_raised(u32 below, u32 to)
{
	struct processor *here;
	unsigned long flags;
	u64 now;
	u32 class;

	local_irq_save(flags);
	here = this_cpu_ptr(&processors);
	now = get_cycles();
	for (class = below + 1; class <= to; class++)
		if (!here->depth[class]++)
			here->since[class] = now;
	local_irq_restore(flags);
}

static void note(struct siftlock_latency *seen, u64 took)
{
	seen->min = seen->count++ ? min(seen->min, took) : took;
	seen->max = max(seen->max, took);
	seen->sum += took;
}

void siftlock_latency_note_restored(u32 from)
{
	struct processor *here;
	unsigned long flags;
	u64 now;
	u32 class;

	local_irq_save(flags);
	here = this_cpu_ptr(&processors);
	now = get_cycles();
	for (class = from; class > SIFTLOCK_THREAD; class--)
		if (!--here->depth[class])
			note(&here->seen[class], now - here->since[class]);
	local_irq_restore(flags);
}
