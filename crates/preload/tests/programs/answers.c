/* The answers of the functions. */
#include "check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void static_initialisers_are_unlocked(void) {
    static pthread_rwlock_t all[] = {
        PTHREAD_RWLOCK_INITIALIZER,
        PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP,
    };
    for (int i = 0; i < 2; i++) {
        OK(pthread_rwlock_trywrlock(&all[i]));
        OK(pthread_rwlock_unlock(&all[i]));
        OK(pthread_rwlock_rdlock(&all[i]));
        OK(pthread_rwlock_unlock(&all[i]));
        OK(pthread_rwlock_destroy(&all[i]));
    }
}

static void any_memory_becomes_a_lock(void) {
    struct {
        unsigned char before[8];
        pthread_rwlock_t lock;
        unsigned char after[8];
    } place;
    memset(&place, 0xa5, sizeof place);
    OK(pthread_rwlock_init(&place.lock, NULL));
    OK(pthread_rwlock_wrlock(&place.lock));
    OK(pthread_rwlock_unlock(&place.lock));
    OK(pthread_rwlock_destroy(&place.lock));
    for (int i = 0; i < 8; i++) CHECK(place.before[i] == 0xa5 && place.after[i] == 0xa5);
}

static long counted;

static void *count(void *unused) {
    (void)unused;
    for (int i = 0; i < 50000; i++) {
        OK(pthread_rwlock_wrlock(&lock));
        counted++;
        OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_rdlock(&lock));
        long seen = *(volatile long *)&counted;
        CHECK(seen == *(volatile long *)&counted);
        OK(pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

static void writers_exclude(void) {
    pthread_t all[4];
    for (int i = 0; i < 4; i++) all[i] = start(count, NULL);
    for (int i = 0; i < 4; i++) finish(all[i]);
    CHECK(counted == 200000);
}

static void *tries_all(void *answer) {
    int expected = *(int *)answer;
    struct timespec now = in_ms(CLOCK_REALTIME, 0);
    ANSWERS(EBUSY, pthread_rwlock_trywrlock(&lock));
    ANSWERS(ETIMEDOUT, pthread_rwlock_timedwrlock(&lock, &now));
    ANSWERS(expected, pthread_rwlock_tryrdlock(&lock));
    if (expected == 0) OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

static void try_answers_busy(void) {
    int busy = EBUSY, fine = 0;
    OK(pthread_rwlock_wrlock(&lock));
    ANSWERS(EBUSY, pthread_rwlock_trywrlock(&lock));
    ANSWERS(EBUSY, pthread_rwlock_tryrdlock(&lock));
    finish(start(tries_all, &busy));
    OK(pthread_rwlock_unlock(&lock));
    for (int often = 0; often < 2; often++) {
        OK(pthread_rwlock_rdlock(&lock));
        ANSWERS(EBUSY, pthread_rwlock_trywrlock(&lock));
        finish(start(tries_all, &fine));
        OK(pthread_rwlock_unlock(&lock));
        read_often(&lock);
    }
}

static void a_writer_that_locks_again_is_told(void) {
    struct timespec later = in_ms(CLOCK_REALTIME, 1000);
    OK(pthread_rwlock_wrlock(&lock));
    ANSWERS(EDEADLK, pthread_rwlock_wrlock(&lock));
    ANSWERS(EDEADLK, pthread_rwlock_rdlock(&lock));
    ANSWERS(EDEADLK, pthread_rwlock_timedwrlock(&lock, &later));
    ANSWERS(EDEADLK, pthread_rwlock_timedrdlock(&lock, &later));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_wrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

static void *unlocks_in_vain(void *unused) {
    (void)unused;
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
    return NULL;
}

static void unlocking_nothing_is_refused(void) {
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_wrlock(&lock));
    finish(start(unlocks_in_vain, NULL));
    OK(pthread_rwlock_unlock(&lock));
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
    read_often(&lock);
    ANSWERS(EPERM, pthread_rwlock_unlock(&lock));
}

static void too_many_reads_are_refused(void) {
    long reads = 0;
    int answer;
    while ((answer = pthread_rwlock_rdlock(&lock)) == 0) reads++;
    CHECK(answer == EAGAIN && reads >= 1 << 23);
    ANSWERS(EAGAIN, pthread_rwlock_tryrdlock(&lock));
    ANSWERS(EBUSY, pthread_rwlock_trywrlock(&lock));
    while (reads-- > 0) OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

static void *waits_in_vain(void *unused) {
    (void)unused;
    clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC};
    for (int i = 0; i < 4; i++) {
        long begun = now_ms();
        struct timespec at = in_ms(clocks[i % 2], 60);
        ANSWERS(ETIMEDOUT, i < 2 ? pthread_rwlock_clockrdlock(&lock, clocks[i % 2], &at)
                                 : pthread_rwlock_clockwrlock(&lock, clocks[i % 2], &at));
        CHECK(now_ms() - begun >= 59);
    }
    struct timespec at = in_ms(CLOCK_REALTIME, 30), past = {-1, 0};
    ANSWERS(ETIMEDOUT, pthread_rwlock_timedrdlock(&lock, &at));
    ANSWERS(ETIMEDOUT, pthread_rwlock_timedwrlock(&lock, &past));
    return NULL;
}

static void waits_end_at_their_deadline(void) {
    struct timespec past = in_ms(CLOCK_REALTIME, -1000);
    OK(pthread_rwlock_timedwrlock(&lock, &past));
    finish(start(waits_in_vain, NULL));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_timedrdlock(&lock, &past));
    OK(pthread_rwlock_unlock(&lock));
}

static void a_time_that_is_none_is_refused(void) {
    struct timespec times[] = {{0, -1}, {0, 1000000000}};
    struct timespec fine = in_ms(CLOCK_REALTIME, 1000);
    for (int i = 0; i < 2; i++) {
        ANSWERS(EINVAL, pthread_rwlock_timedrdlock(&lock, &times[i]));
        ANSWERS(EINVAL, pthread_rwlock_timedwrlock(&lock, &times[i]));
        ANSWERS(EINVAL, pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &times[i]));
    }
    ANSWERS(EINVAL, pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &fine));
    ANSWERS(EINVAL, pthread_rwlock_clockwrlock(&lock, 4711, &fine));
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

static void *changes_nothing(void *unused) {
    (void)unused;
    for (int i = 0; i < 20; i++) {
        struct timespec at = in_ms(CLOCK_REALTIME, 3);
        errno = 4711;
        int answer = i % 2 ? pthread_rwlock_timedwrlock(&lock, &at) : pthread_rwlock_timedrdlock(&lock, &at);
        if (answer == 0) OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_wrlock(&lock));
        sleep_ms(1);
        errno = 4711;
        OK(pthread_rwlock_unlock(&lock));
        CHECK(errno == 4711);
    }
    return NULL;
}

