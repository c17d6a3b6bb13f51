/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * latency.h - how long the locks keep contexts out, measured while a test asks for it
 *
 * Otherwise a lock call pays one no-op for it.
 */
#ifndef SIFTLOCK_LATENCY_H
#define SIFTLOCK_LATENCY_H

#include <linux/jump_label.h>
#include <linux/types.h>

/* The times for which one class was kept out on one processor, in cycles. */
struct siftlock_latency {
	u64 count, sum, min, max;
};

/*
 * Forgets the times and begins to measure, or ends. No lock is in use meanwhile. May sleep. False:
 * this module was built with SIFTLOCK_INLINE, and cannot measure.
 */
bool siftlock_latency_watch(bool on);
/* The times of @class on @cpu. @class: SIFTLOCK_NP, SIFTLOCK_BH or SIFTLOCK_IRQ. */
struct siftlock_latency siftlock_latency_of(int cpu, u32 class);

DECLARE_STATIC_KEY_FALSE(siftlock_latency_on);
void siftlock_latency_note_raised(u32 below, u32 to);
void siftlock_latency_note_restored(u32 from);

/* The caller, which had raised @below (0: nothing), has raised @to on this processor. */
static inline void siftlock_latency_raised(u32 below, u32 to)
{
	if (static_branch_unlikely(&siftlock_latency_on))
		siftlock_latency_note_raised(below, to);
}

/* The caller is about to take back all that it has raised, up to @from. */
static inline void siftlock_latency_restored(u32 from)
{
	if (static_branch_unlikely(&siftlock_latency_on))
		siftlock_latency_note_restored(from);
}

#endif
