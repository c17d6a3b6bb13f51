// siftlock: reader-writer locks for programs that care about latency. For C11 and C++; see also siftlock.hpp.
//
// Generated from the library's sources: change those.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_H
#define SIFTLOCK_H

#include <stdint.h>
#include <time.h>
// Where the C standard alone is asked for, time.h may leave it out.
struct timespec;

#define SIFTLOCK_ALIGNED(bytes) __attribute__((aligned(bytes)))
#define SIFTLOCK_MUST_USE __attribute__((warn_unused_result))

// Unlocked locks: static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
#define SIFTLOCK_RWSEM_INIT { { 0, 0, 0 } }
#define SIFTLOCK_PSRW_INIT { { 0, 0, 0 } }


// A reader-writer lock: many threads read, or one writes.
//
// Zeroed memory is an unlocked lock. Its words are the library's own: use the functions. Do not
// copy a lock, do not move it while it is held, and do not share it between processes.
//
// A lock is held by a thread, and the same thread unlocks it. No function is for signal handlers.
// None is a cancellation point, and none changes errno.
//
// A thread that reads and calls siftlock_rwsem_read or siftlock_rwsem_upgradable again can
// deadlock: a writer may wait for the first read, and the second read for the writer. Use
// siftlock_rwsem_read_recursive for the inner read.
//
// Every function answers 0, or an error of errno.h. There are two exceptions: siftlock_psrw_update
// answers what its `prepare` did if that is not 0, and siftlock_prepare answers nothing. Every
// function with a lock as its argument answers EINVAL if the pointer is null or not aligned. EPERM
// says that no thread holds the lock in the way that the call needs. If other threads hold it in
// that way, or are about to, the mistake is not noticed, and the behaviour is undefined.
typedef struct SIFTLOCK_ALIGNED(8) siftlock_rwsem {
    uint64_t words[3];
} siftlock_rwsem;

// A reader-writer lock that signal handlers read, too, if siftlock_register has registered them.
//
// A handler waits for the write itself, and for the handlers that the writer waits for. It never
// waits for slow reading threads. A writer keeps handlers away from its thread while it writes,
// without a system call.
//
// Zeroed memory is an unlocked lock, and so is SIFTLOCK_PSRW_INIT. The words are the library's
// own. The rules of siftlock_rwsem hold here as well, with these differences:
//
// - Registered handlers may call the three functions whose names contain psrw_handler.
// - A write must not allocate, free, or take another lock. A handler may have interrupted another
//   thread in malloc, and the handler waits for the writer.
// - A thread that reads must not read the lock again, by any function. A handler that interrupts
//   the thread may.
// - Reads are counted one by one, so readers share a cache line.
typedef struct SIFTLOCK_ALIGNED(8) siftlock_psrw {
    uint64_t words[3];
} siftlock_psrw;

// The state that a handler's read keeps for its unlock.
typedef struct siftlock_raised {
    uint64_t state;
} siftlock_raised;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Prepares the process for locks. Programs need not call it: it runs before main, or when the
// shared library is loaded.
//
// Call it where the linker has dropped the constructor of the static library. Until then reads are
// slower, but correct. One call is enough, and more do no harm.
//
// May block: for some milliseconds where the process has threads already. Allocates, and opens
// files.
void siftlock_prepare(void);

// Makes an unlocked lock in any memory. Zeroed memory needs no call, nor does a lock that
// begins as SIFTLOCK_RWSEM_INIT.
//
// No thread may hold a lock in this memory, or wait for it. Does not block.
int siftlock_rwsem_init(struct siftlock_rwsem *lock);

// Ends a lock and leaves an unlocked one behind. A lock has nothing to free, so the call only
// checks that the lock is not held.
//
// EBUSY: the lock is held, and stays as it is. No thread may call another function of the lock
// meanwhile. Does not block.
int siftlock_rwsem_destroy(struct siftlock_rwsem *lock);

// Takes the lock for reading. Waits while a writer holds it, or while it is reserved for a waiter.
// Where reads last longer than a sleep takes, it may also wait for a writer that waits.
//
// EAGAIN: some eight million reads (2^23) are not unlocked. Also if a writer waits for 1,024 reads
// of the calling thread.
int siftlock_rwsem_read(struct siftlock_rwsem *lock);

// Takes the lock for reading, or answers EBUSY where siftlock_rwsem_read would wait or fail.
SIFTLOCK_MUST_USE int siftlock_rwsem_try_read(struct siftlock_rwsem *lock);

// Takes the lock for reading, and waits until the deadline at most.
//
// The deadline is a time of the clock CLOCK_MONOTONIC or CLOCK_REALTIME, not a length of time. A
// free lock is taken even if the deadline has passed. A wait never ends early. It ends late if
// CLOCK_REALTIME is set forward meanwhile.
//
// ETIMEDOUT: the deadline has passed. EAGAIN: as in siftlock_rwsem_read. EINVAL: another clock, a
// deadline that is null or not aligned, or a tv_nsec below 0 or above 999,999,999.
SIFTLOCK_MUST_USE
int siftlock_rwsem_read_until(struct siftlock_rwsem *lock,
                              int clock,
                              const struct timespec *deadline);

