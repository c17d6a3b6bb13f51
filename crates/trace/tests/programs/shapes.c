/* Uses of locks that the tracer's tables must tell apart. */
#include "report.h"
#include <dlfcn.h>
#include <stdint.h>
#include <sys/syscall.h>

static void read_times(pthread_rwlock_t *lock, int times) {
    for (int i = 0; i < times; i++) {
        OK(pthread_rwlock_rdlock(lock));
        OK(pthread_rwlock_unlock(lock));
    }
}

static pthread_rwlock_t many[4096];
static long masks;

/* The tracer blocks signals in its slow path. */
int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
    masks++;
    return syscall(SYS_rt_sigprocmask, how, set, before, 8) == 0 ? 0 : errno;
}

/* The first place of a lock in a thread's table, as `thread.rs` has it. */
static uint64_t place_of(pthread_rwlock_t *lock) {
    return ((uint64_t)lock >> 3) * 0x9e3779b97f4a7c15 >> 55;
}

/* Two locks have one first place. */
static void one_place(void) {
    pthread_rwlock_t *second = &many[1];
    while (place_of(second) != place_of(&many[0])) second++;
    CHECK(second < &many[4096]);
    read_times(&many[0], 1000);
    read_times(second, 1000);
    long before = masks;
    read_times(second, 1000);
    CHECK(masks - before < 200);
}

/* This thread reads locks, the other unlocks them, and this thread later reads each once more. */
static void *unlocks(void *unused) {
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 200; k++) OK(pthread_rwlock_unlock(&many[i]));
    return unused;
}

static void another_unlocks(void) {
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 200; k++) OK(pthread_rwlock_rdlock(&many[i]));
    finish(start(unlocks, NULL));
    sleep_ms(1000);
    for (int i = 0; i < 20; i++) read_times(&many[i], 1);
}

/* More locks than have their place for certain. */
static void brief(void) {
    for (int i = 0; i < 3000; i++) {
        OK(pthread_rwlock_init(&many[0], NULL));
        read_times(&many[0], 1);
        OK(pthread_rwlock_destroy(&many[0]));
    }
}

/* Opens a library after the first report. */
static void opens_late(void) {
    read_times(&many[0], 1);
    await_report(getenv("REPORT"));
    void *library = dlopen(getenv("LATE"), RTLD_NOW);
    CHECK(library != NULL);
    void (*late_read)(void) = (void (*)(void))dlsym(library, "late_read");
    CHECK(late_read != NULL);
    late_read();
}

CHOOSE(BEHAVIOUR(one_place) BEHAVIOUR(another_unlocks) BEHAVIOUR(brief) BEHAVIOUR(opens_late))
