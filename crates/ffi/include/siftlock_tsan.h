// siftlock.h includes this file in programs that are compiled with -fsanitize=thread. Each call that takes a lock
// then tells ThreadSanitizer that it comes after the unlocks before it.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_TSAN_H
#define SIFTLOCK_TSAN_H

#include <sanitizer/tsan_interface.h>

// A call that takes the lock.
#define SIFTLOCK_TSAN_TAKES(call)                                                                  \
    static inline int siftlock_tsan_##call(siftlock_rwsem *lock) {                                 \
        int error = siftlock_rwsem_##call(lock);                                                   \
        if (error == 0) __tsan_acquire(lock);                                                      \
        return error;                                                                              \
    }

// A call that takes the lock and has a deadline.
#define SIFTLOCK_TSAN_TAKES_UNTIL(call)                                                            \
    static inline int siftlock_tsan_##call(siftlock_rwsem *lock, int clock,                        \
                                           const struct timespec *deadline) {                      \
        int error = siftlock_rwsem_##call(lock, clock, deadline);                                  \
        if (error == 0) __tsan_acquire(lock);                                                      \
        return error;                                                                              \
    }

// A call that lets others in.
#define SIFTLOCK_TSAN_RELEASES(call)                                                               \
    static inline int siftlock_tsan_##call(siftlock_rwsem *lock) {                                 \
        if (lock) __tsan_release(lock);                                                            \
        return siftlock_rwsem_##call(lock);                                                        \
    }

SIFTLOCK_TSAN_TAKES(read)
SIFTLOCK_TSAN_TAKES(try_read)
SIFTLOCK_TSAN_TAKES_UNTIL(read_until)
SIFTLOCK_TSAN_TAKES(read_recursive)
SIFTLOCK_TSAN_RELEASES(read_unlock)
SIFTLOCK_TSAN_TAKES(write)
SIFTLOCK_TSAN_TAKES(try_write)
SIFTLOCK_TSAN_TAKES_UNTIL(write_until)
SIFTLOCK_TSAN_RELEASES(write_unlock)
SIFTLOCK_TSAN_RELEASES(downgrade)
SIFTLOCK_TSAN_TAKES(upgradable)
SIFTLOCK_TSAN_TAKES(try_upgradable)
SIFTLOCK_TSAN_TAKES_UNTIL(upgradable_until)
SIFTLOCK_TSAN_RELEASES(upgradable_unlock)
SIFTLOCK_TSAN_TAKES(upgrade)
SIFTLOCK_TSAN_TAKES(try_upgrade)
SIFTLOCK_TSAN_TAKES_UNTIL(upgrade_until)
SIFTLOCK_TSAN_RELEASES(downgrade_upgradable)
SIFTLOCK_TSAN_RELEASES(downgrade_to_upgradable)

#define siftlock_rwsem_read siftlock_tsan_read
#define siftlock_rwsem_try_read siftlock_tsan_try_read
#define siftlock_rwsem_read_until siftlock_tsan_read_until
#define siftlock_rwsem_read_recursive siftlock_tsan_read_recursive
#define siftlock_rwsem_read_unlock siftlock_tsan_read_unlock
#define siftlock_rwsem_write siftlock_tsan_write
#define siftlock_rwsem_try_write siftlock_tsan_try_write
#define siftlock_rwsem_write_until siftlock_tsan_write_until
#define siftlock_rwsem_write_unlock siftlock_tsan_write_unlock
#define siftlock_rwsem_downgrade siftlock_tsan_downgrade
#define siftlock_rwsem_upgradable siftlock_tsan_upgradable
#define siftlock_rwsem_try_upgradable siftlock_tsan_try_upgradable
#define siftlock_rwsem_upgradable_until siftlock_tsan_upgradable_until
#define siftlock_rwsem_upgradable_unlock siftlock_tsan_upgradable_unlock
#define siftlock_rwsem_upgrade siftlock_tsan_upgrade
#define siftlock_rwsem_try_upgrade siftlock_tsan_try_upgrade
#define siftlock_rwsem_upgrade_until siftlock_tsan_upgrade_until
#define siftlock_rwsem_downgrade_upgradable siftlock_tsan_downgrade_upgradable
#define siftlock_rwsem_downgrade_to_upgradable siftlock_tsan_downgrade_to_upgradable

#endif
