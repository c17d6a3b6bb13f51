// Locks where the system refuses: no more memory, no more files, and no membarrier.

#include "actors.h"
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;
static atomic_int go, stop;

static void *reads_and_compares(void *unused) {
    until(&go, 1);
    while (!atomic_load(&stop)) {
        ANSWERS(0, pthread_rwlock_rdlock(&lock));
        CHECK(first == second);
        UNLOCKS(&lock);
    }
    return unused;
}

static void writes_often(const struct way *way) {
    for (int i = 0; i < 100; i++) {
        ANSWERS(0, take(way, &lock));
        first++;
        sched_yield();
        second++;
        UNLOCKS(&lock);
        pause_for(MILLISECOND / 20);
    }
}

// Two threads read all the while. The prohibition comes before their first read, or after many.
static void excludes(const struct way *way, void (*prohibit)(void), int reads_come_first) {
    pthread_t readers[2];
    with_kind(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    for (int i = 0; i < 2; i++) readers[i] = start(reads_and_compares, NULL);
    if (reads_come_first) {
        atomic_store(&go, 1);
        writes_often(WRLOCK);
    }
    prohibit();
    atomic_store(&go, 1);
    writes_often(way);
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++) join(readers[i]);
    CHECK(first == second);
}

static void no_membarrier(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    // For all threads, not for this one alone.
    CHECK(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0);
    CHECK(syscall(SYS_membarrier, 0, 0, 0) == -1 && errno == EPERM);
}

EACH(WRITES | WAITS, "excludes readers where membarrier is refused from the start") {
    excludes(way, no_membarrier, 0);
}

EACH(WRITES | WAITS, "excludes readers where membarrier is refused later") {
    excludes(way, no_membarrier, 1);
}

static void at_most(int resource, rlim_t most) {
    struct rlimit limit = { most, most };
    CHECK(setrlimit((__rlimit_resource_t)resource, &limit) == 0);
}

static void no_memory(void) {
    at_most(RLIMIT_AS, 1);
    CHECK(mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
}

static void no_files(void) {
    at_most(RLIMIT_NOFILE, 0);
    CHECK(open("/proc/self/stat", 0) == -1 && errno == EMFILE);
}

EACH(WRITES | WAITS, "excludes readers where no more memory is to be had") {
    excludes(way, no_memory, 0);
}

EACH(WRITES | WAITS, "excludes readers where no file can be opened") {
    excludes(way, no_files, 0);
}

enum { MANY = 200 };

static void *calls_first(void *way) {
    until(&go, 1);
    ANSWERS(0, take((const struct way *)way, &lock));
    pause_for(MILLISECOND);
    UNLOCKS(&lock);
    return NULL;
}

EACH(WAITS, "two hundred threads call first where no more memory is to be had") {
    pthread_t threads[MANY];
    for (int i = 0; i < MANY; i++) threads[i] = start(calls_first, (void *)(uintptr_t)way);
    no_memory();
    atomic_store(&go, 1);
    for (int i = 0; i < MANY; i++) join(threads[i]);
    ANSWERS(0, pthread_rwlock_trywrlock(&lock));
}

EACH(0, "a thread holds five hundred locks where no more memory is to be had") {
    static rwlock locks[500];
    no_memory();
    for (int i = 0; i < 500; i++) ANSWERS(0, take(way, &locks[i]));
    for (int i = 0; i < 500; i++) ANSWERS(EBUSY, pthread_rwlock_trywrlock(&locks[i]));
    for (int i = 0; i < 500; i++) UNLOCKS(&locks[i]);
    for (int i = 0; i < 500; i++) ANSWERS(0, pthread_rwlock_trywrlock(&locks[i]));
}

RUN_ALL
