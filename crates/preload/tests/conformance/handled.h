// Signals for the test programs: SIGUSR1 has a handler, and its runs are counted.

#ifndef HANDLED_H
#define HANDLED_H

#include "actors.h"

static atomic_int handled;

static inline void handle(void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    // Without SA_RESTART, so that system calls are seen to be interrupted.
    action.sa_handler = handler;
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
}

static inline void counts(int number) {
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static inline void interrupt(struct actor *actor, int often) {
    for (int i = 0; i < often; i++) {
        const int before = atomic_load(&handled);
        CHECK(pthread_kill(actor->thread, SIGUSR1) == 0);
        until(&handled, before + 1);
    }
}

#endif
