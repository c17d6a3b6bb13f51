// The names and versions by which programs find the functions. All must mean the same locks.

#include "actors.h"

// The version in programs that were linked before glibc 2.34. Names with underscores have no other.
#if defined(__x86_64__)
#define OLD "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OLD "GLIBC_2.17"
#else
#error "which version had pthread_rwlock_rdlock before glibc 2.34?"
#endif

typedef const struct timespec *when;
typedef const pthread_rwlockattr_t *with;

// old_f is pthread_rwlock_f as it was, and marked_f is __pthread_rwlock_f.
#define WAS(function, version, arguments)                                                          \
    extern int old_##function arguments;                                                           \
    __asm__(".symver old_" #function ", pthread_rwlock_" #function "@" version);
#define MARKED(function, arguments)                                                                \
    extern int marked_##function arguments;                                                        \
    __asm__(".symver marked_" #function ", __pthread_rwlock_" #function "@" OLD);

WAS(init, OLD, (rwlock *, with))
WAS(destroy, OLD, (rwlock *))
WAS(rdlock, OLD, (rwlock *))
WAS(tryrdlock, OLD, (rwlock *))
WAS(timedrdlock, OLD, (rwlock *, when))
WAS(clockrdlock, "GLIBC_2.30", (rwlock *, clockid_t, when))
WAS(wrlock, OLD, (rwlock *))
WAS(trywrlock, OLD, (rwlock *))
WAS(timedwrlock, OLD, (rwlock *, when))
WAS(clockwrlock, "GLIBC_2.30", (rwlock *, clockid_t, when))
WAS(unlock, OLD, (rwlock *))

MARKED(init, (rwlock *, with))
MARKED(destroy, (rwlock *))
MARKED(rdlock, (rwlock *))
MARKED(tryrdlock, (rwlock *))
MARKED(wrlock, (rwlock *))
MARKED(trywrlock, (rwlock *))
MARKED(unlock, (rwlock *))

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

#define MEANS_THE_SAME(name, call, reads)                                                          \
    TEST(name ": takes the lock that the usual names mean") {                                      \
        const struct timespec far = hours(TIMEDRDLOCK);                                            \
        (void)far;                                                                                 \
        ANSWERS(0, call);                                                                          \
        CHECK(could_write(&lock) == EBUSY && could_read(&lock) == (reads));                        \
        UNLOCKS(&lock);                                                                            \
        CHECK(could_write(&lock) == 0);                                                            \
    }

MEANS_THE_SAME("__pthread_rwlock_rdlock", marked_rdlock(&lock), 0)
MEANS_THE_SAME("__pthread_rwlock_tryrdlock", marked_tryrdlock(&lock), 0)
MEANS_THE_SAME("__pthread_rwlock_wrlock", marked_wrlock(&lock), EBUSY)
MEANS_THE_SAME("__pthread_rwlock_trywrlock", marked_trywrlock(&lock), EBUSY)
MEANS_THE_SAME("rdlock of old", old_rdlock(&lock), 0)
MEANS_THE_SAME("tryrdlock of old", old_tryrdlock(&lock), 0)
MEANS_THE_SAME("timedrdlock of old", old_timedrdlock(&lock, &far), 0)
MEANS_THE_SAME("clockrdlock of old", old_clockrdlock(&lock, CLOCK_REALTIME, &far), 0)
MEANS_THE_SAME("wrlock of old", old_wrlock(&lock), EBUSY)
MEANS_THE_SAME("trywrlock of old", old_trywrlock(&lock), EBUSY)
MEANS_THE_SAME("timedwrlock of old", old_timedwrlock(&lock, &far), EBUSY)
MEANS_THE_SAME("clockwrlock of old", old_clockwrlock(&lock, CLOCK_REALTIME, &far), EBUSY)

EACH(0, "__pthread_rwlock_unlock ends it") {
    ANSWERS(0, take(way, &lock));
    ANSWERS(0, marked_unlock(&lock));
    CHECK(could_write(&lock) == 0);
}

EACH(0, "the unlock of old ends it") {
    ANSWERS(0, take(way, &lock));
    ANSWERS(0, old_unlock(&lock));
    CHECK(could_write(&lock) == 0);
}

static void makes_kind_2(int (*init)(rwlock *, with), int (*destroy)(rwlock *)) {
    pthread_rwlockattr_t attributes;
    CHECK(pthread_rwlockattr_init(&attributes) == 0);
    CHECK(pthread_rwlockattr_setkind_np(&attributes, 2) == 0);
    memset(&lock, 0xA5, sizeof lock);
    ANSWERS(0, init(&lock, &attributes));
    struct actor writer;
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&writer, WRLOCK, &lock);
    waits(&writer);
    CHECK(could_read(&lock) == EBUSY);
    UNLOCKS(&lock);
    leaves(&writer);
    ANSWERS(0, destroy(&lock));
}

TEST("__pthread_rwlock_init, __pthread_rwlock_destroy: make and end a lock of any kind") {
    makes_kind_2(marked_init, marked_destroy);
}

TEST("init, destroy of old: make and end a lock of any kind") {
    makes_kind_2(old_init, old_destroy);
}

#define OBJECT(function) object_of((void *)(uintptr_t)&function)

static const char *object_of(void *function) {
    Dl_info info;
    CHECK(dladdr(function, &info) != 0);
    return info.dli_fname;
}

#define FROM_ONE_LIBRARY(function)                                                                 \
    TEST(#function ": comes from the library that has rdlock") {                                   \
        CHECK(strcmp(OBJECT(function), OBJECT(pthread_rwlock_rdlock)) == 0);                       \
    }

FROM_ONE_LIBRARY(pthread_rwlock_init)
FROM_ONE_LIBRARY(pthread_rwlock_destroy)
FROM_ONE_LIBRARY(pthread_rwlock_tryrdlock)
FROM_ONE_LIBRARY(pthread_rwlock_timedrdlock)
FROM_ONE_LIBRARY(pthread_rwlock_clockrdlock)
FROM_ONE_LIBRARY(pthread_rwlock_wrlock)
FROM_ONE_LIBRARY(pthread_rwlock_trywrlock)
FROM_ONE_LIBRARY(pthread_rwlock_timedwrlock)
FROM_ONE_LIBRARY(pthread_rwlock_clockwrlock)
FROM_ONE_LIBRARY(pthread_rwlock_unlock)
FROM_ONE_LIBRARY(marked_init)
FROM_ONE_LIBRARY(marked_destroy)
FROM_ONE_LIBRARY(marked_rdlock)
FROM_ONE_LIBRARY(marked_tryrdlock)
FROM_ONE_LIBRARY(marked_wrlock)
FROM_ONE_LIBRARY(marked_trywrlock)
FROM_ONE_LIBRARY(marked_unlock)

RUN_ALL
