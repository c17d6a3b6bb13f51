/* Forks, memory that processes share, libraries that come and go, constructors and destructors. */
#include "check.h"
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void succeeds(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *counts(void *unused) {
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        OK(pthread_rwlock_wrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_rdlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
    }
    return NULL;
}

static void child_uses_the_lock(void) {
    alarm(30);
    pthread_t other = start(counts, NULL);
    counts(NULL);
    finish(other);
    _exit(0);
}

static void a_child_unlocks_what_its_parent_locked(void) {
    for (int how = 0; how < 4; how++) {
        if (how == 3) read_often(&lock);
        if (how == 0) OK(pthread_rwlock_wrlock(&lock));
        for (int i = 0; i < how; i++) OK(pthread_rwlock_rdlock(&lock));
        pid_t child = fork();
        for (int i = 0; i < how || i < 1; i++) OK(pthread_rwlock_unlock(&lock));
        OK(pthread_rwlock_trywrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
        if (child == 0) child_uses_the_lock();
        succeeds(child);
    }
}

static int over;
static pthread_rwlock_t busy = PTHREAD_RWLOCK_INITIALIZER;

static void *keeps_busy(void *unused) {
    (void)unused;
    while (!__atomic_load_n(&over, __ATOMIC_RELAXED)) {
        OK(pthread_rwlock_rdlock(&busy));
        OK(pthread_rwlock_unlock(&busy));
        OK(pthread_rwlock_wrlock(&busy));
        OK(pthread_rwlock_unlock(&busy));
    }
    return NULL;
}

/* In the child, the lock that other threads used may stay held. All other locks work. */
static void a_child_of_many_threads_goes_on(void) {
    pthread_t all[3];
    for (int i = 0; i < 3; i++) all[i] = start(keeps_busy, NULL);
    for (int i = 0; i < 30; i++) {
        pid_t child = fork();
        if (child == 0) child_uses_the_lock();
        succeeds(child);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 3; i++) finish(all[i]);
}

static pthread_rwlock_t awaited = PTHREAD_RWLOCK_INITIALIZER;

/* The writer is not in the child, and does not keep the child out. */
static void a_child_reads_what_a_writer_waited_for(void) {
    for (int i = 0; i < 5; i++) {
        OK(pthread_rwlock_rdlock(&awaited));
        pthread_t writer = start(write_once, &awaited);
        sleep_ms(20);
        pid_t child = fork();
        if (child == 0) {
            alarm(30);
            OK(pthread_rwlock_unlock(&awaited));
            OK(pthread_rwlock_rdlock(&awaited));
            OK(pthread_rwlock_rdlock(&awaited));
            OK(pthread_rwlock_unlock(&awaited));
            OK(pthread_rwlock_unlock(&awaited));
            _exit(0);
        }
        succeeds(child);
        OK(pthread_rwlock_unlock(&awaited));
        finish(writer);
    }
}

struct shared {
    pthread_rwlock_t lock;
    volatile long counted;
};

static struct shared *shared(int attribute) {
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED);
    pthread_rwlockattr_t attributes;
    OK(pthread_rwlockattr_init(&attributes));
    OK(pthread_rwlockattr_setpshared(&attributes, attribute));
    OK(pthread_rwlock_init(&shared->lock, &attributes));
    return shared;
}

static void a_shared_lock_excludes_processes(void) {
    struct shared *place = shared(PTHREAD_PROCESS_SHARED);
    pid_t child = fork();
    if (child == 0) alarm(30);
    for (int i = 0; i < 50000; i++) {
        OK(pthread_rwlock_wrlock(&place->lock));
        place->counted++;
        OK(pthread_rwlock_unlock(&place->lock));
        OK(pthread_rwlock_rdlock(&place->lock));
        OK(pthread_rwlock_unlock(&place->lock));
    }
    if (child == 0) _exit(0);
    succeeds(child);
    CHECK(place->counted == 100000);
}

/* Such a lock wakes no sleeper of another process, nor does glibc's. So one process only tries. */
static void a_private_lock_in_shared_memory_excludes(void) {
    struct shared *place = shared(PTHREAD_PROCESS_PRIVATE);
    read_often(&place->lock);
    int gate[2];
    CHECK(pipe(gate) == 0);
    pid_t child = fork();
    if (child == 0) {
        alarm(30);
        read_often(&place->lock);
        OK(pthread_rwlock_rdlock(&place->lock));
        CHECK(write(gate[1], "r", 1) == 1);
        sleep_ms(300);
        OK(pthread_rwlock_unlock(&place->lock));
        _exit(0);
    }
    char byte;
    CHECK(read(gate[0], &byte, 1) == 1);
    ANSWERS(EBUSY, pthread_rwlock_trywrlock(&place->lock));
    OK(pthread_rwlock_tryrdlock(&place->lock));
    OK(pthread_rwlock_unlock(&place->lock));
    succeeds(child);
    OK(pthread_rwlock_trywrlock(&place->lock));
    OK(pthread_rwlock_unlock(&place->lock));
}

static void *uses_plugin(void *plugin) {
    int (*use)(pthread_rwlock_t *) = (int (*)(pthread_rwlock_t *))dlsym(plugin, "plugin_use");
    CHECK(use && use(&lock) == 0);
    return NULL;
}

static void a_plugin_uses_locks_and_goes(void) {
    for (int i = 0; i < 20; i++) {
        void *plugin = dlopen(getenv("LIBRARY_PLUGIN"), RTLD_NOW);
        CHECK(plugin);
        pthread_t all[3];
        for (int t = 0; t < 3; t++) all[t] = start(uses_plugin, plugin);
        for (int t = 0; t < 3; t++) finish(all[t]);
        CHECK(dlclose(plugin) == 0);
    }
    counts(NULL);
}

/* The library then takes no calls of the program, except by functions that dlsym has found in it. */
static void the_library_comes_by_dlopen(void) {
    pthread_t other = start(counts, NULL);
    void *library = dlopen(getenv("LIBRARY_PRELOAD"), RTLD_NOW | RTLD_LOCAL);
    CHECK(library);
    int (*read_lock)(pthread_rwlock_t *) = (int (*)(pthread_rwlock_t *))dlsym(library, "pthread_rwlock_rdlock");
    int (*unlock)(pthread_rwlock_t *) = (int (*)(pthread_rwlock_t *))dlsym(library, "pthread_rwlock_unlock");
    static pthread_rwlock_t own = PTHREAD_RWLOCK_INITIALIZER;
    for (int i = 0; i < 1000; i++) {
        OK(read_lock(&own));
        OK(unlock(&own));
    }
    CHECK(dlclose(library) == 0);
    finish(other);
    OK(read_lock(&own));
    OK(unlock(&own));
}

static pthread_rwlock_t early = PTHREAD_RWLOCK_INITIALIZER;
static pthread_key_t key;

__attribute__((constructor)) static void before_main(void) {
    OK(pthread_rwlock_wrlock(&early));
    OK(pthread_rwlock_unlock(&early));
    OK(pthread_rwlock_rdlock(&early));
    OK(pthread_rwlock_unlock(&early));
}

__attribute__((destructor)) static void after_main(void) {
    OK(pthread_rwlock_wrlock(&early));
    OK(pthread_rwlock_unlock(&early));
}

static void last_of_thread(void *again) {
    OK(pthread_rwlock_rdlock(&early));
    OK(pthread_rwlock_unlock(&early));
    if (again) OK(pthread_setspecific(key, (char *)again - 1));
}

static void *ends(void *unused) {
    (void)unused;
    OK(pthread_setspecific(key, (void *)3));
    OK(pthread_rwlock_rdlock(&early));
    OK(pthread_rwlock_unlock(&early));
    return NULL;
}

static void locks_work_before_main_and_after_it(void) {
    OK(pthread_key_create(&key, last_of_thread));
    for (int i = 0; i < 300; i++) finish(start(ends, NULL));
    OK(atexit(after_main));
}

CHOOSE(
    BEHAVIOUR(a_child_unlocks_what_its_parent_locked)
    BEHAVIOUR(a_child_of_many_threads_goes_on)
    BEHAVIOUR(a_child_reads_what_a_writer_waited_for)
    BEHAVIOUR(a_shared_lock_excludes_processes)
    BEHAVIOUR(a_private_lock_in_shared_memory_excludes)
    BEHAVIOUR(a_plugin_uses_locks_and_goes)
    BEHAVIOUR(the_library_comes_by_dlopen)
    BEHAVIOUR(locks_work_before_main_and_after_it))
