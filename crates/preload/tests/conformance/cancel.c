// No call is a cancellation point: a request waits for the next one.

#include "actors.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int id, step, requested, passed;
static const struct way *ways_way;
static struct timespec ways_until;

static void ends_as_cancelled(pthread_t thread) {
    void *result;
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(result == PTHREAD_CANCELED);
}

// Spins, since a sleep would be a cancellation point itself.
static void spin_until(const atomic_int *word) {
    while (atomic_load(word) == 0) continue;
}

static void *locks_after_the_request(void *unused) {
    spin_until(&requested);
    CHECK(take_until(ways_way, &lock, ways_until) == 0);
    atomic_store(&step, 1);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
    atomic_store(&passed, 1);
    pthread_testcancel();
    return unused;
}

EACH(0, "with a request pending, takes the lock and returns") {
    ways_way = way;
    ways_until = hours(way);
    pthread_t thread = start(locks_after_the_request, NULL);
    CHECK(pthread_cancel(thread) == 0);
    atomic_store(&requested, 1);
    ends_as_cancelled(thread);
    CHECK(atomic_load(&step) == 1 && atomic_load(&passed) == 1);
    CHECK(could_write(&lock) == 0);
}

static void *waits_for_the_lock(void *unused) {
    atomic_store(&id, (int)syscall(SYS_gettid));
    CHECK(take_until(ways_way, &lock, ways_until) == 0);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
    atomic_store(&passed, 1);
    pthread_testcancel();
    return unused;
}

EACH(WAITS, "a request during the wait does not end it") {
    ways_way = way;
    ways_until = hours(way);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    pthread_t thread = start(waits_for_the_lock, NULL);
    until(&id, 1);
    until_asleep(getpid(), id);
    CHECK(pthread_cancel(thread) == 0);
    until_asleep(getpid(), id);
    CHECK(atomic_load(&passed) == 0);
    UNLOCKS(&lock);
    ends_as_cancelled(thread);
    CHECK(atomic_load(&passed) == 1);
    CHECK(could_write(&lock) == 0);
}

EACH(WAITS, "with a request pending, waits for the lock and returns") {
    ways_way = way;
    ways_until = hours(way);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    pthread_t thread = start(locks_after_the_request, NULL);
    CHECK(pthread_cancel(thread) == 0);
    atomic_store(&requested, 1);
    pause_for(5 * MILLISECOND);
    CHECK(atomic_load(&step) == 0);
    UNLOCKS(&lock);
    ends_as_cancelled(thread);
    CHECK(atomic_load(&passed) == 1);
}

static void *times_out(void *unused) {
    spin_until(&requested);
    CHECK(take_until(ways_way, &lock, ways_until) == ETIMEDOUT);
    atomic_store(&passed, 1);
    pthread_testcancel();
    return unused;
}

EACH(TIMED, "with a request pending, waits until the deadline and returns") {
    ways_way = way;
    ways_until = from_now(way->clock, 5 * MILLISECOND);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    pthread_t thread = start(times_out, NULL);
    CHECK(pthread_cancel(thread) == 0);
    atomic_store(&requested, 1);
    ends_as_cancelled(thread);
    CHECK(atomic_load(&passed) == 1);
}

static void *makes_and_destroys(void *unused) {
    rwlock mine;
    spin_until(&requested);
    CHECK(pthread_rwlock_init(&mine, NULL) == 0);
    CHECK(pthread_rwlock_destroy(&mine) == 0);
    atomic_store(&passed, 1);
    pthread_testcancel();
    return unused;
}

TEST("init, destroy: no cancellation points") {
    pthread_t thread = start(makes_and_destroys, NULL);
    CHECK(pthread_cancel(thread) == 0);
    atomic_store(&requested, 1);
    ends_as_cancelled(thread);
    CHECK(atomic_load(&passed) == 1);
}

static void unlocks(void *argument) { UNLOCKS((rwlock *)argument); }

static void *holds_until_cancelled(void *unused) {
    CHECK(take_until(ways_way, &lock, ways_until) == 0);
    pthread_cleanup_push(unlocks, &lock);
    atomic_store(&step, 1);
    while (1) pause();
    pthread_cleanup_pop(1);
    return unused;
}

EACH(0, "a cleanup handler of the cancelled thread may unlock") {
    ways_way = way;
    ways_until = hours(way);
    pthread_t thread = start(holds_until_cancelled, NULL);
    until(&step, 1);
    CHECK(could_write(&lock) == EBUSY);
    CHECK(pthread_cancel(thread) == 0);
    ends_as_cancelled(thread);
    CHECK(could_write(&lock) == 0);
}

RUN_ALL
