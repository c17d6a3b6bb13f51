// siftlock.h includes this file in programs that are compiled with -fsanitize=thread. Each call
// that takes a lock then tells ThreadSanitizer that it comes after earlier unlocks of the lock: a
// read after those of writes, a write after all. So a read does not come after another read, and
// ThreadSanitizer sees a change that was made under a mere read.
//
// Licensed under either of Apache License 2.0 or MIT at your option.

#ifndef SIFTLOCK_TSAN_H
#define SIFTLOCK_TSAN_H

#include <sanitizer/tsan_interface.h>

// The addresses that stand for the unlocks of writes, and of reads.
#define SIFTLOCK_TSAN_WRITES(lock) (&(lock)->words[0])
#define SIFTLOCK_TSAN_READS(lock) (&(lock)->words[1])

// After a call that took the lock.
#define SIFTLOCK_TSAN_READ_BEGINS(lock) __tsan_acquire(SIFTLOCK_TSAN_WRITES(lock))
#define SIFTLOCK_TSAN_WRITE_BEGINS(lock)                                                           \
    (__tsan_acquire(SIFTLOCK_TSAN_WRITES(lock)), __tsan_acquire(SIFTLOCK_TSAN_READS(lock)))

// Calls that take a lock.
#define SIFTLOCK_TSAN_TAKES(type, call, kind)                                                      \
    static inline int siftlock_tsan_##type##_##call(siftlock_##type *lock) {                       \
        int error = siftlock_##type##_##call(lock);                                                \
        if (error == 0) SIFTLOCK_TSAN_##kind##_BEGINS(lock);                                       \
        return error;                                                                              \
    }

#define SIFTLOCK_TSAN_TAKES_UNTIL(type, call, kind)                                                \
    static inline int siftlock_tsan_##type##_##call(siftlock_##type *lock, int clock,              \
                                                    const struct timespec *deadline) {             \
        int error = siftlock_##type##_##call(lock, clock, deadline);                               \
        if (error == 0) SIFTLOCK_TSAN_##kind##_BEGINS(lock);                                       \
        return error;                                                                              \
    }

#define SIFTLOCK_TSAN_TAKES_RAISED(type, call, kind)                                               \
    static inline int siftlock_tsan_##type##_##call(siftlock_##type *lock,                         \
                                                    siftlock_raised *raised) {                     \
        int error = siftlock_##type##_##call(lock, raised);                                        \
        if (error == 0) SIFTLOCK_TSAN_##kind##_BEGINS(lock);                                       \
        return error;                                                                              \
    }

// Calls that let other threads in.
#define SIFTLOCK_TSAN_RELEASES(type, call, kind)                                                   \
    static inline int siftlock_tsan_##type##_##call(siftlock_##type *lock) {                       \
        if (lock) __tsan_release(SIFTLOCK_TSAN_##kind##S(lock));                                   \
        return siftlock_##type##_##call(lock);                                                     \
    }

