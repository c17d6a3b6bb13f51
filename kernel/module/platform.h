/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * platform.h - the functions that the locks need of the kernel
 */
#ifndef SIFTLOCK_PLATFORM_H
#define SIFTLOCK_PLATFORM_H

#include <linux/types.h>

/* The classes of contexts, lowest first. */
enum siftlock_class { SIFTLOCK_THREAD, SIFTLOCK_NP, SIFTLOCK_BH, SIFTLOCK_IRQ };

/* The calling task's number. Every context. */
u32 siftlock_k_number(void);
/* Sleeps while *@word is @seen, at most until the monotonic clock shows @until. @number: the caller's. */
void siftlock_k_wait(u32 number, const u32 *word, u32 seen, u64 until);
/* Ends task @number's sleep in siftlock_k_wait. Every context but NMIs. */
void siftlock_k_wake(u32 number);
/* Gives up the processor for a moment; sleeps. */
void siftlock_k_yield(void);
/* The monotonic clock in nanoseconds. */
u64 siftlock_k_now(void);
/* How many processors are online. */
u32 siftlock_k_processors(void);
/* Whether task @number runs at this moment, and the caller may go on running. */
bool siftlock_k_running(u32 number);
/* Whether the caller is a real-time task. */
bool siftlock_k_urgent(void);
/* Raises the caller to @class. Returns @held and what this call raised. */
u64 siftlock_k_raise(u32 class, u64 held);
/* Takes back all that @held says. */
void siftlock_k_restore(u64 held);

#endif
