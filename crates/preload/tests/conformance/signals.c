// Signals during a wait: handlers, stops, and a deadline that stays where it was.

#include "handled.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

EACH(WAITS, "resumes the wait after a handler, and never answers EINTR") {
    struct actor asker;
    handle(counts);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks(&asker, way, &lock);
    waits(&asker);
    interrupt(&asker, 20);
    waits(&asker);
    UNLOCKS(&lock);
    holds(&asker);
    leaves(&asker);
}

EACH(TIMED, "handlers during the wait do not move the deadline") {
    handle(counts);
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    // On a loaded machine the deadline may come before the first handler. Then it is set further.
    for (int wait = 30; atomic_load(&handled) == 0; wait *= 2) {
        struct actor asker;
        asks_until(&asker, way, &lock, from_now(way->clock, (int64_t)wait * MILLISECOND));
        until(&asker.step, CALLS);
        while (atomic_load(&asker.step) == CALLS) {
            pthread_kill(asker.thread, SIGUSR1);
            pause_for(5 * MILLISECOND);
        }
        join(asker.thread);
        CHECK(asker.answer == ETIMEDOUT);
    }
}

static void stops_while_one_waits(const struct way *way) {
    struct actor asker;
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    asks(&asker, way, &lock);
    waits(&asker);
    CHECK(raise(SIGSTOP) == 0);
    waits(&asker);
    UNLOCKS(&lock);
    holds(&asker);
    leaves(&asker);
}

EACH(WAITS, "waits on when the process is stopped and continued") {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(watchdog());
        stops_while_one_waits(way);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
    CHECK(kill(child, SIGCONT) == 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

RUN_ALL
