/* Writers that wait for a reader in a slot, and readers that are refused meanwhile. */
#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int inside, may_leave;

static void *reads_until_told(void *unused) {
    (void)unused;
    read_often(&lock);
    OK(pthread_rwlock_rdlock(&lock));
    __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&may_leave, __ATOMIC_ACQUIRE)) sleep_ms(1);
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

static int tries(void) { return pthread_rwlock_tryrdlock(&lock); }

static int waits_shortly(void) {
    struct timespec at = in_ms(CLOCK_REALTIME, 0);
    return pthread_rwlock_timedrdlock(&lock, &at);
}

/* The first reader stays inside, in a slot, until this thread has got in. */
static void trying_passes(int (*reads)(void), int writers) {
    pthread_t all[3];
    inside = may_leave = 0;
    pthread_t reader = start(reads_until_told, NULL);
    while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE)) sleep_ms(1);
    for (int i = 0; i < writers; i++) all[i] = start(write_once, &lock);
    sleep_ms(20);
    int refused = 0;
    while (reads() != 0) {
        CHECK(++refused < 2000);
        sleep_ms(1);
    }
    fprintf(stderr, "%d refused, %d writers\n", refused, writers);
    OK(pthread_rwlock_unlock(&lock));
    __atomic_store_n(&may_leave, 1, __ATOMIC_RELEASE);
    finish(reader);
    for (int i = 0; i < writers; i++) finish(all[i]);
}

static int over, writes_of_others;

static int is_over(void) { return __atomic_load_n(&over, __ATOMIC_RELAXED); }

static void nap(int microseconds) { nanosleep(&(struct timespec){0, microseconds * 1000L}, NULL); }

/* The first read lasts until the thread is told to leave, and later reads are short. */
static void *reads_on(void *unused) {
    reads_until_told(unused);
    while (!is_over()) {
        nap(500);
        OK(pthread_rwlock_rdlock(&lock));
        nap(2000);
        OK(pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

/* After a try that gets in, many more follow at once, as of a reader by slots. */
static void *tries_on(void *unused) {
    (void)unused;
    while (!is_over()) {
        for (int i = 0; i < 50 && tries() == 0; i++) OK(pthread_rwlock_unlock(&lock));
        nap(200);
    }
    return NULL;
}

static void *writes_on(void *unused) {
    (void)unused;
    while (!is_over()) {
        OK(pthread_rwlock_wrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        __atomic_fetch_add(&writes_of_others, 1, __ATOMIC_RELAXED);
        nap(4000);
    }
    return NULL;
}

/* The writer has given up its wait for a slot, and stands aside. The other writers follow each other, so
   that some reader is always refused. */
static void a_writer_that_stood_aside_gets_in_beside_others(void) {
    pthread_t others[4], reader = start(reads_on, NULL);
    while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE)) sleep_ms(1);
    pthread_t trying = start(tries_on, NULL), writer = start(write_once, &lock);
    sleep_ms(36);
    __atomic_store_n(&may_leave, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 4; i++) others[i] = start(writes_on, NULL);
    finish(writer);
    int passed = __atomic_load_n(&writes_of_others, __ATOMIC_RELAXED);
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; i++) finish(others[i]);
    finish(trying);
    finish(reader);
    fprintf(stderr, "passed by %d writes\n", passed);
    CHECK(passed < 1000);
}

static void a_reader_that_tries_passes_writers_that_wait_for_a_slot(void) {
    for (int i = 0; i < 9; i++) trying_passes(tries, i % 3 + 1);
}

static void a_reader_that_waits_shortly_passes_writers_that_wait_for_a_slot(void) {
    for (int i = 0; i < 9; i++) trying_passes(waits_shortly, i % 3 + 1);
}

CHOOSE(
    BEHAVIOUR(a_writer_that_stood_aside_gets_in_beside_others)
    BEHAVIOUR(a_reader_that_tries_passes_writers_that_wait_for_a_slot)
    BEHAVIOUR(a_reader_that_waits_shortly_passes_writers_that_wait_for_a_slot))
