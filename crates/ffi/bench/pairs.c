// Measures what a pair of uncontended calls costs, in ticks of the time-stamp counter (nanoseconds
// on other machines than x86-64). Prints the median of many rounds, a line for each kind of pair.
// The kinds take turns.

#include "../../preload/bench/ticks.h"
#include "inline.h"
#include <pthread.h>
#include <siftlock.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAIRS = 1000, WARM = 40, ROUNDS = 401 };

int empty_lock(void *lock);
int empty_unlock(void *lock);

static pthread_rwlock_t posix = PTHREAD_RWLOCK_INITIALIZER;
// Each on cache lines of its own.
static _Alignas(128) siftlock_rwsem semaphore = SIFTLOCK_RWSEM_INIT;
static _Alignas(128) siftlock_rwsem written = SIFTLOCK_RWSEM_INIT;
static _Alignas(128) siftlock_psrw sifting = SIFTLOCK_PSRW_INIT;
static _Alignas(128) sketch read_inline = { 0, SKETCH_BIAS };
static _Alignas(128) sketch written_inline = { 0, 7 };

#define PAIR(name, lock, unlock, on)                                                               \
    static void name(void) {                                                                       \
        for (int i = 0; i < PAIRS; i++) {                                                          \
            if (lock(&(on)) != 0) abort();                                                         \
            __asm__ volatile("" ::: "memory");                                                     \
            if (unlock(&(on)) != 0) abort();                                                       \
        }                                                                                          \
    }

PAIR(empty, empty_lock, empty_unlock, posix)
PAIR(posix_read, pthread_rwlock_rdlock, pthread_rwlock_unlock, posix)
PAIR(posix_write, pthread_rwlock_wrlock, pthread_rwlock_unlock, posix)
PAIR(rwsem_read, siftlock_rwsem_read, siftlock_rwsem_read_unlock, semaphore)
PAIR(rwsem_write, siftlock_rwsem_write, siftlock_rwsem_write_unlock, written)
PAIR(inline_read, sketch_read, sketch_read_unlock, read_inline)
PAIR(inline_write, sketch_write, sketch_write_unlock, written_inline)
PAIR(psrw_read, siftlock_psrw_read, siftlock_psrw_read_unlock, sifting)
PAIR(psrw_write, siftlock_psrw_write, siftlock_psrw_write_unlock, sifting)

static const struct {
    const char *name;
    void (*pairs)(void);
} KINDS[] = {
    { "empty", empty },
    { "pthread-read", posix_read },
    { "pthread-write", posix_write },
    { "rwsem-read", rwsem_read },
    { "rwsem-write", rwsem_write },
    { "inline-read", inline_read },
    { "inline-write", inline_write },
    { "psrw-read", psrw_read },
    { "psrw-write", psrw_write },
};

enum { MANY = sizeof KINDS / sizeof *KINDS };

int main(void) {
    static double all[MANY][ROUNDS];
    for (int round = -WARM; round < ROUNDS; round++) {
        for (int kind = 0; kind < MANY; kind++) {
            const unsigned long begun = ticks();
            KINDS[kind].pairs();
            if (round >= 0) all[kind][round] = (double)(ticks() - begun) / PAIRS;
        }
    }
    for (int kind = 0; kind < MANY; kind++) {
        printf("%s %.1f\n", KINDS[kind].name, median_of(all[kind], ROUNDS));
    }
    return 0;
}
