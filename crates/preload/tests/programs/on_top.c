/* Handlers that wait for a lock for which the interrupted thread waits as well. The thread cannot take
   the lock before its handler has had it. */
#include "check.h"
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>

static pthread_rwlock_t lock;
static int thread_id, entered, handled;

static int seen(int *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static void count(int *word) { __atomic_fetch_add(word, 1, __ATOMIC_RELEASE); }

static void until(int *word, int value) {
    while (seen(word) < value) sleep_ms(1);
}

static void read_in_handler(int signal) {
    (void)signal;
    count(&entered);
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    count(&handled);
}

static void begin(int kind) {
    struct sigaction action = {.sa_handler = read_in_handler, .sa_flags = SA_RESTART | SA_NODEFER};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    pthread_rwlockattr_t attributes;
    OK(pthread_rwlockattr_init(&attributes));
    OK(pthread_rwlockattr_setkind_np(&attributes, kind));
    OK(pthread_rwlock_init(&lock, &attributes));
    thread_id = entered = handled = 0;
}

/* Returns when the thread sleeps, or after some seconds. A lock may have a thread sleep and wait awake
   by turns, so one look is not enough. */
static void until_it_sleeps(void) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", seen(&thread_id));
    for (int sleeps = 0, looks = 0; sleeps < 3 && looks < 2000; looks++) {
        FILE *file = fopen(path, "r");
        CHECK(file && fgets(text, sizeof text, file));
        fclose(file);
        const char *name_ends = strrchr(text, ')');
        sleeps += name_ends && name_ends[2] == 'S';
        sleep_ms(1);
    }
}

