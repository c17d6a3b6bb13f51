// Deadlines of timedrdlock, clockrdlock, timedwrlock and clockwrlock.

#include "actors.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

static struct timespec seconds(time_t seconds) {
    struct timespec time = { seconds, 0 };
    return time;
}

EACH(TIMED, "a deadline that has passed is not looked at when the lock can be taken at once") {
    ANSWERS(0, take_until(way, &lock, from_now(way->clock, -MILLISECOND)));
}

EACH(TIMED, "a deadline of 0 is not looked at when the lock can be taken at once") {
    ANSWERS(0, take_until(way, &lock, seconds(0)));
}

EACH(TIMED, "a deadline below 0 is not looked at when the lock can be taken at once") {
    ANSWERS(0, take_until(way, &lock, seconds(-5)));
}

EACH(TIMED | READS, "a deadline that has passed is not looked at beside another reader") {
    struct actor reader;
    asks(&reader, RDLOCK, &lock);
    holds(&reader);
    ANSWERS(0, take_until(way, &lock, seconds(0)));
    UNLOCKS(&lock);
    leaves(&reader);
}

EACH(TIMED, "ETIMEDOUT when the deadline comes while another thread writes") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHECK(another_is_told(way, &lock, from_now(way->clock, 5 * MILLISECOND)) == ETIMEDOUT);
}

EACH(TIMED | WRITES, "ETIMEDOUT when the deadline comes while another thread reads") {
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    CHECK(another_is_told(way, &lock, from_now(way->clock, 5 * MILLISECOND)) == ETIMEDOUT);
}

EACH(TIMED | WRITES, "ETIMEDOUT to a thread that reads the lock itself") {
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    ANSWERS(ETIMEDOUT, take_until(way, &lock, from_now(way->clock, 5 * MILLISECOND)));
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(TIMED, "ETIMEDOUT never comes before the deadline") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < 10; i++) {
        const int64_t deadline = nanoseconds(way->clock) + 3 * MILLISECOND + 333333;
        struct timespec time = { (time_t)(deadline / 1000000000), (long)(deadline % 1000000000) };
        CHECK(another_is_told(way, &lock, time) == ETIMEDOUT);
        CHECK(nanoseconds(way->clock) >= deadline);
    }
}

EACH(TIMED, "ETIMEDOUT for a deadline that has passed") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHECK(another_is_told(way, &lock, from_now(way->clock, -MILLISECOND)) == ETIMEDOUT);
    CHECK(another_is_told(way, &lock, from_now(way->clock, 0)) == ETIMEDOUT);
}

EACH(TIMED, "ETIMEDOUT for a deadline of 0") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHECK(another_is_told(way, &lock, seconds(0)) == ETIMEDOUT);
}

EACH(TIMED, "ETIMEDOUT for a deadline below 0") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHECK(another_is_told(way, &lock, seconds(-1)) == ETIMEDOUT);
    CHECK(another_is_told(way, &lock, seconds((time_t)LONG_MIN)) == ETIMEDOUT);
}

EACH(TIMED, "waits on while the deadline is far") {
    struct actor asker;
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks(&asker, way, &lock);
    waits(&asker);
    UNLOCKS(&lock);
    leaves(&asker);
}

static void *without_deadline(void *argument) {
    const struct way *way = argument;
    ANSWERS(0, way->call(&lock, way->clock, NULL));
    UNLOCKS(&lock);
    return NULL;
}

EACH(TIMED, "a null pointer is no deadline") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    const pthread_t waits = start(without_deadline, (void *)(uintptr_t)way);
    pause_for(5 * MILLISECOND);
    UNLOCKS(&lock);
    CHECK(pthread_join(waits, NULL) == 0);
}

EACH(TIMED, "the last deadline that a timespec can say is far") {
    struct actor asker;
    struct timespec last = { (time_t)LONG_MAX, 999999999 };
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks_until(&asker, way, &lock, last);
    waits(&asker);
    UNLOCKS(&lock);
    leaves(&asker);
}

EACH(TIMED, "a wait that has timed out leaves the lock as it was") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < 10; i++)
        CHECK(another_is_told(way, &lock, from_now(way->clock, MILLISECOND)) == ETIMEDOUT);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(TIMED, "a wait that has timed out does not eat another's wake-up") {
    struct actor stays;
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks(&stays, way, &lock);
    waits(&stays);
    CHECK(another_is_told(way, &lock, from_now(way->clock, 5 * MILLISECOND)) == ETIMEDOUT);
    UNLOCKS(&lock);
    leaves(&stays);
}

EACH(TIMED | WRITES, "readers behind a writer that times out enter beside the reader") {
    struct actor writer, reader;
    with_kind(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks_until(&writer, way, &lock, from_now(way->clock, 50 * MILLISECOND));
    until(&writer.step, CALLS);
    asks(&reader, RDLOCK, &lock);
    until(&writer.step, LEFT);
    CHECK(writer.answer == ETIMEDOUT);
    holds(&reader);
    leaves(&reader);
    join(writer.thread);
}

EACH(TIMED, "EDEADLK to the thread that writes itself, even after the deadline") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    ANSWERS(EDEADLK, take_until(way, &lock, seconds(0)));
}

// The unlock and the deadline come at about the same moment.
EACH(TIMED, "a deadline at the moment of the unlock is either met or missed") {
    for (int i = 0; i < 200; i++) {
        struct actor asker;
        ANSWERS(0, pthread_rwlock_wrlock(&lock));
        asks_until(&asker, way, &lock, from_now(way->clock, MILLISECOND / 4));
        atomic_store(&asker.may_leave, 1);
        until(&asker.step, CALLS);
        UNLOCKS(&lock);
        join(asker.thread);
        CHECK(asker.answer == 0 || asker.answer == ETIMEDOUT);
        ANSWERS(0, pthread_rwlock_trywrlock(&lock));
        UNLOCKS(&lock);
    }
}

RUN_ALL
