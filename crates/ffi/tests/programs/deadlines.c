// Waits end when they should, by both clocks: at once, at the deadline, or when the lock is free.

#include "threads.h"
#include <limits.h>
#include <siftlock.h>

typedef int (*until)(siftlock_rwsem *, int, const struct timespec *);

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
static const until CALLS[] = {
    siftlock_rwsem_read_until, siftlock_rwsem_write_until, siftlock_rwsem_upgradable_until
};
static int (*const UNLOCKS[])(siftlock_rwsem *) = {
    siftlock_rwsem_read_unlock, siftlock_rwsem_write_unlock, siftlock_rwsem_upgradable_unlock
};
static const int CLOCKS[] = { CLOCK_MONOTONIC, CLOCK_REALTIME };

static void *hold_for_20_ms(void *started) {
    ANSWERS(0, siftlock_rwsem_write(&lock));
    pthread_barrier_wait((pthread_barrier_t *)started);
    pause_for(20 * MILLISECOND);
    ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
    return NULL;
}

static void passed(int call, int clock) {
    const struct timespec times[] = { { -5, 0 }, { 0, 0 }, from_now(clock, -MILLISECOND) };
    for (int i = 0; i < 3; i++) {
        ANSWERS(0, CALLS[call](&lock, clock, &times[i]));
        ANSWERS(0, UNLOCKS[call](&lock));
        ANSWERS(0, siftlock_rwsem_write(&lock));
        ANSWERS(ETIMEDOUT, CALLS[call](&lock, clock, &times[i]));
        ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
    }
}

static void soon(int call, int clock) {
    ANSWERS(0, siftlock_rwsem_write(&lock));
    struct timespec at = from_now(clock, 15 * MILLISECOND);
    ANSWERS(ETIMEDOUT, CALLS[call](&lock, clock, &at));
    CHECK(nanoseconds(clock) >= (int64_t)at.tv_sec * 1000000000 + at.tv_nsec);
    ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
}

static void far(int call, int clock) {
    struct timespec end = { 0, 999999999 };
    end.tv_sec = sizeof end.tv_sec == 8 ? (time_t)LLONG_MAX : (time_t)INT_MAX;
    const struct timespec times[] = { from_now(clock, 40000ll * MILLISECOND), end };
    for (int i = 0; i < 2; i++) {
        pthread_barrier_t started;
        CHECK(pthread_barrier_init(&started, NULL, 2) == 0);
        pthread_t holder = start(hold_for_20_ms, &started);
        pthread_barrier_wait(&started);
        ANSWERS(0, CALLS[call](&lock, clock, &times[i]));
        ANSWERS(0, UNLOCKS[call](&lock));
        join(holder);
        CHECK(pthread_barrier_destroy(&started) == 0);
    }
}

static void upgrade(int clock) {
    ANSWERS(0, siftlock_rwsem_read(&lock));
    ANSWERS(0, siftlock_rwsem_upgradable(&lock));
    struct timespec at = from_now(clock, 5 * MILLISECOND);
    ANSWERS(ETIMEDOUT, siftlock_rwsem_upgrade_until(&lock, clock, &at));
    ANSWERS(EBUSY, siftlock_rwsem_try_upgrade(&lock));
    ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    ANSWERS(0, siftlock_rwsem_upgrade_until(&lock, clock, &at));
    ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
}

static void refused(int call) {
    const struct timespec bad[] = { { 1, -1 }, { 1, 1000000000 }, { 1, LONG_MAX } };
    for (int i = 0; i < 3; i++) ANSWERS(EINVAL, CALLS[call](&lock, CLOCK_REALTIME, &bad[i]));
    const struct timespec good = { 1, 999999999 };
    ANSWERS(EINVAL, CALLS[call](&lock, CLOCK_PROCESS_CPUTIME_ID, &good));
    ANSWERS(EINVAL, CALLS[call](&lock, -1, &good));
    ANSWERS(EINVAL, CALLS[call](&lock, CLOCK_REALTIME, NULL));
    // Nothing was taken.
    ANSWERS(0, siftlock_rwsem_destroy(&lock));
}

int main(void) {
    end_after_a_minute();
    for (int call = 0; call < 3; call++) {
        refused(call);
        for (int i = 0; i < 2; i++) {
            passed(call, CLOCKS[i]);
            soon(call, CLOCKS[i]);
            far(call, CLOCKS[i]);
        }
    }
    upgrade(CLOCK_MONOTONIC);
    upgrade(CLOCK_REALTIME);
    return 0;
}
