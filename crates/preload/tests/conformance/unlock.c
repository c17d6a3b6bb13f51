// pthread_rwlock_unlock: which hold it ends, which waiters enter, and unlocks by other threads.

#include "actors.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlocks(void *argument) {
    UNLOCKS((rwlock *)argument);
    return NULL;
}

static void another_unlocks(void) { join(start(unlocks, &lock)); }

EACH(0, "unlock ends it, and the lock is free") {
    ANSWERS(0, take(way, &lock));
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(0, "unlock ends it as often as it is taken") {
    for (int i = 0; i < 1000; i++) {
        ANSWERS(0, take(way, &lock));
        UNLOCKS(&lock);
    }
    CHECK(could_write(&lock) == 0);
}

TEST("unlock: reads and writes by turns") {
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < WAY_COUNT; j++) {
            ANSWERS(0, take(&WAYS[j], &lock));
            CHECK((WAYS[j].is & WRITES ? pthread_rwlock_tryrdlock : pthread_rwlock_trywrlock)(&lock)
                  == EBUSY);
            UNLOCKS(&lock);
        }
    }
}

TEST("unlock: the lock stays read-locked while other reads remain") {
    struct actor reader;
    asks(&reader, RDLOCK, &lock);
    holds(&reader);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == EBUSY && could_read(&lock) == 0);
    leaves(&reader);
}

TEST("unlock: the lock has no owner after the last read") {
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(READS | WAITS, "a writer's unlock lets all waiting readers in together") {
    enum { READERS = 5 };
    struct actor readers[READERS];
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < READERS; i++) asks(&readers[i], way, &lock);
    for (int i = 0; i < READERS; i++) waits(&readers[i]);
    UNLOCKS(&lock);
    for (int i = 0; i < READERS; i++) holds(&readers[i]);
    for (int i = 0; i < READERS; i++) leaves(&readers[i]);
}

EACH(WRITES | WAITS, "unlocks let waiting writers in one after the other") {
    enum { WRITERS = 5 };
    struct actor writers[WRITERS];
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < WRITERS; i++) asks(&writers[i], way, &lock);
    for (int i = 0; i < WRITERS; i++) waits(&writers[i]);
    UNLOCKS(&lock);
    for (int left = WRITERS; left > 0; left--) {
        int holder = -1;
        while (holder < 0) {
            for (int i = 0; i < WRITERS; i++)
                if (atomic_load(&writers[i].step) == HOLDS) holder = i;
            pause_for(MILLISECOND / 4);
        }
        for (int i = 0; i < WRITERS; i++)
            CHECK(i == holder || atomic_load(&writers[i].step) != HOLDS);
        leaves(&writers[holder]);
    }
}

TEST("unlock: readers and writers that wait all get in") {
    enum { ASKERS = 8 };
    struct actor askers[ASKERS];
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < ASKERS; i++) asks(&askers[i], i % 2 ? RDLOCK : WRLOCK, &lock);
    for (int i = 0; i < ASKERS; i++) waits(&askers[i]);
    for (int i = 0; i < ASKERS; i++) atomic_store(&askers[i].may_leave, 1);
    UNLOCKS(&lock);
    for (int i = 0; i < ASKERS; i++) leaves(&askers[i]);
    CHECK(could_write(&lock) == 0);
}

EACH(READS, "another thread may unlock the read") {
    ANSWERS(0, take(way, &lock));
    another_unlocks();
    CHECK(could_write(&lock) == 0);
}

enum { OTHERS = 6 };

static void *unlocks_while_it_reads_others(void *argument) {
    rwlock others[OTHERS];
    for (int i = 0; i < OTHERS; i++) {
        ANSWERS(0, pthread_rwlock_init(&others[i], NULL));
        ANSWERS(0, pthread_rwlock_rdlock(&others[i]));
    }
    UNLOCKS((rwlock *)argument);
    for (int i = 0; i < OTHERS; i++) UNLOCKS(&others[i]);
    for (int i = 0; i < OTHERS; i++) {
        ANSWERS(0, pthread_rwlock_trywrlock(&others[i]));
        UNLOCKS(&others[i]);
        ANSWERS(0, pthread_rwlock_destroy(&others[i]));
    }
    return NULL;
}

EACH(READS, "another thread may unlock the read while it reads six other locks") {
    ANSWERS(0, take(way, &lock));
    join(start(unlocks_while_it_reads_others, &lock));
    CHECK(could_write(&lock) == 0);
}

EACH(READS, "another thread may unlock each of several reads") {
    for (int i = 0; i < 3; i++) ANSWERS(0, take(way, &lock));
    for (int i = 0; i < 3; i++) {
        CHECK(could_write(&lock) == EBUSY);
        another_unlocks();
    }
    CHECK(could_write(&lock) == 0);
}

EACH(READS, "another thread's unlock lets a writer in that waits") {
    struct actor writer;
    ANSWERS(0, take(way, &lock));
    asks(&writer, WRLOCK, &lock);
    waits(&writer);
    another_unlocks();
    holds(&writer);
    leaves(&writer);
}

EACH(READS, "another thread may unlock the read while it reads itself, and each ends one") {
    struct actor other;
    ANSWERS(0, take(way, &lock));
    asks(&other, way, &lock);
    holds(&other);
    another_unlocks();
    CHECK(could_write(&lock) == EBUSY);
    leaves(&other);
    CHECK(could_write(&lock) == 0);
}

EACH(READS, "a nested read is held on when another thread has unlocked once") {
    ANSWERS(0, take(way, &lock));
    ANSWERS(0, take(way, &lock));
    another_unlocks();
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(READS, "a thread whose read another has unlocked can read and write again") {
    ANSWERS(0, take(way, &lock));
    another_unlocks();
    ANSWERS(0, take(way, &lock));
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHECK(could_read(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

// One thread nests reads while another unlocks one read of each pair for it.
static atomic_int given, taken;

static void *unlocks_one_of_each_pair(void *argument) {
    for (int i = 1; i <= 2000; i++) {
        while (atomic_load(&given) < i) sched_yield();
        UNLOCKS((rwlock *)argument);
        atomic_store(&taken, i);
    }
    return NULL;
}

EACH(READS, "nested reads and another thread's unlocks at the same moment") {
    pthread_t other = start(unlocks_one_of_each_pair, &lock);
    for (int i = 1; i <= 2000; i++) {
        ANSWERS(0, take(way, &lock));
        ANSWERS(0, take(way, &lock));
        atomic_store(&given, i);
        UNLOCKS(&lock);
        while (atomic_load(&taken) < i) sched_yield();
    }
    join(other);
    CHECK(could_write(&lock) == 0);
}

BEYOND("unlock: EPERM when nobody holds the lock, which stays as it was") {
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
    CHECK(could_write(&lock) == 0);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    UNLOCKS(&lock);
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    UNLOCKS(&lock);
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
    CHECK(could_write(&lock) == 0 && could_read(&lock) == 0);
}

RUN_ALL
