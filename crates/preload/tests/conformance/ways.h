// The ways to take a lock, and assertions that hold for several of them.

#ifndef WAYS_H
#define WAYS_H

#include "check.h"
#include <limits.h>
#include <stdint.h>
#include <time.h>

#define MILLISECOND 1000000

typedef pthread_rwlock_t rwlock;

enum is { READS = 1, WRITES = 2, WAITS = 4, TRIES = 8, TIMED = 16, NAMES_CLOCK = 32 };

struct way {
    const char *name;
    unsigned is;
    clockid_t clock;
    // The two that a way does not use are ignored.
    int (*call)(rwlock *, clockid_t, const struct timespec *);
};

#define WAY_(name, call_)                                                                          \
    static inline int way_##name(rwlock *lock, clockid_t clock, const struct timespec *until) {    \
        (void)clock, (void)until;                                                                  \
        return call_;                                                                              \
    }
WAY_(rdlock, pthread_rwlock_rdlock(lock))
WAY_(tryrdlock, pthread_rwlock_tryrdlock(lock))
WAY_(timedrdlock, pthread_rwlock_timedrdlock(lock, until))
WAY_(clockrdlock, pthread_rwlock_clockrdlock(lock, clock, until))
WAY_(wrlock, pthread_rwlock_wrlock(lock))
WAY_(trywrlock, pthread_rwlock_trywrlock(lock))
WAY_(timedwrlock, pthread_rwlock_timedwrlock(lock, until))
WAY_(clockwrlock, pthread_rwlock_clockwrlock(lock, clock, until))

static const struct way WAYS[] = {
    { "rdlock", READS | WAITS, -1, way_rdlock },
    { "tryrdlock", READS | TRIES, -1, way_tryrdlock },
    { "timedrdlock", READS | WAITS | TIMED, CLOCK_REALTIME, way_timedrdlock },
    { "clockrdlock by CLOCK_MONOTONIC", READS | WAITS | TIMED | NAMES_CLOCK, CLOCK_MONOTONIC,
      way_clockrdlock },
    { "clockrdlock by CLOCK_REALTIME", READS | WAITS | TIMED | NAMES_CLOCK, CLOCK_REALTIME,
      way_clockrdlock },
    { "wrlock", WRITES | WAITS, -1, way_wrlock },
    { "trywrlock", WRITES | TRIES, -1, way_trywrlock },
    { "timedwrlock", WRITES | WAITS | TIMED, CLOCK_REALTIME, way_timedwrlock },
    { "clockwrlock by CLOCK_MONOTONIC", WRITES | WAITS | TIMED | NAMES_CLOCK, CLOCK_MONOTONIC,
      way_clockwrlock },
    { "clockwrlock by CLOCK_REALTIME", WRITES | WAITS | TIMED | NAMES_CLOCK, CLOCK_REALTIME,
      way_clockwrlock },
};
enum { WAY_COUNT = sizeof WAYS / sizeof *WAYS };

__attribute__((unused)) static const struct way *const RDLOCK = &WAYS[0],
                                                *const TRYRDLOCK = &WAYS[1],
                                                *const TIMEDRDLOCK = &WAYS[2],
                                                *const WRLOCK = &WAYS[5],
                                                *const TRYWRLOCK = &WAYS[6],
                                                *const TIMEDWRLOCK = &WAYS[7];

// EACH(READS | TIMED, "clause") { body } asserts the clause of every such `way`.
#define EACH(which, clause)                                                                        \
    static void JOIN(assertion_, __LINE__)(const struct way *);                                    \
    __attribute__((constructor)) static void JOIN(enter_, __LINE__)(void) {                        \
        for (int i = 0; i < WAY_COUNT; i++)                                                        \
            if ((WAYS[i].is & (which)) == (which))                                                 \
                enter(WAYS[i].name, clause, JOIN(assertion_, __LINE__), &WAYS[i], 0);              \
    }                                                                                              \
    static void JOIN(assertion_, __LINE__)(const struct way *way)

static inline int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    CHECK(clock_gettime(clock, &now) == 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline struct timespec from_now(clockid_t clock, int64_t wait) {
    const int64_t at = nanoseconds(clock) + wait;
    struct timespec time = { (time_t)(at / 1000000000), (long)(at % 1000000000) };
    return time;
}

// Later than the watchdog comes.
static inline struct timespec hours(const struct way *way) {
    const int64_t wait = 10000ll * 1000000000;
    return from_now(way->is & TIMED ? way->clock : CLOCK_REALTIME, wait);
}

// The way's answer when the caller has all the time that it needs.
static inline int take(const struct way *way, rwlock *lock) {
    const struct timespec until = hours(way);
    return way->call(lock, way->clock, &until);
}

static inline int take_until(const struct way *way, rwlock *lock, struct timespec until) {
    return way->call(lock, way->clock, &until);
}

#define UNLOCKS(lock) ANSWERS(0, pthread_rwlock_unlock(lock))

static inline void pause_for(int64_t wait) {
    struct timespec time = { (time_t)(wait / 1000000000), (long)(wait % 1000000000) };
    while (nanosleep(&time, &time) != 0) CHECK(errno == EINTR);
}

static inline void with_kind(rwlock *lock, int kind) {
    pthread_rwlockattr_t attributes;
    CHECK(pthread_rwlockattr_init(&attributes) == 0);
    CHECK(pthread_rwlockattr_setkind_np(&attributes, kind) == 0);
    ANSWERS(0, pthread_rwlock_init(lock, &attributes));
    CHECK(pthread_rwlockattr_destroy(&attributes) == 0);
}

#endif