// Takes the lock for reading once more, in a thread that reads it already. Does not wait for
// waiting writers.
//
// Other threads should not use it: they would starve writers. Each read needs an unlock of its
// own.
//
// EAGAIN: as in siftlock_rwsem_read.
int siftlock_rwsem_read_recursive(struct siftlock_rwsem *lock);

// Unlocks a read of the calling thread. Does not block.
//
// EPERM: no thread reads, or one thread alone reads, by an upgradable read. If other threads read
// or wait as well, this call does not notice that the read is upgradable.
int siftlock_rwsem_read_unlock(struct siftlock_rwsem *lock);

// Takes the lock for writing. Waits while anybody holds it, the calling thread included, or while
// it is reserved for a waiter.
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

// Takes the lock for an upgradable read, beside other readers. One thread at a time has such a
// read, and may turn it into a write. Waits while a writer or another upgradable reader holds the
// lock, or while other threads wait for it.
//
// EAGAIN: some eight million reads (2^23) are not unlocked.
int siftlock_rwsem_upgradable(struct siftlock_rwsem *lock);

// Takes the lock for an upgradable read, or answers EBUSY where siftlock_rwsem_upgradable would
// wait or fail.
SIFTLOCK_MUST_USE int siftlock_rwsem_try_upgradable(struct siftlock_rwsem *lock);

// Takes the lock for an upgradable read, and waits until the deadline at most.
//
// Deadline, clock and errors are those of siftlock_rwsem_read_until.
SIFTLOCK_MUST_USE
int siftlock_rwsem_upgradable_until(struct siftlock_rwsem *lock,
                                    int clock,
                                    const struct timespec *deadline);

// Unlocks an upgradable read of the calling thread. Does not block.
//
// EPERM: nobody has an upgradable read.
int siftlock_rwsem_upgradable_unlock(struct siftlock_rwsem *lock);

// Turns the calling thread's upgradable read into a write, and waits for the other readers to
// leave. No writer comes in between.
//
// EPERM: nobody has an upgradable read.
int siftlock_rwsem_upgrade(struct siftlock_rwsem *lock);

// Turns the calling thread's upgradable read into a write, or answers EBUSY if there are other
// readers. In that case the thread still has its upgradable read.
//
// EPERM: nobody has an upgradable read.
SIFTLOCK_MUST_USE int siftlock_rwsem_try_upgrade(struct siftlock_rwsem *lock);

// Turns the calling thread's upgradable read into a write, and waits until the deadline at most.
//
// ETIMEDOUT: the deadline has passed, and the thread still has its upgradable read. EPERM: nobody
// has an upgradable read. Deadline, clock and EINVAL are those of siftlock_rwsem_read_until.
SIFTLOCK_MUST_USE
int siftlock_rwsem_upgrade_until(struct siftlock_rwsem *lock,
                                 int clock,
                                 const struct timespec *deadline);

// Turns the calling thread's upgradable read into a plain read. Does not block.
//
// EPERM: nobody has an upgradable read.
int siftlock_rwsem_downgrade_upgradable(struct siftlock_rwsem *lock);

// Turns the calling thread's write into an upgradable read. No writer comes in between. Does not
// block.
//
// EPERM: nobody writes.
int siftlock_rwsem_downgrade_to_upgradable(struct siftlock_rwsem *lock);

// Makes an unlocked lock in any memory. Zeroed memory needs no call, nor does a lock that
// begins as SIFTLOCK_PSRW_INIT.
//
// No thread may hold a lock in this memory, or wait for it. Does not block.
int siftlock_psrw_init(struct siftlock_psrw *lock);

// Ends a lock and leaves an unlocked one behind. A lock has nothing to free, so the call only
// checks that the lock is not held.
//
// EBUSY: the lock is held, and stays as it is. No thread may call another function of the lock
// meanwhile. Does not block.
int siftlock_psrw_destroy(struct siftlock_psrw *lock);

// Takes the lock for reading, in a thread. Waits while a writer holds it or shuts reading threads
// out.
//
// EAGAIN: the thread would have to sleep, and when it first used a lock, more than 4,194,303
// threads (2^22 - 1) were using locks.
int siftlock_psrw_read(struct siftlock_psrw *lock);

// Takes the lock for reading, in a thread, or answers EBUSY where siftlock_psrw_read would wait.
SIFTLOCK_MUST_USE int siftlock_psrw_try_read(struct siftlock_psrw *lock);

// Takes the lock for reading, in a thread, and waits until the deadline at most.
//
// Deadline, clock, EINVAL and ETIMEDOUT are those of siftlock_rwsem_read_until. EAGAIN: as in
// siftlock_psrw_read.
SIFTLOCK_MUST_USE
int siftlock_psrw_read_until(struct siftlock_psrw *lock,
                             int clock,
                             const struct timespec *deadline);

// Unlocks a thread's read. Does not block.
//
// EPERM: no thread reads.
int siftlock_psrw_read_unlock(struct siftlock_psrw *lock);

