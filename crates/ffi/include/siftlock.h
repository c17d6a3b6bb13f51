// siftlock: reader-writer locks for programs that care about latency. For C11 and C++; see also siftlock.hpp.
//
// Generated from the library's sources: change those.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_H
#define SIFTLOCK_H

#include <stdint.h>
#include <time.h>

#define SIFTLOCK_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define SIFTLOCK_MUST_USE __attribute__((warn_unused_result))

// An unlocked lock: static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
#define SIFTLOCK_RWSEM_INIT { { 0, 0, 0 } }


// A reader-writer lock: many threads read, or one writes.
//
// Zeroed memory is an unlocked lock. Its words are the library's own: use the functions. Do not copy a lock, do not
// move it while it is held, and do not share it between processes.
//
// A lock is held by a thread, and the same thread unlocks it. No function is for signal handlers. None is a
// cancellation point, and none changes errno.
//
// A thread that reads and calls siftlock_rwsem_read again can deadlock: a writer may wait for the first read, and
// the second read for the writer. Use siftlock_rwsem_read_recursive for the inner read.
//
// Every function answers 0, or an error of errno.h. Every function that takes a lock answers EINVAL if the pointer
// is null or not aligned. EPERM says that nobody holds the lock as the call needs it. If others hold it so, such a
// call is not noticed, and what follows is undefined.
typedef struct SIFTLOCK_ALIGNED(8) siftlock_rwsem {
    uint64_t words[3];
} siftlock_rwsem;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Prepares the process for locks. Programs need not call it: it runs before main, or when the shared library is
// loaded.
//
// Call it where the linker has dropped the constructor of the static library. Until then reads are slower, and
// still correct. One call is enough, and more do no harm.
//
// May block: for some milliseconds where the process has threads already. Allocates, and opens files.
void siftlock_prepare(void);

// Makes an unlocked lock of any memory. Zeroed memory needs no call, nor does SIFTLOCK_RWSEM_INIT.
//
// Nobody may hold a lock in this memory, or wait for it. Does not block.
int siftlock_rwsem_init(struct siftlock_rwsem *lock);

// Ends a lock and leaves an unlocked one behind. A lock has nothing to free, so the call is a check alone.
//
// EBUSY: somebody holds the lock, and it stays as it is. Nobody may call another function of the lock meanwhile.
// Does not block.
int siftlock_rwsem_destroy(struct siftlock_rwsem *lock);

// Takes the lock for reading. Waits while a writer holds it, or while it is kept for other waiters.
//
// EAGAIN: 8,388,608 reads (2^23) are not unlocked.
int siftlock_rwsem_read(struct siftlock_rwsem *lock);

// Takes the lock for reading, or answers EBUSY where siftlock_rwsem_read would wait or fail.
SIFTLOCK_MUST_USE int siftlock_rwsem_try_read(struct siftlock_rwsem *lock);

// Takes the lock for reading, and waits until the deadline at most.
//
// The deadline is a time of the clock CLOCK_MONOTONIC or CLOCK_REALTIME, not a length of time. If it has passed, a
// free lock is taken all the same. A wait never ends early. It ends late if CLOCK_REALTIME is set forward meanwhile.
//
// ETIMEDOUT: the deadline has passed. EAGAIN: as in siftlock_rwsem_read. EINVAL: another clock, a deadline that is
// null or not aligned, or a tv_nsec below 0 or above 999,999,999.
SIFTLOCK_MUST_USE
int siftlock_rwsem_read_until(struct siftlock_rwsem *lock,
                              int clock,
                              const struct timespec *deadline);

// Takes the lock for reading once more, in a thread that reads it already. Waits for no waiting writer.
//
// Other threads should not use it: they would starve writers. Each read needs an unlock of its own.
//
// EAGAIN: as in siftlock_rwsem_read.
int siftlock_rwsem_read_recursive(struct siftlock_rwsem *lock);

