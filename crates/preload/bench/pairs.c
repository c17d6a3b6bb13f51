/* The cost of a pair of uncontended calls, in ticks of the time-stamp counter (on other machines
   than x86-64 in nanoseconds). Prints the median of many rounds for each kind of pair. LD_PRELOAD
   chooses the library. */
#include "ticks.h"

#include <pthread.h>
#include <stdio.h>

enum { LOCKS = 4, PAIRS = 2000, ROUNDS = 501 };

static pthread_rwlock_t locks[LOCKS] __attribute__((aligned(64)));

static void read_pairs(pthread_rwlock_t *lock) {
    for (int i = 0; i < PAIRS; i++) {
        pthread_rwlock_rdlock(lock);
        pthread_rwlock_unlock(lock);
    }
}

static void write_pairs(pthread_rwlock_t *lock) {
    for (int i = 0; i < PAIRS; i++) {
        pthread_rwlock_wrlock(lock);
        pthread_rwlock_unlock(lock);
    }
}

/* One write in eight. */
static void mixed_pairs(pthread_rwlock_t *lock) {
    for (int i = 0; i < PAIRS / 8; i++) {
        pthread_rwlock_wrlock(lock);
        pthread_rwlock_unlock(lock);
        for (int reads = 0; reads < 7; reads++) {
            pthread_rwlock_rdlock(lock);
            pthread_rwlock_unlock(lock);
        }
    }
}

static double median(void (*pairs)(pthread_rwlock_t *), pthread_rwlock_t *lock) {
    static double all[ROUNDS];
    for (int i = 0; i < 20; i++) pairs(lock);
    for (int i = 0; i < ROUNDS; i++) {
        unsigned long begun = ticks();
        pairs(lock);
        all[i] = (double)(ticks() - begun) / PAIRS;
    }
    return median_of(all, ROUNDS);
}

/* A lock's life: it begins, is read a hundred times, and ends. */
static double life(void) {
    static double all[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        unsigned long begun = ticks();
        for (int lives = 0; lives < 20; lives++) {
            pthread_rwlock_init(&locks[0], NULL);
            for (int reads = 0; reads < 100; reads++) {
                pthread_rwlock_rdlock(&locks[0]);
                pthread_rwlock_unlock(&locks[0]);
            }
            pthread_rwlock_destroy(&locks[0]);
        }
        all[i] = (double)(ticks() - begun) / 2000;
    }
    return median_of(all, ROUNDS);
}

int main(void) {
    for (int i = 0; i < LOCKS; i++) pthread_rwlock_init(&locks[i], NULL);
    double read = median(read_pairs, &locks[0]), write = median(write_pairs, &locks[1]);
    double mixed = median(mixed_pairs, &locks[1]);
    for (int i = 0; i < LOCKS; i++) read_pairs(&locks[i]);
    pthread_rwlock_rdlock(&locks[0]);
    double second = median(read_pairs, &locks[1]);
    for (int i = 1; i < LOCKS - 1; i++) pthread_rwlock_rdlock(&locks[i]);
    double fourth = median(read_pairs, &locks[LOCKS - 1]);
    for (int i = 0; i < LOCKS - 1; i++) pthread_rwlock_unlock(&locks[i]);
    printf("%.1f %.1f %.1f %.1f %.1f %.1f\n", read, write, mixed, second, fourth, life());
    return 0;
}
