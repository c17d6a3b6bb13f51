// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * test-latency.c - how long the lock under test kept contexts out
 *
 * siftlock.ko notes it for its own locks, since only it knows when they raise a thread.
 */
#include <linux/cpumask.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/timex.h>
#include "delays.h"
#include "latency.h"
#include "platform.h"
#include "test-latency.h"

static DEFINE_PER_CPU(struct delays, standard_delays);
static DEFINE_PER_CPU(u64, standard_since);

void standard_latency_begin(void)
{
	this_cpu_write(standard_since, get_cycles());
}

void standard_latency_end(void)
{
	delays_add(this_cpu_ptr(&standard_delays), this_cpu_read(standard_since), get_cycles());
}

void latency_begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&standard_delays, cpu), 0, sizeof(struct delays));
	siftlock_latency_watch(true);
}

void latency_end(void)
{
	siftlock_latency_watch(false);
}

static void print(const char *what, int cpu, u64 count, u64 sum, u64 min, u64 max)
{
	if (count)
		pr_info("%s latency for cpu %d disabled %llu times, [min,avg,max] %llu,%llu,%llu cycles\n",
			what, cpu, count, min, div64_u64(sum, count), max);
}

void latency_print(const struct subject *subject)
{
	static const char *const names[] = {
		[SIFTLOCK_NP] = "Preemption", [SIFTLOCK_BH] = "SoftIRQ", [SIFTLOCK_IRQ] = "IRQ",
	};
	u32 class;
	int cpu;

	if (subject == &standard_subject) {
		for_each_online_cpu(cpu) {
			struct delays *seen = per_cpu_ptr(&standard_delays, cpu);

			print(names[SIFTLOCK_IRQ], cpu, seen->count, seen->sum, seen->min, seen->max);
		}
		return;
	}
	for (class = SIFTLOCK_IRQ; class > SIFTLOCK_THREAD; class--) {
		for_each_online_cpu(cpu) {
			struct siftlock_latency seen = siftlock_latency_of(cpu, class);

			print(names[class], cpu, seen.count, seen.sum, seen.min, seen.max);
		}
	}
}
