/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * siftlock-psrw.h - the priority-sifting lock; include siftlock.h
 *
 * Four classes read, and a reader stands at its class until its unlock:
 *
 *	(none)		a thread; may sleep, inside too
 *	_np		preemption off
 *	_bh		bottom halves off; from softirqs as well
 *	_irqsave	interrupts off; from interrupt handlers as well
 *
 * As with rwlock_t, the suffix says where a form may be called. Only threads write. A writer sleeps
 * while it waits for thread readers and for other writers, and has interrupts off while it has the
 * lock. A write returns a value that its unlock needs.
 *
 * A reader of a class above thread waits awake, and only for writers that have shut its class out. A
 * form that may wait may be called only in contexts of its class or below; a try form also above. No
 * form is for NMIs.
 */
#ifndef SIFTLOCK_PSRW_H
#define SIFTLOCK_PSRW_H

#define siftlock_psrw_init(lock)						\
do {										\
	static struct lock_class_key __key;					\
										\
	*(lock) = (struct siftlock_psrw){};					\
	lockdep_init_map(SIFTLOCK_MAP(lock), #lock, &__key, 0);			\
} while (0)

/* The four forms of one class, for a caller that RAISES itself and LOWERS itself again. */
#define SIFTLOCK_PSRW_READS(suffix, RAISES, LOWERS)				\
static inline void siftlock_psrw_read##suffix(struct siftlock_psrw *lock)	\
{										\
	RAISES;									\
	rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 0, _RET_IP_);		\
	siftlock_r_psrw_read##suffix(lock);					\
}										\
										\
static inline bool siftlock_psrw_try_read##suffix(struct siftlock_psrw *lock)	\
{										\
	bool taken;								\
										\
	RAISES;									\
	taken = siftlock_r_psrw_try_read##suffix(lock);				\
	if (taken)								\
		rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);	\
	else									\
		LOWERS;								\
	return taken;								\
}										\
										\
static inline void siftlock_psrw_read_unlock##suffix(struct siftlock_psrw *lock) \
{										\
	rwlock_release(SIFTLOCK_MAP(lock), _RET_IP_);				\
	siftlock_r_psrw_read_unlock##suffix(lock);				\
	LOWERS;									\
}

SIFTLOCK_PSRW_READS(_np, preempt_disable(), preempt_enable())
SIFTLOCK_PSRW_READS(_bh, local_bh_disable(), local_bh_enable())
/* For a caller that has interrupts off; the _irqsave forms turn them off. */
SIFTLOCK_PSRW_READS(_irq, do { } while (0), do { } while (0))

#define siftlock_psrw_read_irqsave(lock, flags)					\
do {										\
	local_irq_save(flags);							\
	siftlock_psrw_read_irq(lock);						\
} while (0)

/* True: the lock was taken. False: not taken, and interrupts are as before. */
#define siftlock_psrw_try_read_irqsave(lock, flags)				\
({										\
	bool __taken;								\
										\
	local_irq_save(flags);							\
	__taken = siftlock_psrw_try_read_irq(lock);				\
	if (!__taken)								\
		local_irq_restore(flags);					\
	__taken;								\
})

#define siftlock_psrw_read_unlock_irqrestore(lock, flags)			\
do {										\
	siftlock_psrw_read_unlock_irq(lock);					\
	local_irq_restore(flags);						\
} while (0)

/* Takes the lock for reading as a thread; may sleep. */
static inline void siftlock_psrw_read(struct siftlock_psrw *lock)
{
	might_sleep();
	rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 0, _RET_IP_);
	siftlock_r_psrw_read(lock);
}

/*
 * Takes the lock for reading as a thread, at most until the monotonic clock shows @until; may sleep.
 * False: not taken.
 */
static inline bool siftlock_psrw_read_until(struct siftlock_psrw *lock, u64 until)
{
	bool taken;

	might_sleep();
	taken = siftlock_r_psrw_read_until(lock, until);
	if (taken)
		rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return taken;
}

/* Takes the lock for reading as a thread, unless the caller would have to wait. False: not taken. */
static inline bool siftlock_psrw_try_read(struct siftlock_psrw *lock)
{
	bool taken = siftlock_r_psrw_try_read(lock);

	if (taken)
		rwlock_acquire_read(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return taken;
}

static inline void siftlock_psrw_read_unlock(struct siftlock_psrw *lock)
{
	rwlock_release(SIFTLOCK_MAP(lock), _RET_IP_);
	siftlock_r_psrw_read_unlock(lock);
}

/*
 * Takes the lock for writing; may sleep. Interrupts are off from here to the unlock. Returns the
 * value that the unlock needs. lockdep hears of the lock with interrupts off: that is the context in
 * which the lock is held.
 */
static inline u64 siftlock_psrw_write(struct siftlock_psrw *lock)
{
	u64 raised;

	might_sleep();
	raised = siftlock_r_psrw_write(lock);
	rwlock_acquire(SIFTLOCK_MAP(lock), 0, 0, _RET_IP_);
	return raised;
}

/*
 * Takes the lock for writing, at most until the monotonic clock shows @until; may sleep. Returns the
 * value that the unlock needs, or SIFTLOCK_REFUSED: not taken.
 */
static inline u64 siftlock_psrw_write_until(struct siftlock_psrw *lock, u64 until)
{
	u64 raised;

	might_sleep();
	raised = siftlock_r_psrw_write_until(lock, until);
	if (raised != SIFTLOCK_REFUSED)
		rwlock_acquire(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return raised;
}

/*
 * Takes the lock for writing, without sleep: only if its readers leave within some microseconds.
 * Returns the value that the unlock needs, or SIFTLOCK_REFUSED: not taken.
 */
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