// Takes the lock for writing, in a thread. Waits while a thread or a handler holds it. Keeps
// registered handlers away from the calling thread while it writes: they run at the unlock.
//
// EAGAIN: as in siftlock_psrw_read.
int siftlock_psrw_write(struct siftlock_psrw *lock);

// Takes the lock for writing, in a thread. Does not sleep.
//
// EBUSY: another writer holds the lock or waits for its readers, the lock is reserved for a
// waiter, or its readers do not leave within some microseconds.
SIFTLOCK_MUST_USE int siftlock_psrw_try_write(struct siftlock_psrw *lock);

// Takes the lock for writing, in a thread, and waits until the deadline at most.
//
// Deadline, clock, EINVAL and ETIMEDOUT are those of siftlock_rwsem_read_until. EAGAIN: as in
// siftlock_psrw_read.
SIFTLOCK_MUST_USE
int siftlock_psrw_write_until(struct siftlock_psrw *lock,
                              int clock,
                              const struct timespec *deadline);

// Unlocks a thread's write. Handlers that were kept away run then. Does not block.
//
// EPERM: nobody writes.
int siftlock_psrw_write_unlock(struct siftlock_psrw *lock);

// Takes the lock for writing, in a thread. Before the write it calls `prepare(argument)`, as soon
// as no other writer can come in between. So the write finds the data that `prepare` saw.
//
// Meanwhile handlers go on reading, and threads that ask for the lock wait. So `prepare` may
// allocate, and take other locks. It reads the data without a call of this lock, and does not
// change it. It must not leave by an exception, by longjmp or by pthread_exit, nor be cancelled:
// the lock would stay shut.
//
// If `prepare` answers 0, the thread writes when this call returns, and siftlock_psrw_write_unlock
// ends the write. Any other answer of `prepare` is the answer of this call, and the lock is not
// taken.
//
// EINVAL: `prepare` is null. EAGAIN: too many threads, as in siftlock_psrw_read, even if the call
// would not sleep. Then `prepare` is not called.
SIFTLOCK_MUST_USE
int siftlock_psrw_update(struct siftlock_psrw *lock,
                         int (*prepare)(void *argument),
                         void *argument);

// Turns the calling thread's write into a read. Handlers that were kept away run then. No writer
// comes in between. Does not block.
//
// EPERM: nobody writes.
int siftlock_psrw_downgrade(struct siftlock_psrw *lock);

// Registers `handler` for a signal, for as long as the process lives. The handler may read a
// siftlock_psrw.
//
// The handler gets the signal's number, a const siginfo_t, and a ucontext_t, which may be null.
// Like any handler, it does only what is async-signal-safe. Registered handlers do not interrupt
// each other, except that those of SIGABRT and of faults interrupt any other. Interrupted system
// calls are restarted (SA_RESTART). A handler of SIGSEGV or SIGBUS runs on the thread's alternate
// stack, if there is one (SA_ONSTACK).
//
// The handler unlocks each lock that it reads before it returns. Otherwise the thread's signals
// are put off for ever. It leaves by siglongjmp only if it has not interrupted a call of this
// library. A signal that was put off is handled inside such a call: the unlock that let it come.
// The library that contains the handler must stay loaded.
//
// EINVAL: `handler` is null, or the signal does not exist or cannot have a handler. EBUSY: the
// signal is registered already. ENOTSUP: this library was loaded by dlopen, and a handler's first
// call of it could allocate. That never happens with glibc on 64-bit x86 and Arm. Any other error
// is the system's, such as one of sigaction. Blocks while another thread registers or forks.
// Allocates. Not for handlers.
SIFTLOCK_MUST_USE int siftlock_register(int signal, void (*handler)(int signal,
                                                                    const void *info,
                                                                    void *context));

// Takes the lock for reading, in a registered handler. Waits awake while a writer writes, or shuts
// handlers out. Not for handlers of faults: see siftlock_psrw_handler_try_read.
//
// The unlock needs what this call writes to `raised`. A thread may call this function, too. Then
// registered handlers are kept away from that thread until the unlock.
//
// EINVAL: also if `raised` is null or not aligned.
int siftlock_psrw_handler_read(struct siftlock_psrw *lock, struct siftlock_raised *raised);

// Takes the lock for reading, in a registered handler, or answers EBUSY where
// siftlock_psrw_handler_read would wait.
//
// Handlers of faults have to use it: a fault may interrupt a write, and a wait for that write
// would never end. The unlock needs what this call writes to `raised`.
//
// EINVAL: also if `raised` is null or not aligned.
SIFTLOCK_MUST_USE
int siftlock_psrw_handler_try_read(struct siftlock_psrw *lock,
                                   struct siftlock_raised *raised);

// Unlocks the read that wrote `raised`. Does not block.
//
// EPERM: no handler reads. EINVAL: also if `raised` is null or not aligned.
int siftlock_psrw_handler_read_unlock(struct siftlock_psrw *lock, struct siftlock_raised *raised);

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
