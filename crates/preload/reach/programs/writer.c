/* One writer among steady readers, which are the threads of the load: how often a second each kind gets in. */
#include "load.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* How long a read holds the lock, and how long the writer is away between two writes. */
enum { HOLD_NS = 20000 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
/* Writes that no reader has reported yet. Relaxed: a statistic. */
static atomic_ulong writes;

static long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000l + now.tv_nsec;
}

static void be_busy(void) {
    long until = now_ns() + HOLD_NS;
    while (now_ns() < until) {}
}

static void *write_for_ever(void *unused) {
    (void)unused;
    for (;;) {
        be_busy();
        pthread_rwlock_wrlock(&lock);
        atomic_fetch_add_explicit(&writes, 1, memory_order_relaxed);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void start_writer(void) {
    pthread_t writer;
    must(pthread_create(&writer, NULL, write_for_ever, NULL) == 0, "pthread_create");
    pthread_detach(writer);
}

static unsigned long count_reads(void) {
    pthread_rwlock_rdlock(&lock);
    be_busy();
    pthread_rwlock_unlock(&lock);
    return 1;
}

static unsigned long count_writes(void) {
    count_reads();
    return atomic_exchange_explicit(&writes, 0, memory_order_relaxed);
}

int main(int argc, char **argv) {
    static const struct load loads[] = {
        {"writes", start_writer, count_writes},
        {"reads", start_writer, count_reads},
        {NULL, NULL, NULL},
    };
    return load_main(argc, argv, loads);
}
