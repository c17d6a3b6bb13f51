// Times and clocks that are refused. glibc looks at them before the lock, and POSIX allows it.

#include "actors.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec with(const struct way *way, long nanoseconds) {
    struct timespec time = hours(way);
    time.tv_nsec = nanoseconds;
    return time;
}

static const long BAD[] = { -1, 1000000000, LONG_MAX, LONG_MIN };

EACH(TIMED, "EINVAL for nanoseconds that are none, while another thread writes") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < 4; i++)
        CHECK(another_is_told(way, &lock, with(way, BAD[i])) == EINVAL);
}

EACH(TIMED, "EINVAL for nanoseconds that are none, in glibc also when the lock is free") {
    for (int i = 0; i < 4; i++) ANSWERS(EINVAL, take_until(way, &lock, with(way, BAD[i])));
    CHECK(could_write(&lock) == 0);
}

EACH(TIMED, "EINVAL for nanoseconds that are none, in a second that has passed") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < 4; i++) {
        struct timespec time = { 1, BAD[i] };
        CHECK(another_is_told(way, &lock, time) == EINVAL);
    }
}

EACH(TIMED, "nanoseconds of 0 and of 999999999 are fine") {
    ANSWERS(0, take_until(way, &lock, with(way, 0)));
    UNLOCKS(&lock);
    ANSWERS(0, take_until(way, &lock, with(way, 999999999)));
}

static void refuses(clockid_t clock) {
    struct timespec time = { 1000000000, 0 };
    for (int i = 0; i < WAY_COUNT; i++) {
        if (!(WAYS[i].is & NAMES_CLOCK)) continue;
        ANSWERS(EINVAL, WAYS[i].call(&lock, clock, &time));
    }
    CHECK(could_write(&lock) == 0);
}

#define REFUSED(clock)                                                                             \
    TEST("clockrdlock, clockwrlock: EINVAL for " #clock) { refuses(clock); }

REFUSED(CLOCK_PROCESS_CPUTIME_ID)
REFUSED(CLOCK_THREAD_CPUTIME_ID)
REFUSED(CLOCK_MONOTONIC_RAW)
REFUSED(CLOCK_REALTIME_COARSE)
REFUSED(CLOCK_MONOTONIC_COARSE)
REFUSED(CLOCK_BOOTTIME)
REFUSED(CLOCK_REALTIME_ALARM)
REFUSED(CLOCK_BOOTTIME_ALARM)
REFUSED(CLOCK_TAI)
REFUSED(-1)
REFUSED(1000)

// The two clocks differ by decades, so a mixed-up one is seen at once.
static void keeps_time_by(clockid_t right, clockid_t wrong, const struct way *way) {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHECK(another_is_told(way, &lock, from_now(right, MILLISECOND)) == ETIMEDOUT);
    UNLOCKS(&lock);
    const int far = nanoseconds(wrong) > nanoseconds(right);
    if (!far) return;
    // A deadline by the other clock lies decades ahead of this one.
    struct actor asker;
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks_until(&asker, way, &lock, from_now(wrong, 0));
    waits(&asker);
    UNLOCKS(&lock);
    leaves(&asker);
}

EACH(TIMED, "keeps time by its own clock") {
    keeps_time_by(way->clock,
                  way->clock == CLOCK_MONOTONIC ? CLOCK_REALTIME : CLOCK_MONOTONIC, way);
}

RUN_ALL
