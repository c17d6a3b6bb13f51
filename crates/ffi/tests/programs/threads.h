// Threads and time for the test programs in C.

#ifndef THREADS_H
#define THREADS_H

#include "check.h"
#include <stdint.h>
#include <time.h>

#define MILLISECOND 1000000

static inline pthread_t start(void *(*body)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, body, argument) == 0);
    return thread;
}

static inline void join(pthread_t thread) { CHECK(pthread_join(thread, NULL) == 0); }

static inline int64_t nanoseconds(int clock) {
    struct timespec now;
    CHECK(clock_gettime(clock, &now) == 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline struct timespec from_now(int clock, int64_t wait) {
    int64_t at = nanoseconds(clock) + wait;
    struct timespec time = { at / 1000000000, at % 1000000000 };
    return time;
}

static inline void pause_for(int64_t wait) {
    struct timespec time = { wait / 1000000000, wait % 1000000000 };
    nanosleep(&time, NULL);
}

#endif
