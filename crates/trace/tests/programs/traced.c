/* Programs for the tracer: each behaviour has figures that are known. */
#include "report.h"
#include <sys/wait.h>

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

static int turn;

static void next_turn(int number) {
    __atomic_store_n(&turn, number, __ATOMIC_RELEASE);
}

static void await_turn(int number) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != number) sched_yield();
}

static __attribute__((noinline)) void wait_once_more(void) { reader_that_waits(NULL); }

/* After thousands of calls hardly any is measured in full. */
static void *reader_that_waits_twice(void *unused) {
    for (int i = 0; i < 20000; i++) reader_that_waits(NULL);
    next_turn(1);
    await_turn(2);
    reader_that_waits(NULL);
    next_turn(3);
    await_turn(4);
    wait_once_more();
    return unused;
}

/* The second wait begins while the thread still rests from the stack of the first. */
static void waits_twice(void) {
    pthread_t reader = start(reader_that_waits_twice, NULL);
    await_turn(1);
    OK(pthread_rwlock_wrlock(&contended));
    next_turn(2);
    usleep(200);
    OK(pthread_rwlock_unlock(&contended));
    await_turn(3);
    OK(pthread_rwlock_wrlock(&contended));
    next_turn(4);
    sleep_ms(100);
    OK(pthread_rwlock_unlock(&contended));
    finish(reader);
}

static void many(void) {
    static pthread_rwlock_t locks[1500];
    for (int i = 0; i < 1500; i++) OK(pthread_rwlock_init(&locks[i], NULL));
    for (int i = 0; i < 30000; i++) {
        OK(pthread_rwlock_rdlock(&locks[i % 1500]));
        OK(pthread_rwlock_unlock(&locks[i % 1500]));
    }
}

static void nothing(void) {}

/* In C++ names `w` stands for a type. */
static __attribute__((noinline)) void w(pthread_rwlock_t *lock) {
    OK(pthread_rwlock_wrlock(lock));
    OK(pthread_rwlock_unlock(lock));
}

static void short_names(void) {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    w(&lock);
}

static void read_times(int times) {
    for (int i = 0; i < times; i++) {
        OK(pthread_rwlock_rdlock(busy));
        OK(pthread_rwlock_unlock(busy));
    }
}

/* Keeps the report of a signal. */
static void signals(void) {
    make_busy();
    read_times(10);
    char *report = getenv("REPORT");
    await_report(report);
    OK(rename(report, "early"));
    read_times(20);
}

static void forks(void) {
    make_busy();
    read_times(100);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        read_times(7);
        exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    printf("%d\n", child);
}

/* What each call answers, and whether it leaves errno alone. */
static void answers(void) {
    errno = 4711;
    make_busy();
    struct timespec over = in_ms(CLOCK_MONOTONIC, -1), none = {0, 1000000000};
    OK(pthread_rwlock_wrlock(busy));
    ANSWERS(EDEADLK, pthread_rwlock_wrlock(busy));
    ANSWERS(EDEADLK, pthread_rwlock_rdlock(busy));
    ANSWERS(EBUSY, pthread_rwlock_tryrdlock(busy));
    ANSWERS(EBUSY, pthread_rwlock_trywrlock(busy));
    OK(pthread_rwlock_unlock(busy));
    OK(pthread_rwlock_rdlock(busy));
    ANSWERS(ETIMEDOUT, pthread_rwlock_clockwrlock(busy, CLOCK_MONOTONIC, &over));
    ANSWERS(ETIMEDOUT, pthread_rwlock_timedwrlock(busy, &over));
    OK(pthread_rwlock_clockrdlock(busy, CLOCK_MONOTONIC, &over));
    ANSWERS(EINVAL, pthread_rwlock_timedrdlock(busy, &none));
    ANSWERS(EINVAL, pthread_rwlock_clockrdlock(busy, CLOCK_PROCESS_CPUTIME_ID, &over));
    /* The compiler must not see the null pointers, which are no deadlines. */
    struct timespec *volatile never = NULL;
    OK(pthread_rwlock_timedrdlock(busy, never));
    OK(pthread_rwlock_clockrdlock(busy, CLOCK_PROCESS_CPUTIME_ID, never));
    for (int i = 0; i < 4; i++) OK(pthread_rwlock_unlock(busy));
    OK(pthread_rwlock_timedwrlock(busy, never));
    OK(pthread_rwlock_unlock(busy));
    OK(pthread_rwlock_destroy(busy));
    CHECK(errno == 4711);
    puts("so it is");
}

/* An allocator whose lock is traced as well: the tracer must not allocate by it. */
static pthread_rwlock_t heap = PTHREAD_RWLOCK_INITIALIZER;
static int has_own_heap;
extern void *__libc_malloc(size_t);

void *malloc(size_t size) {
    if (!has_own_heap) return __libc_malloc(size);
    OK(pthread_rwlock_wrlock(&heap));
    void *made = __libc_malloc(size);
    OK(pthread_rwlock_unlock(&heap));
    return made;
}

static void *use_heap(void *unused) {
    for (int i = 0; i < 1000; i++) {
        void *volatile made = malloc(i);
        free(made);
    }
    return unused;
}

static void allocator(void) {
    has_own_heap = 1;
    use_heap(NULL);
    finish(start(use_heap, NULL));
}

CHOOSE(BEHAVIOUR(counts) BEHAVIOUR(waits) BEHAVIOUR(waits_twice) BEHAVIOUR(many) BEHAVIOUR(nothing) BEHAVIOUR(short_names) BEHAVIOUR(signals)
           BEHAVIOUR(forks) BEHAVIOUR(answers) BEHAVIOUR(allocator))