// Unlocks a read of the calling thread. Does not block.
//
// EPERM: nobody reads.
int siftlock_rwsem_read_unlock(struct siftlock_rwsem *lock);

// Takes the lock for writing. Waits while anybody holds it, the calling thread included.
int siftlock_rwsem_write(struct siftlock_rwsem *lock);

// Takes the lock for writing, or answers EBUSY if anybody holds it or waits for it.
SIFTLOCK_MUST_USE int siftlock_rwsem_try_write(struct siftlock_rwsem *lock);

// Takes the lock for writing, and waits until the deadline at most.
//
// Deadline, clock and errors are those of siftlock_rwsem_read_until, except EAGAIN.
SIFTLOCK_MUST_USE
int siftlock_rwsem_write_until(struct siftlock_rwsem *lock,
                               int clock,
                               const struct timespec *deadline);

// Unlocks a write of the calling thread. Does not block.
//
// EPERM: nobody writes.
int siftlock_rwsem_write_unlock(struct siftlock_rwsem *lock);

// Turns the calling thread's write into a read. No writer comes in between. Does not block.
//
// EPERM: nobody writes.
int siftlock_rwsem_downgrade(struct siftlock_rwsem *lock);

// Takes the lock for an upgradable read: beside readers, but for one thread at a time, which may turn it into a
// write. Waits while a writer or another upgradable reader holds the lock, or while it is kept for other waiters.
//
// EAGAIN: as in siftlock_rwsem_read.
int siftlock_rwsem_upgradable(struct siftlock_rwsem *lock);

// Takes the lock for an upgradable read, or answers EBUSY where siftlock_rwsem_upgradable would wait or fail.
SIFTLOCK_MUST_USE
int siftlock_rwsem_try_upgradable(struct siftlock_rwsem *lock);

// Takes the lock for an upgradable read, and waits until the deadline at most.
//
// Deadline, clock and errors are those of siftlock_rwsem_read_until.
SIFTLOCK_MUST_USE
int siftlock_rwsem_upgradable_until(struct siftlock_rwsem *lock,
                                    int clock,
                                    const struct timespec *deadline);

// Unlocks an upgradable read of the calling thread. Does not block.
//
// EPERM: nobody reads.
int siftlock_rwsem_upgradable_unlock(struct siftlock_rwsem *lock);

// Turns the calling thread's upgradable read into a write, and waits for the other readers to leave. No writer
// comes in between.
//
// EPERM: nobody reads.
int siftlock_rwsem_upgrade(struct siftlock_rwsem *lock);

// Turns the calling thread's upgradable read into a write, or answers EBUSY if there are other readers. Then the
// thread still has its upgradable read.
//
// EPERM: nobody reads.
SIFTLOCK_MUST_USE
int siftlock_rwsem_try_upgrade(struct siftlock_rwsem *lock);

// Turns the calling thread's upgradable read into a write, and waits until the deadline at most.
//
// ETIMEDOUT: the deadline has passed, and the thread still has its upgradable read. EPERM: nobody reads. Deadline,
// clock and EINVAL are those of siftlock_rwsem_read_until.
SIFTLOCK_MUST_USE
int siftlock_rwsem_upgrade_until(struct siftlock_rwsem *lock,
                                 int clock,
                                 const struct timespec *deadline);

// Turns the calling thread's upgradable read into a plain read. Does not block.
//
// EPERM: nobody reads.
int siftlock_rwsem_downgrade_upgradable(struct siftlock_rwsem *lock);

// Turns the calling thread's write into an upgradable read. No writer comes in between. Does not block.
//
// EPERM: nobody writes.
int siftlock_rwsem_downgrade_to_upgradable(struct siftlock_rwsem *lock);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SIFTLOCK_H */

// ThreadSanitizer does not see how the library synchronizes threads, so it is told.
#if defined(__SANITIZE_THREAD__)
#include "siftlock_tsan.h"
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include "siftlock_tsan.h"
#endif
#endif
