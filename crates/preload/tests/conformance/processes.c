// Locks in memory that processes share: with the attribute, and without it, which glibc bears.

#include "actors.h"
#include <sys/mman.h>

struct shared {
    rwlock lock;
    atomic_int step, child, stop;
    int first, second;
};

static struct shared *shared;

static void share(int pshared, int kind) {
    pthread_rwlockattr_t attributes;
    const int flags = MAP_SHARED | MAP_ANONYMOUS;
    void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags, -1, 0);
    CHECK(memory != MAP_FAILED);
    shared = (struct shared *)memory;
    CHECK(pthread_rwlockattr_init(&attributes) == 0);
    CHECK(pthread_rwlockattr_setpshared(&attributes, pshared) == 0);
    CHECK(pthread_rwlockattr_setkind_np(&attributes, kind) == 0);
    ANSWERS(0, pthread_rwlock_init(&shared->lock, &attributes));
}

static pid_t in_parallel(void (*body)(const struct way *), const struct way *way) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(watchdog());
        atomic_store(&shared->child, getpid());
        body(way);
        _exit(0);
    }
    return child;
}

static void ends_well(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0) CHECK(errno == EINTR);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void holds_for_the_parent(const struct way *way) {
    ANSWERS(0, take(way, &shared->lock));
    atomic_store(&shared->step, 1);
    until(&shared->stop, 1);
    UNLOCKS(&shared->lock);
}

static void excludes(const struct way *way, int pshared) {
    share(pshared, 0);
    const pid_t child = in_parallel(holds_for_the_parent, way);
    until(&shared->step, 1);
    CHECK(pthread_rwlock_trywrlock(&shared->lock) == EBUSY);
    const int reads = pthread_rwlock_tryrdlock(&shared->lock);
    CHECK(reads == (way->is & WRITES ? EBUSY : 0));
    if (reads == 0) UNLOCKS(&shared->lock);
    atomic_store(&shared->stop, 1);
    ends_well(child);
    ANSWERS(0, pthread_rwlock_trywrlock(&shared->lock));
    UNLOCKS(&shared->lock);
    ANSWERS(0, pthread_rwlock_destroy(&shared->lock));
}

EACH(0, "keeps another process out of a shared lock") {
    excludes(way, PTHREAD_PROCESS_SHARED);
}

EACH(0, "keeps another process out of a private lock in shared memory") {
    excludes(way, PTHREAD_PROCESS_PRIVATE);
}

static void takes_and_tells(const struct way *way) {
    atomic_store(&shared->step, 1);
    ANSWERS(0, take(way, &shared->lock));
    atomic_store(&shared->step, 2);
    UNLOCKS(&shared->lock);
}

EACH(WAITS, "waits for another process with a shared lock, and is woken by it") {
    share(PTHREAD_PROCESS_SHARED, 0);
    ANSWERS(0, pthread_rwlock_wrlock(&shared->lock));
    const pid_t child = in_parallel(takes_and_tells, way);
    until(&shared->step, 1);
    until_asleep(child, child);
    CHECK(atomic_load(&shared->step) == 1);
    UNLOCKS(&shared->lock);
    until(&shared->step, 2);
    ends_well(child);
}

static void is_too_late(const struct way *way) {
    ANSWERS(ETIMEDOUT, take_until(way, &shared->lock, from_now(way->clock, 5 * MILLISECOND)));
}

EACH(TIMED, "ETIMEDOUT while another process writes a shared lock") {
    share(PTHREAD_PROCESS_SHARED, 0);
    ANSWERS(0, pthread_rwlock_wrlock(&shared->lock));
    ends_well(in_parallel(is_too_late, way));
    UNLOCKS(&shared->lock);
    ANSWERS(0, pthread_rwlock_trywrlock(&shared->lock));
}

EACH(WAITS, "EDEADLK to the writer itself of a shared lock") {
    share(PTHREAD_PROCESS_SHARED, 0);
    ANSWERS(0, pthread_rwlock_wrlock(&shared->lock));
    ANSWERS(EDEADLK, take(way, &shared->lock));
}

static void tries_to_read(const struct way *way) {
    (void)way;
    ANSWERS(EBUSY, pthread_rwlock_tryrdlock(&shared->lock));
}

