// Handlers that use the lock which they interrupted. By POSIX no handler may lock. glibc bears it
// where the handler interrupts no write, and programs rely on that.

#include "handled.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER, another = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int refused;

static void tries(int number) {
    refused = pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_trywrlock(&lock) == EBUSY;
    counts(number);
}

EACH(WRITES, "a handler's tries are refused while the thread writes") {
    handle(tries);
    ANSWERS(0, take(way, &lock));
    CHECK(raise(SIGUSR1) == 0);
    CHECK(refused);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static void reads_the_lock(int number) {
    const int before = errno;
    if (pthread_rwlock_rdlock(&lock) != 0) FAIL("a handler cannot read");
    if (pthread_rwlock_unlock(&lock) != 0) FAIL("a handler cannot unlock");
    if (errno != before) FAIL("a handler's read changes errno");
    counts(number);
}

EACH(READS, "a handler may read the lock that the thread reads") {
    handle(reads_the_lock);
    ANSWERS(0, take(way, &lock));
    for (int i = 0; i < 10; i++) CHECK(raise(SIGUSR1) == 0);
    CHECK(atomic_load(&handled) == 10);
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

EACH(WRITES | WAITS, "a handler may read the lock for which the thread waits to write") {
    struct actor writer;
    handle(reads_the_lock);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&writer, way, &lock);
    waits(&writer);
    // This thread reads all the while, so the handler's read enters beside it.
    interrupt(&writer, 5);
    waits(&writer);
    UNLOCKS(&lock);
    holds(&writer);
    leaves(&writer);
}

EACH(READS | WAITS, "a handler may wait for the lock for which the thread waits to read") {
    for (int i = 0; i < 20; i++) {
        struct actor reader;
        handle(reads_the_lock);
        const int before = atomic_load(&handled);
        ANSWERS(0, pthread_rwlock_wrlock(&lock));
        asks(&reader, way, &lock);
        waits(&reader);
        CHECK(pthread_kill(reader.thread, SIGUSR1) == 0);
        until_asleep(getpid(), reader.id);
        UNLOCKS(&lock);
        holds(&reader);
        until(&handled, before + 1);
        leaves(&reader);
    }
}

static void reads_another(int number) {
    if (pthread_rwlock_rdlock(&another) != 0) FAIL("a handler cannot read");
    if (pthread_rwlock_unlock(&another) != 0) FAIL("a handler cannot unlock");
    counts(number);
}

EACH(WAITS, "a handler may wait for another lock; both waits end, the inner one first") {
    struct actor asker;
    handle(reads_another);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    ANSWERS(0, pthread_rwlock_wrlock(&another));
    asks(&asker, way, &lock);
    waits(&asker);
    CHECK(pthread_kill(asker.thread, SIGUSR1) == 0);
    until_asleep(getpid(), asker.id);
    UNLOCKS(&another);
    until(&handled, 1);
    waits(&asker);
    UNLOCKS(&lock);
    holds(&asker);
    leaves(&asker);
}

EACH(WAITS, "a handler may wait for another lock while the outer wait is ended") {
    struct actor asker;
    handle(reads_another);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    ANSWERS(0, pthread_rwlock_wrlock(&another));
    asks(&asker, way, &lock);
    waits(&asker);
    CHECK(pthread_kill(asker.thread, SIGUSR1) == 0);
    until_asleep(getpid(), asker.id);
    // The wake-up comes while the thread is in the handler's wait.
    UNLOCKS(&lock);
    until_asleep(getpid(), asker.id);
    UNLOCKS(&another);
    holds(&asker);
    leaves(&asker);
}

static void handle_elsewhere(void *stack, size_t size) {
    struct sigaction action;
    stack_t elsewhere;
    memset(&elsewhere, 0, sizeof elsewhere);
    elsewhere.ss_sp = stack;
    elsewhere.ss_size = size;
    CHECK(sigaltstack(&elsewhere, NULL) == 0);
    memset(&action, 0, sizeof action);
    action.sa_handler = reads_the_lock;
    action.sa_flags = SA_ONSTACK;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
}

EACH(READS, "a handler on an alternate stack may read the lock that the thread reads") {
    static char stack[64 << 10];
    handle_elsewhere(stack, sizeof stack);
    ANSWERS(0, take(way, &lock));
    for (int i = 0; i < 10; i++) CHECK(raise(SIGUSR1) == 0);
    CHECK(atomic_load(&handled) == 10 && could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

// Handlers of two reading threads read the same lock. A third thread, without signals, writes.
enum { READS_AT_LEAST = 4000, SIGNALS_AT_LEAST = 1500 };
static volatile int first, second;
static atomic_int reading = 2;
static int unlocks_undisturbed;

static void reads_and_compares(int number) {
    if (pthread_rwlock_rdlock(&lock) != 0) FAIL("a handler cannot read");
    if (first != second) FAIL("a handler sees half a write");
    if (pthread_rwlock_unlock(&lock) != 0) FAIL("a handler cannot unlock");
    counts(number);
}

static void signals(int how) {
    sigset_t all;
    sigfillset(&all);
    CHECK(pthread_sigmask(how, &all, NULL) == 0);
}

static void *reads_often(void *way) {
    for (int i = 0; i < READS_AT_LEAST || atomic_load(&handled) < SIGNALS_AT_LEAST; i++) {
        if (take((const struct way *)way, &lock) != 0) continue;
        CHECK(first == second);
        if (unlocks_undisturbed) signals(SIG_BLOCK);
        CHECK(pthread_rwlock_unlock(&lock) == 0);
        if (unlocks_undisturbed) signals(SIG_UNBLOCK);
    }
    atomic_fetch_sub(&reading, 1);
    while (atomic_load(&reading) >= 0) pause_for(MILLISECOND);
    return NULL;
}

static void *writes_often(void *unused) {
    signals(SIG_BLOCK);
    while (atomic_load(&reading) > 0) {
        ANSWERS(0, pthread_rwlock_wrlock(&lock));
        first = first + 1;
        for (volatile int pause = 0; pause < 50; pause++) continue;
        second = first;
        UNLOCKS(&lock);
        sched_yield();
    }
    return unused;
}

static void read_between(const struct way *way) {
    pthread_t readers[2];
    handle(reads_and_compares);
    for (int i = 0; i < 2; i++) readers[i] = start(reads_often, (void *)(uintptr_t)way);
    pthread_t writer = start(writes_often, NULL);
    for (int i = 0; atomic_load(&reading) > 0; i++) {
        CHECK(pthread_kill(readers[i % 2], SIGUSR1) == 0);
        pause_for(MILLISECOND / 20);
    }
    join(writer);
    atomic_store(&reading, -1);
    for (int i = 0; i < 2; i++) join(readers[i]);
    CHECK(first == second && first > 0);
    CHECK(could_write(&lock) == 0);
}

EACH(READS, "handlers may read between any two instructions of taking a read") {
    unlocks_undisturbed = 1;
    read_between(way);
}

// glibc's unlock of the last read hands the lock to a writer in two steps. A handler that reads
// between the two waits for ever.
BEYOND("rdlock, unlock: handlers may read between any two instructions of a read and its unlock") {
    read_between(RDLOCK);
}

RUN_ALL
