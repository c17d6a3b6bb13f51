/* For all programs: checks, threads, times, and the choice of a behaviour. */
#pragma once
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);       \
            _exit(1);                                                                     \
        }                                                                                 \
    } while (0)

/* Ends the program unless the call gives this answer. */
#define ANSWERS(answer, call)                                                             \
    do {                                                                                  \
        int answered = (call);                                                            \
        if (answered != (answer)) {                                                       \
            fprintf(stderr, "%s:%d: %s answers %s\n", __FILE__, __LINE__, #call,          \
                    strerror(answered));                                                  \
            _exit(1);                                                                     \
        }                                                                                 \
    } while (0)

#define OK(call) ANSWERS(0, call)

static inline pthread_t start(void *(*run)(void *), void *with) {
    pthread_t thread;
    OK(pthread_create(&thread, NULL, run, with));
    return thread;
}

static inline void finish(pthread_t thread) { OK(pthread_join(thread, NULL)); }

static inline void sleep_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0) {
    }
}

static inline struct timespec in_ms(clockid_t clock, long ms) {
    struct timespec at;
    clock_gettime(clock, &at);
    at.tv_sec += ms / 1000;
    at.tv_nsec += ms % 1000 * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

static inline long now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads so often that the lock is then read by slots. */
static inline void read_often(pthread_rwlock_t *lock) {
    for (int i = 0; i < 100000; i++) {
        OK(pthread_rwlock_rdlock(lock));
        OK(pthread_rwlock_unlock(lock));
    }
}

/* For a thread that is to wait for a lock. */
static inline void *write_once(void *awaited) {
    pthread_rwlock_t *lock = (pthread_rwlock_t *)awaited;
    OK(pthread_rwlock_wrlock(lock));
    OK(pthread_rwlock_unlock(lock));
    return NULL;
}

#define BEHAVIOUR(name) \
    if (argc == 2 && strcmp(argv[1], #name) == 0) return name(), 0;

/* Runs the behaviour that the argument names. A signal ends a program that hangs. */
#define CHOOSE(...)                       \
    int main(int argc, char **argv) {     \
        alarm(60);                        \
        __VA_ARGS__                       \
        fprintf(stderr, "which one?\n");  \
        return 2;                         \
    }
