/* What a signal or a fork interrupts in the tracer. A program that hangs is ended by its watch. */
#include "../../../preload/tests/programs/check.h"
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

static pthread_rwlock_t many_locks[64];

static void read_many(int signal) {
    (void)signal;
    for (int i = 0; i < 64; i++) {
        OK(pthread_rwlock_rdlock(&many_locks[i]));
        OK(pthread_rwlock_unlock(&many_locks[i]));
    }
}

static void *asks_for_reports(void *unused) {
    (void)unused;
    for (;;) {
        OK(kill(getpid(), SIGUSR1));
        usleep(500);
    }
}

/* Many locks make a report long. */
static void forks_beside_reports(void) {
    read_many(0);
    start(asks_for_reports, NULL);
    for (int i = 0; i < 200; i++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

static void ends(int signal) {
    (void)signal;
    exit(0);
}

/* In a handler, whatever it has interrupted. */
static void ends_in_a_handler(void) {
    for (int i = 0; i < 100; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            CHECK(signal(SIGALRM, ends) != SIG_ERR);
            struct itimerval soon = {{0, 0}, {0, 1000 + i * 10}};
            CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
            for (;;) {
                pthread_rwlock_t lock;
                OK(pthread_rwlock_init(&lock, NULL));
                OK(pthread_rwlock_rdlock(&lock));
                OK(pthread_rwlock_unlock(&lock));
                OK(pthread_rwlock_destroy(&lock));
            }
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
}

/* First uses of locks, in a handler on the smallest stack that Linux advises. */
static void a_small_stack(void) {
    static char memory[8192];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    CHECK(sigaltstack(&stack, NULL) == 0);
    memset(memory, 0x5a, sizeof memory);
    struct sigaction action = {.sa_handler = read_many, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    OK(raise(SIGUSR1));
    CHECK(memory[0] == 0x5a);
}

CHOOSE(BEHAVIOUR(forks_beside_reports) BEHAVIOUR(ends_in_a_handler) BEHAVIOUR(a_small_stack))