static void errno_stays(void) {
    pthread_t all[4];
    for (int i = 0; i < 4; i++) all[i] = start(changes_nothing, NULL);
    for (int i = 0; i < 4; i++) finish(all[i]);
    for (int i = 0; i < 4; i++) all[i] = start(changes_nothing, NULL);
    for (int i = 0; i < 4; i++) finish(all[i]);
}

static void attributes_choose_the_kind(void) {
    pthread_rwlockattr_t attributes;
    OK(pthread_rwlockattr_init(&attributes));
    for (int kind = 0; kind < 3; kind++) {
        OK(pthread_rwlockattr_setkind_np(&attributes, kind));
        OK(pthread_rwlock_init(&lock, &attributes));
        CHECK((int)lock.__data.__flags == kind && lock.__data.__shared == 0);
        OK(pthread_rwlock_wrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_destroy(&lock));
    }
    OK(pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
    OK(pthread_rwlock_init(&lock, &attributes));
    CHECK(lock.__data.__shared != 0);
    OK(pthread_rwlock_destroy(&lock));
    OK(pthread_rwlockattr_destroy(&attributes));
}

CHOOSE(
    BEHAVIOUR(static_initialisers_are_unlocked)
    BEHAVIOUR(any_memory_becomes_a_lock)
    BEHAVIOUR(writers_exclude)
    BEHAVIOUR(try_answers_busy)
    BEHAVIOUR(a_writer_that_locks_again_is_told)
    BEHAVIOUR(unlocking_nothing_is_refused)
    BEHAVIOUR(too_many_reads_are_refused)
    BEHAVIOUR(waits_end_at_their_deadline)
    BEHAVIOUR(a_time_that_is_none_is_refused)
    BEHAVIOUR(errno_stays)
    BEHAVIOUR(attributes_choose_the_kind))
