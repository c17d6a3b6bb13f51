/* Many more threads than processors. Each thread yields while it has one of the locks, as GLib's own
   test of its lock does (rwlock7). Needs many threads: `run --only crowd --threads '4 16 100'`. */
#include "load.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { LOCKS = 48, YIELDS = 3 };

static pthread_rwlock_t locks[LOCKS];
static __thread unsigned seed;

static void prepare(void) {
    for (int i = 0; i < LOCKS; i++) must(pthread_rwlock_init(&locks[i], NULL) == 0, "pthread_rwlock_init");
}

static unsigned long write_and_yield(void) {
    pthread_rwlock_t *lock = &locks[rand_r(&seed) % LOCKS];
    /* Each thread takes the locks in an order of its own. */
    seed ^= (unsigned)(size_t)&seed;
    pthread_rwlock_wrlock(lock);
    for (int i = 0; i < YIELDS; i++) sched_yield();
    pthread_rwlock_unlock(lock);
    return 1;
}

int main(int argc, char **argv) {
    static const struct load loads[] = {{"yields", prepare, write_and_yield}, {NULL, NULL, NULL}};
    return load_main(argc, argv, loads);
}
