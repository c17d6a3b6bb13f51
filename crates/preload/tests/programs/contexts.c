/* Handlers, cancellation, small stacks, allocation, the first call. */
#include "check.h"
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int over, handled;

static int is_over(void) { return __atomic_load_n(&over, __ATOMIC_RELAXED); }

static void read_in_handler(int signal) {
    (void)signal;
    int before = errno;
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
    errno = before;
}

static void *reads(void *unused) {
    (void)unused;
    while (!is_over()) {
        OK(pthread_rwlock_rdlock(&lock));
        for (volatile int i = 0; i < 100; i++) {
        }
        OK(pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

/* No signal goes to a writer: its handler would wait for its own thread. */
static void *writes(void *unused) {
    (void)unused;
    while (!is_over()) {
        OK(pthread_rwlock_wrlock(&lock));
        for (volatile int i = 0; i < 100; i++) {
        }
        OK(pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

static void handle(int signal) {
    struct sigaction action = {.sa_handler = read_in_handler, .sa_flags = SA_RESTART};
    CHECK(sigaction(signal, &action, NULL) == 0);
}

static int were_disturbed(void) { return __atomic_load_n(&handled, __ATOMIC_RELAXED) > 10; }

/* Sends signals for two seconds. On a busy machine, where waits last long, goes on until some handlers
   have run, for 20 seconds at most. */
static void disturb(void *(*run[4])(void *), int victims) {
    pthread_t all[4];
    handle(SIGUSR1);
    for (int i = 0; i < 4; i++) all[i] = start(run[i], NULL);
    long begun = now_ms();
    while (now_ms() - begun < (were_disturbed() ? 2000 : 20000)) {
        for (int i = 0; i < victims; i++) OK(pthread_kill(all[i], SIGUSR1));
        for (volatile int i = 0; i < 5000; i++) {
        }
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 4; i++) finish(all[i]);
    fprintf(stderr, "%d handlers\n", handled);
    CHECK(were_disturbed());
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

static void a_handler_reads_what_it_interrupted(void) {
    void *(*run[4])(void *) = {reads, reads, reads, writes};
    disturb(run, 3);
}

/* The reader nearly always waits. */
static void a_handler_waits_on_top_of_a_wait(void) {
    void *(*run[4])(void *) = {reads, writes, writes, writes};
    disturb(run, 1);
}

static void *waits(void *unused) {
    (void)unused;
    OK(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL));
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_wrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    pthread_testcancel();
    return NULL;
}

static void a_wait_is_no_cancellation_point(void) {
    OK(pthread_rwlock_wrlock(&lock));
    pthread_t thread = start(waits, NULL);
    sleep_ms(30);
    OK(pthread_cancel(thread));
    sleep_ms(30);
    OK(pthread_rwlock_unlock(&lock));
    void *result;
    OK(pthread_join(thread, &result));
    CHECK(result == PTHREAD_CANCELED);
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

enum { STACK = 16384, LOCK_CALLS = 4096 };

static void *locks_in_all_ways(void *unused) {
    (void)unused;
    for (int i = 0; i < 200; i++) {
        struct timespec at = in_ms(CLOCK_REALTIME, 5);
        OK(pthread_rwlock_rdlock(&lock));
        sched_yield();
        OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_wrlock(&lock));
        sched_yield();
        OK(pthread_rwlock_unlock(&lock));
        if (pthread_rwlock_timedwrlock(&lock, &at) == 0) OK(pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

/* The thread to compare with. A painted stack shows how deep a thread's calls went: LOCK_CALLS is how
   much deeper lock calls may go than this. */
static void *does_nothing(void *unused) {
    (void)unused;
    struct timespec at = in_ms(CLOCK_REALTIME, 5);
    (void)at;
    sched_yield();
    return NULL;
}

static size_t deepest(void *(*run)(void *)) {
    pthread_t all[3];
    char *stacks[3];
    for (int i = 0; i < 3; i++) {
        stacks[i] = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(stacks[i] != MAP_FAILED);
        memset(stacks[i], 0x5a, STACK);
        pthread_attr_t attributes;
        OK(pthread_attr_init(&attributes));
        OK(pthread_attr_setstack(&attributes, stacks[i], STACK));
        OK(pthread_create(&all[i], &attributes, run, NULL));
    }
    size_t most = 0;
    for (int i = 0; i < 3; i++) {
        finish(all[i]);
        size_t left = 0;
        while (left < STACK && stacks[i][left] == 0x5a) left++;
        if (STACK - left > most) most = STACK - left;
    }
    return most;
}

static void a_small_stack_is_enough(void) {
    size_t without = deepest(does_nothing), with = deepest(locks_in_all_ways);
    fprintf(stderr, "%zu bytes, %zu without locks\n", with, without);
    CHECK(with <= without + LOCK_CALLS);
}

/* The program's own allocator fails if a watched thread calls it. */
static __thread int watched;
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *malloc(size_t size) {
    CHECK(!watched);
    return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
    CHECK(!watched);
    return __libc_calloc(number, size);
}

static void *locks_watched(void *unused) {
    watched = 1;
    locks_in_all_ways(unused);
    watched = 0;
    return NULL;
}

static void nothing_is_allocated(void) {
    pthread_t all[100];
    for (int i = 0; i < 100; i++) all[i] = start(locks_watched, NULL);
    for (int i = 0; i < 100; i++) finish(all[i]);
}

static void *stays(void *unused) {
    (void)unused;
    while (!is_over()) sleep_ms(1);
    return NULL;
}

/* The thread has no more voluntary context switches than before. */
static void the_first_call_does_not_block(void) {
    pthread_t all[5];
    for (int i = 0; i < 5; i++) all[i] = start(stays, NULL);
    struct rusage before, after;
    CHECK(getrusage(RUSAGE_THREAD, &before) == 0);
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_wrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    CHECK(getrusage(RUSAGE_THREAD, &after) == 0);
    CHECK(after.ru_nvcsw == before.ru_nvcsw);
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 5; i++) finish(all[i]);
}

static void *counts(void *counter) {
    for (int i = 0; i < 200; i++) {
        OK(pthread_rwlock_wrlock(&lock));
        ++*(int *)counter;
        OK(pthread_rwlock_unlock(&lock));
        for (int j = 0; j < 50; j++) {
            OK(pthread_rwlock_rdlock(&lock));
            OK(pthread_rwlock_unlock(&lock));
        }
    }
    return NULL;
}

static void membarrier_may_be_refused_later(void) {
    struct sock_filter refuse[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, refuse};
    read_often(&lock);
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
    int counter = 0;
    pthread_t all[3];
    for (int i = 0; i < 3; i++) all[i] = start(counts, &counter);
    for (int i = 0; i < 3; i++) finish(all[i]);
    CHECK(counter == 600);
}

CHOOSE(
    BEHAVIOUR(a_handler_reads_what_it_interrupted)
    BEHAVIOUR(a_handler_waits_on_top_of_a_wait)
    BEHAVIOUR(a_wait_is_no_cancellation_point)
    BEHAVIOUR(a_small_stack_is_enough)
    BEHAVIOUR(nothing_is_allocated)
    BEHAVIOUR(the_first_call_does_not_block)
    BEHAVIOUR(membarrier_may_be_refused_later))
