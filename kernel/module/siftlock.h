/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * siftlock.h - two reader-writer locks for kernel code, from siftlock.ko
 *
 * struct siftlock_rwsem   a sleeping lock, used as struct rw_semaphore is.
 * struct siftlock_psrw    a lock that threads write, and that threads, non-preemptible code, bottom
 *                         halves and interrupt handlers read. A writer shuts its readers out class by
 *                         class, the slowest first: interrupts are off only while interrupt readers
 *                         leave, and for the write itself.
 *
 * All-zero memory is an unlocked lock of either kind. (With lockdep, a lock that is not static needs
 * siftlock_rwsem_init or siftlock_psrw_init as well.) A call that may sleep may allocate memory: a task
 * gets its record as it first waits or writes, and 15 tasks share a page. An unlock's releasing step is its last access to
 * the lock, so the next holder may free it. A module that uses these symbols keeps siftlock.ko loaded.
 * The module's threads must have ended before it is unloaded.
 */
#ifndef SIFTLOCK_H
#define SIFTLOCK_H

#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/types.h>

#ifdef CONFIG_DEBUG_LOCK_ALLOC
#define SIFTLOCK_DEP_MAP struct lockdep_map dep_map;
#define SIFTLOCK_DEP_INIT(lockname) .dep_map = { .name = #lockname }
#define SIFTLOCK_MAP(lock) (&(lock)->dep_map)
#else
#define SIFTLOCK_DEP_MAP
#define SIFTLOCK_DEP_INIT(lockname)
#define SIFTLOCK_MAP(lock) ((struct lockdep_map *)(lock))
#endif

struct siftlock_rwsem {
	u64 words[3];
	SIFTLOCK_DEP_MAP
};

struct siftlock_psrw {
	u64 words[2];
	SIFTLOCK_DEP_MAP
};

#define DEFINE_SIFTLOCK_RWSEM(name) struct siftlock_rwsem name = { SIFTLOCK_DEP_INIT(name) }
#define DEFINE_SIFTLOCK_PSRW(name) struct siftlock_psrw name = { SIFTLOCK_DEP_INIT(name) }

/* The end of a timed form's wait is ktime_get_ns() + nanoseconds, or this: no end. */
#define SIFTLOCK_FOREVER U64_MAX
/* Returned by a write form that returns a u64, if it did not take the lock. */
#define SIFTLOCK_REFUSED U64_MAX

/* The code of the locks. Do not call it directly: use the functions of the two headers below. */
bool siftlock_r_rwsem_read(struct siftlock_rwsem *lock);
bool siftlock_r_rwsem_read_until(struct siftlock_rwsem *lock, u64 until);
bool siftlock_r_rwsem_try_read(struct siftlock_rwsem *lock);
void siftlock_r_rwsem_read_unlock(struct siftlock_rwsem *lock);
void siftlock_r_rwsem_write(struct siftlock_rwsem *lock);
bool siftlock_r_rwsem_write_until(struct siftlock_rwsem *lock, u64 until);
bool siftlock_r_rwsem_try_write(struct siftlock_rwsem *lock);
void siftlock_r_rwsem_write_unlock(struct siftlock_rwsem *lock);
void siftlock_r_rwsem_downgrade(struct siftlock_rwsem *lock);

void siftlock_r_psrw_read(struct siftlock_psrw *lock);
void siftlock_r_psrw_read_np(struct siftlock_psrw *lock);
void siftlock_r_psrw_read_bh(struct siftlock_psrw *lock);
void siftlock_r_psrw_read_irq(struct siftlock_psrw *lock);
bool siftlock_r_psrw_read_until(struct siftlock_psrw *lock, u64 until);
bool siftlock_r_psrw_try_read(struct siftlock_psrw *lock);
bool siftlock_r_psrw_try_read_np(struct siftlock_psrw *lock);
bool siftlock_r_psrw_try_read_bh(struct siftlock_psrw *lock);
bool siftlock_r_psrw_try_read_irq(struct siftlock_psrw *lock);
void siftlock_r_psrw_read_unlock(struct siftlock_psrw *lock);
void siftlock_r_psrw_read_unlock_np(struct siftlock_psrw *lock);
void siftlock_r_psrw_read_unlock_bh(struct siftlock_psrw *lock);
void siftlock_r_psrw_read_unlock_irq(struct siftlock_psrw *lock);
u64 siftlock_r_psrw_write(struct siftlock_psrw *lock);
u64 siftlock_r_psrw_write_until(struct siftlock_psrw *lock, u64 until);
u64 siftlock_r_psrw_try_write(struct siftlock_psrw *lock);
void siftlock_r_psrw_write_unlock(struct siftlock_psrw *lock, u64 raised);

#include "siftlock-rwsem.h"
#include "siftlock-psrw.h"

#endif