static void *reads(void *unused) {
    (void)unused;
    __atomic_store_n(&thread_id, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

static void *writes(void *unused) {
    (void)unused;
    __atomic_store_n(&thread_id, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
    OK(pthread_rwlock_wrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

/* This thread writes, and the other waits for it. So many handlers come on top of each other, and wait
   as well. Then this thread unlocks. */
static void waits_on_top(int kind, void *(*run)(void *), int handlers) {
    begin(kind);
    OK(pthread_rwlock_wrlock(&lock));
    pthread_t thread = start(run, NULL);
    until(&thread_id, 1);
    until_it_sleeps();
    for (int i = 1; i <= handlers; i++) {
        OK(pthread_kill(thread, SIGUSR1));
        until(&entered, i);
        until_it_sleeps();
    }
    OK(pthread_rwlock_unlock(&lock));
    finish(thread);
    CHECK(seen(&handled) == handlers);
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

static void a_reader_where_readers_go_first(void) {
    for (int i = 1; i <= 3; i++) waits_on_top(PTHREAD_RWLOCK_PREFER_READER_NP, reads, i);
}

static void a_reader_where_writers_go_first(void) {
    for (int i = 1; i <= 3; i++) waits_on_top(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, reads, i);
}

static void a_writer_where_readers_go_first(void) {
    for (int i = 1; i <= 3; i++) waits_on_top(PTHREAD_RWLOCK_PREFER_READER_NP, writes, i);
}

static void a_writer_where_writers_go_first(void) {
    for (int i = 1; i <= 3; i++) waits_on_top(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP, writes, i);
}

/* This thread reads, and the other waits to write. The other's handlers read beside this thread. */
static void reads_beside(int reads_before) {
    begin(PTHREAD_RWLOCK_PREFER_READER_NP);
    for (int i = 0; i < reads_before; i++) {
        OK(pthread_rwlock_rdlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
    }
    OK(pthread_rwlock_rdlock(&lock));
    pthread_t thread = start(writes, NULL);
    until(&thread_id, 1);
    until_it_sleeps();
    for (int i = 1; i <= 20; i++) {
        OK(pthread_kill(thread, SIGUSR1));
        until(&handled, i);
        sleep_ms(1);
    }
    OK(pthread_rwlock_unlock(&lock));
    finish(thread);
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

static void a_writer_that_waits_for_a_share(void) { reads_beside(0); }

static void a_writer_that_waits_for_a_slot(void) { reads_beside(100000); }

static void write_for_a_moment(int signal) {
    (void)signal;
    struct timespec soon = in_ms(CLOCK_REALTIME, 1);
    CHECK(pthread_rwlock_timedwrlock(&lock, &soon) == ETIMEDOUT);
    count(&handled);
}

/* The lock names the wait on top as it names the wait below: by the thread, and as a writer's. The
   handler comes before the wait below has the lock reserved. */
static void a_wait_on_top_ends_in_time(void) {
    for (int i = 0; i < 50; i++) {
        begin(PTHREAD_RWLOCK_DEFAULT_NP);
        struct sigaction action = {.sa_handler = write_for_a_moment};
        CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
        OK(pthread_rwlock_rdlock(&lock));
        pthread_t thread = start(writes, NULL);
        until(&thread_id, 1);
        OK(pthread_kill(thread, SIGUSR1));
        until(&handled, 1);
        OK(pthread_rwlock_unlock(&lock));
        finish(thread);
    }
}

#ifdef __x86_64__
/* The processor traps after each instruction of a call. At one of the traps the handler reads. */
static int stops_left;
enum { STEPPING = 1 << 8 };

static void read_at_a_stop(int signal, siginfo_t *info, void *context) {
    (void)info;
    if (--stops_left > 0) return;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~STEPPING;
    read_in_handler(signal);
}

static void *reads_step_by_step(void *unused) {
    __asm__ volatile("pushfq; orl %0, (%%rsp); popfq" ::"i"(STEPPING) : "cc", "memory");
    int answer = pthread_rwlock_rdlock(&lock);
    __asm__ volatile("pushfq; andl %0, (%%rsp); popfq" ::"i"(~STEPPING) : "cc", "memory");
    OK(answer);
    OK(pthread_rwlock_unlock(&lock));
    return unused;
}

/* A thread's first call keeps signals away for a while, and the trap with them. So it is made before. */
static void make_first_call(void) {
    static pthread_rwlock_t another = PTHREAD_RWLOCK_INITIALIZER;
    OK(pthread_rwlock_wrlock(&another));
    OK(pthread_rwlock_unlock(&another));
}

static void *begins_to_read(void *unused) {
    make_first_call();
    __atomic_store_n(&thread_id, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
    return reads_step_by_step(unused);
}

/* This thread reads, and a writer waits for it. */
static void a_reader_at_any_instruction(void) {
    struct sigaction action = {.sa_sigaction = read_at_a_stop, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
    for (int stop = 1; stop <= 300; stop++) {
        begin(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
        stops_left = stop;
        OK(pthread_rwlock_rdlock(&lock));
        pthread_t writer = start(writes, NULL);
        until(&thread_id, 1);
        until_it_sleeps();
        thread_id = 0;
        pthread_t reader = start(begins_to_read, NULL);
        until(&thread_id, 1);
        until_it_sleeps();
        OK(pthread_rwlock_unlock(&lock));
        finish(reader);
        finish(writer);
        OK(pthread_rwlock_trywrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
    }
}

static void *reads_and_unlocks_step_by_step(void *before) {
    make_first_call();
    for (int i = 0; i < *(int *)before; i++) {
        OK(pthread_rwlock_rdlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
    }
    __asm__ volatile("pushfq; orl %0, (%%rsp); popfq" ::"i"(STEPPING) : "cc", "memory");
    int read = pthread_rwlock_rdlock(&lock), unlocked = pthread_rwlock_unlock(&lock);
    __asm__ volatile("pushfq; andl %0, (%%rsp); popfq" ::"i"(~STEPPING) : "cc", "memory");
    OK(read);
    OK(unlocked);
    return NULL;
}

/* Stops at each instruction of a read and its unlock in turn. No thread keeps the reader out, and it has
   read the lock so often before. */
static void stop_at_each_instruction(int before) {
    for (int stop = 1;; stop++) {
        begin(PTHREAD_RWLOCK_DEFAULT_NP);
        stops_left = stop;
        finish(start(reads_and_unlocks_step_by_step, &before));
        OK(pthread_rwlock_trywrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        if (stops_left > 0) {
            CHECK(stop > 20);
            return;
        }
    }
}

static void a_pair_at_any_instruction(void) {
    struct sigaction action = {.sa_sigaction = read_at_a_stop, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
    stop_at_each_instruction(0);
    stop_at_each_instruction(1);
    stop_at_each_instruction(1000);
}
#else
static void a_reader_at_any_instruction(void) {}
static void a_pair_at_any_instruction(void) {}
#endif

CHOOSE(
    BEHAVIOUR(a_reader_at_any_instruction)
    BEHAVIOUR(a_pair_at_any_instruction)
    BEHAVIOUR(a_reader_where_readers_go_first)
    BEHAVIOUR(a_reader_where_writers_go_first)
    BEHAVIOUR(a_writer_that_waits_for_a_share)
    BEHAVIOUR(a_wait_on_top_ends_in_time)
    BEHAVIOUR(a_writer_that_waits_for_a_slot)
    BEHAVIOUR(a_writer_where_readers_go_first)
    BEHAVIOUR(a_writer_where_writers_go_first))
