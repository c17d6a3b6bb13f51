/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * siftlock-rwsem.h - the sleeping lock; include siftlock.h
 *
 * All forms are for task context. The plain and timed forms may sleep. The try forms and the unlocks
 * may be called with preemption or interrupts off. A thread that reads must not read again, as with
 * struct rw_semaphore: a writer may wait in between, and then both wait for each other.
 */
#ifndef SIFTLOCK_RWSEM_H
#define SIFTLOCK_RWSEM_H

#define siftlock_rwsem_init(lock)						\
do {										\
	static struct lock_class_key __key;					\
										\
	*(lock) = (struct siftlock_rwsem){};					\
	lockdep_init_map(SIFTLOCK_MAP(lock), #lock, &__key, 0);		\
} while (0)

/* Takes the lock for reading. False: not taken, since 2^23 shares are out; never seen in practice. */
static inline bool siftlock_rwsem_read(struct siftlock_rwsem *lock)
{
	might_sleep();
	rwsem_acquire_read(SIFTLOCK_MAP(lock), 0, 0, _RET_IP_);
	return siftlock_r_rwsem_read(lock);
}

/* Takes the lock for reading, at most until the monotonic clock shows @until. False: not taken. */
static inline bool siftlock_rwsem_read_until(struct siftlock_rwsem *lock, u64 until)
{
	bool taken;

	might_sleep();
	taken = siftlock_r_rwsem_read_until(lock, until);
	if (taken)
		rwsem_acquire_read(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return taken;
}

/* Takes the lock for reading, unless the caller would have to wait. False: not taken. */
static inline bool siftlock_rwsem_try_read(struct siftlock_rwsem *lock)
{
	bool taken = siftlock_r_rwsem_try_read(lock);

	if (taken)
		rwsem_acquire_read(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return taken;
}

static inline void siftlock_rwsem_read_unlock(struct siftlock_rwsem *lock)
{
	rwsem_release(SIFTLOCK_MAP(lock), _RET_IP_);
	siftlock_r_rwsem_read_unlock(lock);
}

/* Takes the lock for writing. */
static inline void siftlock_rwsem_write(struct siftlock_rwsem *lock)
{
	might_sleep();
	rwsem_acquire(SIFTLOCK_MAP(lock), 0, 0, _RET_IP_);
	siftlock_r_rwsem_write(lock);
}

/* Takes the lock for writing, at most until the monotonic clock shows @until. False: not taken. */
static inline bool siftlock_rwsem_write_until(struct siftlock_rwsem *lock, u64 until)
{
	bool taken;

	might_sleep();
	taken = siftlock_r_rwsem_write_until(lock, until);
	if (taken)
		rwsem_acquire(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return taken;
}

/* Takes the lock for writing, if no thread has it or waits for it. False: not taken. */
static inline bool siftlock_rwsem_try_write(struct siftlock_rwsem *lock)
{
	bool taken = siftlock_r_rwsem_try_write(lock);

	if (taken)
		rwsem_acquire(SIFTLOCK_MAP(lock), 0, 1, _RET_IP_);
	return taken;
}

static inline void siftlock_rwsem_write_unlock(struct siftlock_rwsem *lock)
{
	rwsem_release(SIFTLOCK_MAP(lock), _RET_IP_);
	siftlock_r_rwsem_write_unlock(lock);
}

/* Makes a write lock a read lock. */
static inline void siftlock_rwsem_downgrade(struct siftlock_rwsem *lock)
{
	lock_downgrade(SIFTLOCK_MAP(lock), _RET_IP_);
	siftlock_r_rwsem_downgrade(lock);
}

#endif
