// The priority-sifting lock as threads use it: holds exclude, and waits end at their deadlines.

#include "threads.h"
#include <siftlock.h>

_Static_assert(sizeof(siftlock_psrw) == 24, "part of the interface");
_Static_assert(_Alignof(siftlock_psrw) == 8, "part of the interface");

static siftlock_psrw lock = SIFTLOCK_PSRW_INIT;

static void *finds_it_free(void *unused) {
    ANSWERS(0, siftlock_psrw_try_write(&lock));
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    return unused;
}

static void *finds_it_read(void *unused) {
    ANSWERS(EBUSY, siftlock_psrw_try_write(&lock));
    ANSWERS(0, siftlock_psrw_try_read(&lock));
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    ANSWERS(EBUSY, siftlock_psrw_destroy(&lock));
    return unused;
}

static void *finds_it_written(void *unused) {
    siftlock_raised raised;
    ANSWERS(EBUSY, siftlock_psrw_try_write(&lock));
    ANSWERS(EBUSY, siftlock_psrw_try_read(&lock));
    ANSWERS(EBUSY, siftlock_psrw_handler_try_read(&lock, &raised));
    ANSWERS(EBUSY, siftlock_psrw_destroy(&lock));
    return unused;
}

static void hold(void) {
    join(start(finds_it_free, NULL));
    ANSWERS(0, siftlock_psrw_read(&lock));
    join(start(finds_it_read, NULL));
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    siftlock_raised raised;
    ANSWERS(0, siftlock_psrw_handler_read(&lock, &raised));
    join(start(finds_it_read, NULL));
    ANSWERS(0, siftlock_psrw_handler_read_unlock(&lock, &raised));
    ANSWERS(0, siftlock_psrw_handler_try_read(&lock, &raised));
    join(start(finds_it_read, NULL));
    ANSWERS(0, siftlock_psrw_handler_read_unlock(&lock, &raised));
    ANSWERS(0, siftlock_psrw_write(&lock));
    join(start(finds_it_written, NULL));
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    join(start(finds_it_free, NULL));
}

static void *times_out(void *clock) {
    const int id = *(int *)clock;
    struct timespec passed = { 0, 0 }, soon = from_now(id, 10 * MILLISECOND);
    ANSWERS(ETIMEDOUT, siftlock_psrw_read_until(&lock, id, &passed));
    ANSWERS(ETIMEDOUT, siftlock_psrw_write_until(&lock, id, &passed));
    ANSWERS(ETIMEDOUT, siftlock_psrw_read_until(&lock, id, &soon));
    CHECK(nanoseconds(id) >= (int64_t)soon.tv_sec * 1000000000 + soon.tv_nsec);
    soon = from_now(id, 10 * MILLISECOND);
    ANSWERS(ETIMEDOUT, siftlock_psrw_write_until(&lock, id, &soon));
    CHECK(nanoseconds(id) >= (int64_t)soon.tv_sec * 1000000000 + soon.tv_nsec);
    return NULL;
}

static void *gets_it(void *clock) {
    const int id = *(int *)clock;
    struct timespec far = from_now(id, 40000ll * MILLISECOND);
    ANSWERS(0, siftlock_psrw_read_until(&lock, id, &far));
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    ANSWERS(0, siftlock_psrw_write_until(&lock, id, &far));
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    return NULL;
}

static void wait(int clock) {
    ANSWERS(0, siftlock_psrw_write(&lock));
    join(start(times_out, &clock));
    pthread_t waiter = start(gets_it, &clock);
    pause_for(10 * MILLISECOND);
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    join(waiter);
    struct timespec passed = { 0, 0 }, bad = { 0, 1000000000 };
    ANSWERS(0, siftlock_psrw_read_until(&lock, clock, &passed));
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    ANSWERS(0, siftlock_psrw_write_until(&lock, clock, &passed));
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    ANSWERS(EINVAL, siftlock_psrw_read_until(&lock, clock, &bad));
    ANSWERS(EINVAL, siftlock_psrw_write_until(&lock, -1, &passed));
    ANSWERS(EINVAL, siftlock_psrw_write_until(&lock, clock, NULL));
}

int main(void) {
    end_after_a_minute();
    hold();
    wait(CLOCK_MONOTONIC);
    wait(CLOCK_REALTIME);
    return 0;
}