TEST("tryrdlock: EBUSY beside a writer of this process that waits for a shared lock of kind 2") {
    struct actor writer;
    share(PTHREAD_PROCESS_SHARED, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    ANSWERS(0, pthread_rwlock_rdlock(&shared->lock));
    asks(&writer, WRLOCK, &shared->lock);
    waits(&writer);
    ends_well(in_parallel(tries_to_read, NULL));
    UNLOCKS(&shared->lock);
    leaves(&writer);
}

TEST("init: a shared lock and a private one may follow each other in the same memory") {
    for (int i = 0; i < 4; i++) {
        share(i % 2 ? PTHREAD_PROCESS_PRIVATE : PTHREAD_PROCESS_SHARED, 0);
        struct shared *place = shared;
        for (int j = 0; j < WAY_COUNT; j++) {
            ANSWERS(0, take(&WAYS[j], &place->lock));
            CHECK(could_write(&place->lock) == EBUSY);
            UNLOCKS(&place->lock);
        }
        ANSWERS(0, pthread_rwlock_destroy(&place->lock));
        ANSWERS(0, pthread_rwlock_init(&place->lock, NULL));
        CHECK(could_write(&place->lock) == 0);
    }
}

enum { ROUNDS = 3000 };

static int (*read_by)(rwlock *), (*write_by)(rwlock *);

static void reads_and_writes(const struct way *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int (*attempt)(rwlock *) = i % 8 ? read_by : write_by;
        int answer;
        while ((answer = attempt(&shared->lock)) == EBUSY) sched_yield();
        CHECK(answer == 0);
        CHECK(shared->first == shared->second);
        if (i % 8 == 0) {
            shared->first++;
            sched_yield();
            shared->second++;
        }
        UNLOCKS(&shared->lock);
    }
}

static void counts(int pshared, int (*read)(rwlock *), int (*write)(rwlock *)) {
    share(pshared, 0);
    read_by = read;
    write_by = write;
    const pid_t child = in_parallel(reads_and_writes, NULL);
    reads_and_writes(NULL);
    ends_well(child);
    CHECK(shared->first == 2 * (ROUNDS / 8) && shared->second == shared->first);
}

TEST("rdlock, wrlock: two processes never see each other's half writes, shared") {
    counts(PTHREAD_PROCESS_SHARED, pthread_rwlock_rdlock, pthread_rwlock_wrlock);
}

TEST("tryrdlock, trywrlock: two processes never see each other's half writes, shared") {
    counts(PTHREAD_PROCESS_SHARED, pthread_rwlock_tryrdlock, pthread_rwlock_trywrlock);
}

// By tries alone: a private lock promises no wake-up to another process.
TEST("tryrdlock, trywrlock: two processes never see each other's half writes, private") {
    counts(PTHREAD_PROCESS_PRIVATE, pthread_rwlock_tryrdlock, pthread_rwlock_trywrlock);
}

// Many reads in a row may turn on a bias towards a process's readers. Others must still see them.
static void reads_often_then_holds(const struct way *way) {
    for (int i = 0; i < 100000; i++) {
        ANSWERS(0, pthread_rwlock_rdlock(&shared->lock));
        UNLOCKS(&shared->lock);
    }
    holds_for_the_parent(way);
}

static void favours_readers(int pshared) {
    share(pshared, 0);
    for (int i = 0; i < 1000; i++) {
        ANSWERS(0, pthread_rwlock_rdlock(&shared->lock));
        UNLOCKS(&shared->lock);
    }
    const pid_t child = in_parallel(reads_often_then_holds, RDLOCK);
    until(&shared->step, 1);
    CHECK(pthread_rwlock_trywrlock(&shared->lock) == EBUSY);
    atomic_store(&shared->stop, 1);
    ends_well(child);
    ANSWERS(0, pthread_rwlock_trywrlock(&shared->lock));
}

TEST("rdlock: a read after very many is seen by another process, shared") {
    favours_readers(PTHREAD_PROCESS_SHARED);
}

TEST("rdlock: a read after very many is seen by another process, private") {
    favours_readers(PTHREAD_PROCESS_PRIVATE);
}

RUN_ALL
