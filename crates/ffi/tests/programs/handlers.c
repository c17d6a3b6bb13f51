// Threads read and write two numbers. A handler interrupts them between any two instructions, and
// never sees the numbers differ.

#include "threads.h"
#include <sched.h>
#include <siftlock.h>
#include <signal.h>

enum { WRITERS = 2, READERS = 1, WRITES = 20000, SIGNALS_AT_LEAST = 200 };

static siftlock_psrw lock = SIFTLOCK_PSRW_INIT;
static volatile int first, second;
static int running = WRITERS;
static int handled_often;

static int handled(void) { return __atomic_load_n(&handled_often, __ATOMIC_RELAXED); }

// A CHECK that is async-signal-safe: CHECK itself prints by fprintf.
static void must(int so, const char *what) {
    if (so) return;
    ssize_t written = write(2, what, strlen(what));
    (void)written;
    _exit(1);
}

static void look(int signal, const void *info, void *context) {
    (void)context;
    must(signal == SIGUSR1 && ((const siginfo_t *)info)->si_signo == SIGUSR1, "the arguments\n");
    siftlock_raised raised;
    must(siftlock_psrw_handler_read(&lock, &raised) == 0, "a handler reads\n");
    must(first == second, "a handler sees a write that is half done\n");
    must(siftlock_psrw_handler_read_unlock(&lock, &raised) == 0, "a handler unlocks\n");
    __atomic_fetch_add(&handled_often, 1, __ATOMIC_RELAXED);
}

static void *write_often(void *unused) {
    for (int i = 0; i < WRITES || handled() < SIGNALS_AT_LEAST; i++) {
        ANSWERS(0, siftlock_psrw_write(&lock));
        int before = first;
        first = before + 1;
        for (volatile int pause = 0; pause < 50; pause++) continue;
        second = before + 1;
        ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    }
    __atomic_fetch_sub(&running, 1, __ATOMIC_RELAXED);
    return unused;
}

static void *read_often(void *unused) {
    while (__atomic_load_n(&running, __ATOMIC_RELAXED) != 0) {
        ANSWERS(0, siftlock_psrw_read(&lock));
        CHECK(first == second);
        ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    }
    return unused;
}

int main(void) {
    end_after_a_minute();
    ANSWERS(EINVAL, siftlock_register(SIGUSR1, NULL));
    ANSWERS(EINVAL, siftlock_register(SIGKILL, look));
    ANSWERS(EINVAL, siftlock_register(-1, look));
    ANSWERS(0, siftlock_register(SIGUSR1, look));
    ANSWERS(EBUSY, siftlock_register(SIGUSR1, look));

    // A write puts the handler off until its unlock.
    ANSWERS(0, siftlock_psrw_write(&lock));
    CHECK(raise(SIGUSR1) == 0);
    CHECK(handled() == 0);
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    CHECK(handled() == 1);
    // A thread's read puts no handler off.
    ANSWERS(0, siftlock_psrw_read(&lock));
    CHECK(raise(SIGUSR1) == 0);
    CHECK(handled() == 2);
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    // A handler's read, made by a thread, puts the handler off.
    siftlock_raised raised;
    ANSWERS(0, siftlock_psrw_handler_read(&lock, &raised));
    CHECK(raise(SIGUSR1) == 0);
    CHECK(handled() == 2);
    ANSWERS(0, siftlock_psrw_handler_read_unlock(&lock, &raised));
    CHECK(handled() == 3);

    pthread_t threads[WRITERS + READERS];
    for (int i = 0; i < WRITERS; i++) threads[i] = start(write_often, NULL);
    for (int i = 0; i < READERS; i++) threads[WRITERS + i] = start(read_often, NULL);
    for (int i = 0; __atomic_load_n(&running, __ATOMIC_RELAXED) != 0; i++) {
        CHECK(pthread_kill(threads[i % (WRITERS + READERS)], SIGUSR1) == 0);
        pause_for(MILLISECOND / 20);
    }
    for (int i = 0; i < WRITERS + READERS; i++) join(threads[i]);
    CHECK(first >= WRITERS * WRITES && first == second);
    CHECK(handled() >= SIGNALS_AT_LEAST);
    ANSWERS(0, siftlock_psrw_destroy(&lock));
    return 0;
}
