/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * siftlock-psrw.h - the priority-sifting lock; include siftlock.h
 *
 * Four classes read, and a reader stands at its class until its unlock:
 *
 *	(none)	a thread; may sleep, inside too
 *	_np	preemption off
 *	_bh	bottom halves off; from softirqs as well
 *	_irq	interrupts off; from interrupt handlers as well
 *
 * Each call raises the caller, and answers what the unlock of the same class needs. Like flags of
 * spin_lock_irqsave, answers are given back in the reverse order. Threads write; they sleep while
 * they wait for thread readers and for other writers, and have interrupts off when they are in.
 *
 * A class above thread waits awake, and only for writers that have shut it out. It is not for contexts
 * above the class: use the try forms there. None of this is for NMIs.
 */
#ifndef SIFTLOCK_PSRW_H
#define SIFTLOCK_PSRW_H

#define siftlock_psrw_init(lock)						\
do {										\
	static struct lock_class_key __key;					\
										\
	*(lock) = (struct siftlock_psrw){};					\
	lockdep_init_map(SIFTLOCK_MAP(lock), #lock, &__key, 0);		\
} while (0)

/*
 * For lockdep a reader is a recursive one: only a writer that has shut its class out keeps it
 * waiting. Reported after the lock has raised the caller, so lockdep sees the context that counts.
 */
#define SIFTLOCK_PSRW_READS(suffix, WAITS)					\
static inline u64 siftlock_psrw_read##suffix(struct siftlock_psrw *lock)	\
{										\
	u64 raised;								\
										\
	WAITS;									\
	raised = siftlock_r_psrw_read##suffix(lock);				\
	rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 0, _RET_IP_);		\
	return raised;								\
}										\
										\
static inline u64 siftlock_psrw_try_read##suffix(struct siftlock_psrw *lock)	\
{										\
	u64 raised = siftlock_r_psrw_try_read##suffix(lock);			\
										\
	if (raised != SIFTLOCK_REFUSED)						\
		rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);	\
	return raised;								\
}										\
										\
static inline void siftlock_psrw_read_unlock##suffix(struct siftlock_psrw *lock, u64 raised) \
{										\
	rwlock_release(SIFTLOCK_MAP(lock), _RET_IP_);				\
	siftlock_r_psrw_read_unlock##suffix(lock, raised);			\
}

SIFTLOCK_PSRW_READS(, might_sleep())
SIFTLOCK_PSRW_READS(_np, )
SIFTLOCK_PSRW_READS(_bh, )
SIFTLOCK_PSRW_READS(_irq, )

/* Takes the lock for reading as a thread, at most until @until. False: not taken. */
static inline bool siftlock_psrw_read_until(struct siftlock_psrw *lock, u64 until)
{
	bool taken;

	might_sleep();
	taken = siftlock_r_psrw_read_until(lock, until);
	if (taken)
		rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return taken;
}

/* Takes the lock for writing; interrupts are off from here to the unlock. */
static inline u64 siftlock_psrw_write(struct siftlock_psrw *lock)
{
	u64 raised;

	might_sleep();
	raised = siftlock_r_psrw_write(lock);
	rwlock_acquire(SIFTLOCK_MAP(lock), 0, 0, _RET_IP_);
	return raised;
}

/* The same, at most until the monotonic clock shows @until. */
static inline u64 siftlock_psrw_write_until(struct siftlock_psrw *lock, u64 until)
{
	u64 raised;

	might_sleep();
	raised = siftlock_r_psrw_write_until(lock, until);
	if (raised != SIFTLOCK_REFUSED)
		rwlock_acquire(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return raised;
}

/* Takes the lock for writing, without sleep: only if its readers leave within some microseconds. */
static inline u64 siftlock_psrw_try_write(struct siftlock_psrw *lock)
{
	u64 raised = siftlock_r_psrw_try_write(lock);

	if (raised != SIFTLOCK_REFUSED)
		rwlock_acquire(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return raised;
}

static inline void siftlock_psrw_write_unlock(struct siftlock_psrw *lock, u64 raised)
{
	rwlock_release(SIFTLOCK_MAP(lock), _RET_IP_);
	siftlock_r_psrw_write_unlock(lock, raised);
}

#endif
