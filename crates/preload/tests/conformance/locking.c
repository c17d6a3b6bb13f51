// The ways to take a lock: which holds exclude which, the errors, and the tries.

#include "actors.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

EACH(0, "takes a lock that nobody holds") {
    ANSWERS(0, take(way, &lock));
}

EACH(0, "keeps other threads from writing") {
    ANSWERS(0, take(way, &lock));
    CHECK(could_write(&lock) == EBUSY);
}

EACH(WRITES, "keeps other threads from reading") {
    ANSWERS(0, take(way, &lock));
    CHECK(could_read(&lock) == EBUSY);
}

EACH(READS, "lets other threads read") {
    ANSWERS(0, take(way, &lock));
    CHECK(could_read(&lock) == 0);
}

EACH(READS, "enters beside a thread that reads") {
    struct actor reader;
    asks(&reader, RDLOCK, &lock);
    holds(&reader);
    ANSWERS(0, take(way, &lock));
    CHECK(atomic_load(&reader.step) == HOLDS);
    UNLOCKS(&lock);
    leaves(&reader);
}

EACH(READS, "a thread may hold many reads, and each needs an unlock of its own") {
    enum { OFTEN = 100 };
    for (int i = 0; i < OFTEN; i++) ANSWERS(0, take(way, &lock));
    for (int i = 0; i < OFTEN; i++) {
        CHECK(could_write(&lock) == EBUSY);
        UNLOCKS(&lock);
    }
    CHECK(could_write(&lock) == 0);
}

EACH(READS, "each of two threads holds a read of its own") {
    struct actor reader;
    asks(&reader, way, &lock);
    holds(&reader);
    ANSWERS(0, take(way, &lock));
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == EBUSY);
    leaves(&reader);
    CHECK(could_write(&lock) == 0);
}

EACH(WAITS, "waits for a thread that writes, and enters when it unlocks") {
    struct actor asker;
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks(&asker, way, &lock);
    waits(&asker);
    UNLOCKS(&lock);
    holds(&asker);
    leaves(&asker);
}

EACH(WAITS | WRITES, "waits for a thread that reads, and enters when it unlocks") {
    struct actor asker;
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&asker, way, &lock);
    waits(&asker);
    UNLOCKS(&lock);
    holds(&asker);
    leaves(&asker);
}

EACH(WAITS | WRITES, "waits for the last of several reads of one thread") {
    struct actor asker;
    for (int i = 0; i < 3; i++) ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&asker, way, &lock);
    for (int i = 0; i < 3; i++) {
        waits(&asker);
        UNLOCKS(&lock);
    }
    holds(&asker);
    leaves(&asker);
}

EACH(WAITS | WRITES, "waits for the last of several threads that read") {
    struct actor readers[3], asker;
    for (int i = 0; i < 3; i++) asks(&readers[i], RDLOCK, &lock);
    for (int i = 0; i < 3; i++) holds(&readers[i]);
    asks(&asker, way, &lock);
    for (int i = 0; i < 3; i++) {
        waits(&asker);
        leaves(&readers[i]);
    }
    holds(&asker);
    leaves(&asker);
}

EACH(TRIES, "EBUSY while another thread writes") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHECK(another_is_told(way, &lock, hours(way)) == EBUSY);
}

EACH(TRIES, "EBUSY to the thread that writes itself") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    ANSWERS(EBUSY, take(way, &lock));
}

EACH(TRIES | WRITES, "EBUSY while another thread reads") {
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    CHECK(another_is_told(way, &lock, hours(way)) == EBUSY);
}

EACH(TRIES | WRITES, "EBUSY to a thread that reads itself") {
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    ANSWERS(EBUSY, take(way, &lock));
}

EACH(TRIES, "a try that fails leaves the lock as it was") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < 100; i++) CHECK(another_is_told(way, &lock, hours(way)) == EBUSY);
    for (int i = 0; i < 100; i++) ANSWERS(EBUSY, take(way, &lock));
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(WAITS, "EDEADLK to the thread that writes itself") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    ANSWERS(EDEADLK, take(way, &lock));
}

EACH(WAITS, "EDEADLK leaves the lock as it was") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    ANSWERS(EDEADLK, take(way, &lock));
    CHECK(could_read(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(WAITS, "EDEADLK whichever way the thread has taken to write") {
    for (int i = 0; i < WAY_COUNT; i++) {
        if (!(WAYS[i].is & WRITES)) continue;
        ANSWERS(0, take(&WAYS[i], &lock));
        ANSWERS(EDEADLK, take(way, &lock));
        UNLOCKS(&lock);
    }
}

EACH(WAITS, "EDEADLK to a thread that had to wait for its write") {
    struct actor writer;
    asks(&writer, WRLOCK, &lock);
    holds(&writer);
    atomic_store(&writer.may_leave, 1);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    ANSWERS(EDEADLK, take(way, &lock));
    UNLOCKS(&lock);
    join(writer.thread);
}

EACH(WAITS, "no EDEADLK after the write has ended") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    UNLOCKS(&lock);
    struct actor other;
    asks(&other, WRLOCK, &lock);
    holds(&other);
    atomic_store(&other.may_leave, 1);
    ANSWERS(0, take(way, &lock));
    UNLOCKS(&lock);
    join(other.thread);
}

EACH(WAITS, "no EDEADLK for a write of another lock") {
    static rwlock another = PTHREAD_RWLOCK_INITIALIZER;
    ANSWERS(0, pthread_rwlock_wrlock(&another));
    ANSWERS(0, take(way, &lock));
}

EACH(0, "leaves errno alone, whether it succeeds or fails") {
    const clockid_t clock = way->is & TIMED ? way->clock : CLOCK_REALTIME;
    const struct timespec until = from_now(clock, MILLISECOND);
    errno = 54321;
    CHECK(way->call(&lock, way->clock, &until) == 0 && errno == 54321);
    CHECK(pthread_rwlock_unlock(&lock) == 0 && errno == 54321);
    CHECK(pthread_rwlock_wrlock(&lock) == 0 && errno == 54321);
    CHECK(way->call(&lock, way->clock, &until) != 0 && errno == 54321);
}

EACH(WAITS, "leaves errno alone after a wait") {
    struct actor asker;
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks(&asker, way, &lock);
    waits(&asker);
    errno = 54321;
    CHECK(pthread_rwlock_unlock(&lock) == 0 && errno == 54321);
    leaves(&asker);
    CHECK(asker.left_errno == 12345);
}

RUN_ALL