#define SIFTLOCK_TSAN_RELEASES_RAISED(type, call, kind)                                            \
    static inline int siftlock_tsan_##type##_##call(siftlock_##type *lock,                         \
                                                    siftlock_raised *raised) {                     \
        if (lock) __tsan_release(SIFTLOCK_TSAN_##kind##S(lock));                                   \
        return siftlock_##type##_##call(lock, raised);                                             \
    }

// `prepare` of siftlock_psrw_update reads the data before the caller has the lock. So `prepare`
// also has to come after the earlier unlocks. If it fails, later writes come after it.
typedef struct siftlock_tsan_preparation {
    siftlock_psrw *lock;
    int (*prepare)(void *argument);
    void *argument;
} siftlock_tsan_preparation;

static inline int siftlock_tsan_prepare(void *argument) {
#ifdef __cplusplus
    siftlock_tsan_preparation *call = static_cast<siftlock_tsan_preparation *>(argument);
#else
    siftlock_tsan_preparation *call = argument;
#endif
    SIFTLOCK_TSAN_READ_BEGINS(call->lock);
    int error = call->prepare(call->argument);
    if (error != 0) __tsan_release(SIFTLOCK_TSAN_READS(call->lock));
    return error;
}

static inline int siftlock_tsan_psrw_update(siftlock_psrw *lock, int (*prepare)(void *argument),
                                            void *argument) {
    siftlock_tsan_preparation call;
    call.lock = lock;
    call.prepare = prepare;
    call.argument = argument;
    int error = siftlock_psrw_update(lock, prepare ? siftlock_tsan_prepare : prepare, &call);
    if (error == 0) SIFTLOCK_TSAN_WRITE_BEGINS(lock);
    return error;
}

SIFTLOCK_TSAN_TAKES(rwsem, read, READ)
SIFTLOCK_TSAN_TAKES(rwsem, try_read, READ)
SIFTLOCK_TSAN_TAKES_UNTIL(rwsem, read_until, READ)
SIFTLOCK_TSAN_TAKES(rwsem, read_recursive, READ)
SIFTLOCK_TSAN_RELEASES(rwsem, read_unlock, READ)
SIFTLOCK_TSAN_TAKES(rwsem, write, WRITE)
SIFTLOCK_TSAN_TAKES(rwsem, try_write, WRITE)
SIFTLOCK_TSAN_TAKES_UNTIL(rwsem, write_until, WRITE)
SIFTLOCK_TSAN_RELEASES(rwsem, write_unlock, WRITE)
SIFTLOCK_TSAN_RELEASES(rwsem, downgrade, WRITE)
SIFTLOCK_TSAN_TAKES(rwsem, upgradable, READ)
SIFTLOCK_TSAN_TAKES(rwsem, try_upgradable, READ)
SIFTLOCK_TSAN_TAKES_UNTIL(rwsem, upgradable_until, READ)
SIFTLOCK_TSAN_RELEASES(rwsem, upgradable_unlock, READ)
SIFTLOCK_TSAN_TAKES(rwsem, upgrade, WRITE)
SIFTLOCK_TSAN_TAKES(rwsem, try_upgrade, WRITE)
SIFTLOCK_TSAN_TAKES_UNTIL(rwsem, upgrade_until, WRITE)
SIFTLOCK_TSAN_RELEASES(rwsem, downgrade_upgradable, READ)
SIFTLOCK_TSAN_RELEASES(rwsem, downgrade_to_upgradable, WRITE)
SIFTLOCK_TSAN_TAKES(psrw, read, READ)
SIFTLOCK_TSAN_TAKES(psrw, try_read, READ)
SIFTLOCK_TSAN_TAKES_UNTIL(psrw, read_until, READ)
SIFTLOCK_TSAN_RELEASES(psrw, read_unlock, READ)
SIFTLOCK_TSAN_TAKES(psrw, write, WRITE)
SIFTLOCK_TSAN_TAKES(psrw, try_write, WRITE)
SIFTLOCK_TSAN_TAKES_UNTIL(psrw, write_until, WRITE)
SIFTLOCK_TSAN_RELEASES(psrw, write_unlock, WRITE)
SIFTLOCK_TSAN_RELEASES(psrw, downgrade, WRITE)
SIFTLOCK_TSAN_TAKES_RAISED(psrw, handler_read, READ)
SIFTLOCK_TSAN_TAKES_RAISED(psrw, handler_try_read, READ)
SIFTLOCK_TSAN_RELEASES_RAISED(psrw, handler_read_unlock, READ)

#define siftlock_rwsem_read siftlock_tsan_rwsem_read
#define siftlock_rwsem_try_read siftlock_tsan_rwsem_try_read
#define siftlock_rwsem_read_until siftlock_tsan_rwsem_read_until
#define siftlock_rwsem_read_recursive siftlock_tsan_rwsem_read_recursive
#define siftlock_rwsem_read_unlock siftlock_tsan_rwsem_read_unlock
#define siftlock_rwsem_write siftlock_tsan_rwsem_write
#define siftlock_rwsem_try_write siftlock_tsan_rwsem_try_write
#define siftlock_rwsem_write_until siftlock_tsan_rwsem_write_until
#define siftlock_rwsem_write_unlock siftlock_tsan_rwsem_write_unlock
#define siftlock_rwsem_downgrade siftlock_tsan_rwsem_downgrade
#define siftlock_rwsem_upgradable siftlock_tsan_rwsem_upgradable
#define siftlock_rwsem_try_upgradable siftlock_tsan_rwsem_try_upgradable
#define siftlock_rwsem_upgradable_until siftlock_tsan_rwsem_upgradable_until
#define siftlock_rwsem_upgradable_unlock siftlock_tsan_rwsem_upgradable_unlock
#define siftlock_rwsem_upgrade siftlock_tsan_rwsem_upgrade
#define siftlock_rwsem_try_upgrade siftlock_tsan_rwsem_try_upgrade
#define siftlock_rwsem_upgrade_until siftlock_tsan_rwsem_upgrade_until
#define siftlock_rwsem_downgrade_upgradable siftlock_tsan_rwsem_downgrade_upgradable
#define siftlock_rwsem_downgrade_to_upgradable siftlock_tsan_rwsem_downgrade_to_upgradable
#define siftlock_psrw_read siftlock_tsan_psrw_read
#define siftlock_psrw_try_read siftlock_tsan_psrw_try_read
#define siftlock_psrw_read_until siftlock_tsan_psrw_read_until
#define siftlock_psrw_read_unlock siftlock_tsan_psrw_read_unlock
#define siftlock_psrw_write siftlock_tsan_psrw_write
#define siftlock_psrw_try_write siftlock_tsan_psrw_try_write
#define siftlock_psrw_write_until siftlock_tsan_psrw_write_until
#define siftlock_psrw_write_unlock siftlock_tsan_psrw_write_unlock
#define siftlock_psrw_update siftlock_tsan_psrw_update
#define siftlock_psrw_downgrade siftlock_tsan_psrw_downgrade
#define siftlock_psrw_handler_read siftlock_tsan_psrw_handler_read
#define siftlock_psrw_handler_try_read siftlock_tsan_psrw_handler_try_read
#define siftlock_psrw_handler_read_unlock siftlock_tsan_psrw_handler_read_unlock

#endif
