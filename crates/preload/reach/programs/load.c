#define _GNU_SOURCE
#include "load.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MOST_THREADS = 256 };

/* One thread's count, alone on its cache lines. */
struct thread {
    _Alignas(128) atomic_ulong done;
    pthread_t id;
};

struct sample {
    double wall, user, system;
    unsigned long done;
};

static struct thread threads[MOST_THREADS];
static const struct load *chosen;
/* Relaxed throughout: the counts are for statistics, and `pthread_join` orders the end. */
static atomic_int stop;

void must(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "failed: %s\n", what);
        exit(1);
    }
}

static void *repeat(void *thread) {
    atomic_ulong *done = &((struct thread *)thread)->done;
    unsigned long count = 0;
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        count += chosen->work();
        atomic_store_explicit(done, count, memory_order_relaxed);
    }
    return NULL;
}

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec * 1e-6; }

static struct sample sample(int count) {
    struct timespec now;
    struct rusage used;
    clock_gettime(CLOCK_MONOTONIC, &now);
    getrusage(RUSAGE_SELF, &used);
    struct sample sample = {now.tv_sec + now.tv_nsec * 1e-9, seconds(used.ru_utime), seconds(used.ru_stime), 0};
    for (int i = 0; i < count; i++) sample.done += atomic_load_explicit(&threads[i].done, memory_order_relaxed);
    return sample;
}

static void sleep_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

int load_main(int argc, char **argv, const struct load *loads) {
    must(argc == 4, "arguments: LOAD THREADS SECONDS");
    for (chosen = loads; chosen->name && strcmp(chosen->name, argv[1]); chosen++) {}
    must(chosen->name != NULL, "the first argument names a load of this program");
    int count = atoi(argv[2]);
    double length = atof(argv[3]);
    must(count >= 1 && count <= MOST_THREADS, "1 to 256 threads");
    must(length > 0, "more than 0 seconds");

    if (chosen->prepare) chosen->prepare();
    for (int i = 0; i < count; i++) {
        must(pthread_create(&threads[i].id, NULL, repeat, &threads[i]) == 0, "pthread_create");
    }
    /* The first tenth warms up. */
    sleep_for(length / 10);
    struct sample begun = sample(count);
    sleep_for(length);
    struct sample ended = sample(count);
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
    for (int i = 0; i < count; i++) pthread_join(threads[i].id, NULL);
    double wall = ended.wall - begun.wall;
    printf("%.2f %.3f %.3f\n", (ended.done - begun.done) / wall, (ended.user - begun.user) / wall,
           (ended.system - begun.system) / wall);
    return 0;
}
