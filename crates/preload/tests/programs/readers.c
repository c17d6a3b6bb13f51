/* Which readers pass a writer that waits. */
#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reads(void *unused) {
    (void)unused;
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

static void a_reader_reads_again_past_a_writer(void) {
    for (int often = 0; often < 2; often++) {
        OK(pthread_rwlock_rdlock(&lock));
        pthread_t writer = start(write_once, &lock);
        sleep_ms(50);
        long begun = now_ms();
        for (int i = 0; i < 100; i++) OK(pthread_rwlock_rdlock(&lock));
        CHECK(now_ms() - begun < 1000);
        for (int i = 0; i < 101; i++) OK(pthread_rwlock_unlock(&lock));
        finish(writer);
        read_often(&lock);
    }
}

static void *reads_and_waits_for_a_reader(void *unused) {
    (void)unused;
    OK(pthread_rwlock_rdlock(&lock));
    sleep_ms(50);
    long begun = now_ms();
    finish(start(reads, NULL));
    CHECK(now_ms() - begun < 5000);
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

/* A writer waits for one reader, which waits for another reader. */
static void another_reader_passes(void) {
    pthread_t reader = start(reads_and_waits_for_a_reader, NULL);
    sleep_ms(20);
    pthread_t writers[3];
    for (int i = 0; i < 3; i++) writers[i] = start(write_once, &lock);
    finish(reader);
    for (int i = 0; i < 3; i++) finish(writers[i]);
}

static void another_reader_passes_a_writer_in_the_end(void) { another_reader_passes(); }

static void another_reader_passes_a_writer_that_waits_for_a_slot(void) {
    for (int i = 0; i < 5; i++) {
        read_often(&lock);
        another_reader_passes();
    }
}

static int over;

static void *reads_steadily(void *unused) {
    (void)unused;
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        OK(pthread_rwlock_rdlock(&lock));
        for (volatile int i = 0; i < 1000; i++) {
        }
        OK(pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

/* glibc's lock lets one writer in within seconds. */
static void a_writer_gets_in_among_steady_readers(void) {
    pthread_t readers[4];
    for (int i = 0; i < 4; i++) readers[i] = start(reads_steadily, NULL);
    long begun = now_ms();
    int written = 0;
    while (now_ms() - begun < 1000) {
        OK(pthread_rwlock_wrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        written++;
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; i++) finish(readers[i]);
    fprintf(stderr, "%d writes\n", written);
    CHECK(written >= 20);
}

static int answered;

static void *reads_for_a_while(void *unused) {
    (void)unused;
    struct timespec at = in_ms(CLOCK_REALTIME, 200);
    answered = pthread_rwlock_timedrdlock(&lock, &at);
    if (answered == 0) OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

/* Readers that do not have the lock yet. */
static void readers_wait_where_writers_go_first(void) {
    int answers[] = {0, 0, ETIMEDOUT};
    for (int kind = 0; kind < 3; kind++) {
        pthread_rwlockattr_t attributes;
        OK(pthread_rwlockattr_init(&attributes));
        OK(pthread_rwlockattr_setkind_np(&attributes, kind));
        OK(pthread_rwlock_init(&lock, &attributes));
        OK(pthread_rwlock_rdlock(&lock));
        pthread_t writer = start(write_once, &lock);
        sleep_ms(50);
        finish(start(reads_for_a_while, NULL));
        CHECK(answered == answers[kind]);
        OK(pthread_rwlock_unlock(&lock));
        finish(writer);
        OK(pthread_rwlock_destroy(&lock));
    }
}

static void many_locks_are_read_at_once(void) {
    static pthread_rwlock_t locks[20];
    for (int i = 0; i < 20; i++) OK(pthread_rwlock_init(&locks[i], NULL));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++)
            for (int twice = 0; twice < 2; twice++) OK(pthread_rwlock_rdlock(&locks[i]));
        for (int i = 0; i < 20; i++) ANSWERS(EBUSY, pthread_rwlock_trywrlock(&locks[i]));
        for (int twice = 0; twice < 2; twice++)
            for (int i = 0; i < 20; i++) OK(pthread_rwlock_unlock(&locks[(i * 7) % 20]));
        for (int i = 0; i < 20; i++) {
            OK(pthread_rwlock_trywrlock(&locks[i]));
            OK(pthread_rwlock_unlock(&locks[i]));
            read_often(&locks[i]);
        }
    }
}

static pthread_rwlock_t locks[5];

static void *writes_each(void *unused) {
    (void)unused;
    for (int i = 0; i < 5; i++) {
        OK(pthread_rwlock_wrlock(&locks[i]));
        OK(pthread_rwlock_unlock(&locks[i]));
    }
    return NULL;
}

/* One thread reads several locks, by its first slots and by shares. */
static void a_writer_waits_for_each_of_nested_reads(void) {
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 5; i++) read_often(&locks[i]);
        for (int i = 0; i < 5; i++) OK(pthread_rwlock_rdlock(&locks[i]));
        pthread_t writer = start(writes_each, NULL);
        for (int i = 0; i < 5; i++) {
            int mine = round % 2 ? i : 4 - i;
            sched_yield();
            ANSWERS(EBUSY, pthread_rwlock_trywrlock(&locks[mine]));
            OK(pthread_rwlock_unlock(&locks[mine]));
        }
        finish(writer);
        for (int i = 0; i < 5; i++) {
            OK(pthread_rwlock_trywrlock(&locks[i]));
            OK(pthread_rwlock_unlock(&locks[i]));
        }
    }
}

CHOOSE(
    BEHAVIOUR(a_reader_reads_again_past_a_writer)
    BEHAVIOUR(another_reader_passes_a_writer_in_the_end)
    BEHAVIOUR(another_reader_passes_a_writer_that_waits_for_a_slot)
    BEHAVIOUR(a_writer_gets_in_among_steady_readers)
    BEHAVIOUR(readers_wait_where_writers_go_first)
    BEHAVIOUR(a_writer_waits_for_each_of_nested_reads)
    BEHAVIOUR(many_locks_are_read_at_once))
