/* Programs for the tracer: each behaviour has figures that are known. */
#include "../../../preload/tests/programs/check.h"

static pthread_rwlock_t *busy;

static __attribute__((noinline)) void make_busy(void) {
    busy = malloc(sizeof *busy);
    OK(pthread_rwlock_init(busy, NULL));
}

static void *use_busy(void *unused) {
    for (int i = 0; i < 12000; i++) {
        OK(i % 6 == 0 ? pthread_rwlock_wrlock(busy) : pthread_rwlock_rdlock(busy));
        OK(pthread_rwlock_unlock(busy));
    }
    return unused;
}

static __attribute__((noinline)) void use_static(void) {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec soon = in_ms(CLOCK_REALTIME, 1000);
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_tryrdlock(&lock));
    OK(pthread_rwlock_timedrdlock(&lock, &soon));
    soon = in_ms(CLOCK_MONOTONIC, 1000);
    OK(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &soon));
    for (int i = 0; i < 4; i++) OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &soon));
    OK(pthread_rwlock_unlock(&lock));
}

static __attribute__((noinline)) void make_short(pthread_rwlock_t *lock) {
    OK(pthread_rwlock_init(lock, NULL));
    __asm__ volatile("");
}

static void counts(void) {
    make_busy();
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) threads[i] = start(use_busy, NULL);
    for (int i = 0; i < 3; i++) finish(threads[i]);
    OK(pthread_rwlock_wrlock(busy));
    for (int i = 0; i < 7; i++) ANSWERS(EBUSY, pthread_rwlock_tryrdlock(busy));
    OK(pthread_rwlock_unlock(busy));
    use_static();
    pthread_rwlock_t lock;
    for (int i = 0; i < 100; i++) {
        make_short(&lock);
        OK(pthread_rwlock_rdlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_trywrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_destroy(&lock));
    }
}

static pthread_rwlock_t contended = PTHREAD_RWLOCK_INITIALIZER;

static __attribute__((noinline)) void *reader_that_waits(void *unused) {
    OK(pthread_rwlock_rdlock(&contended));
    OK(pthread_rwlock_unlock(&contended));
    return unused;
}

static __attribute__((noinline)) void writer_that_holds(void) {
    OK(pthread_rwlock_wrlock(&contended));
    pthread_t reader = start(reader_that_waits, NULL);
    sleep_ms(100);
    OK(pthread_rwlock_unlock(&contended));
    finish(reader);
}

static void waits(void) { writer_that_holds(); }

static void many(void) {
    static pthread_rwlock_t locks[1000];
    for (int i = 0; i < 1000; i++) OK(pthread_rwlock_init(&locks[i], NULL));
    for (int i = 0; i < 20000; i++) {
        OK(pthread_rwlock_rdlock(&locks[i % 1000]));
        OK(pthread_rwlock_unlock(&locks[i % 1000]));
    }
}

static void nothing(void) {}

CHOOSE(BEHAVIOUR(counts) BEHAVIOUR(waits) BEHAVIOUR(many) BEHAVIOUR(nothing))
