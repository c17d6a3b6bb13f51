// Many threads: exclusion, readers together, first calls, ends of threads, and small stacks.

#include "actors.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;

enum { MANY = 64 };

static void *reads_with_all(void *way) {
    ANSWERS(0, take((const struct way *)way, &lock));
    // No thread passes before all of them read.
    pthread_barrier_wait(&barrier);
    UNLOCKS(&lock);
    return NULL;
}

EACH(READS, "sixty-four threads read together") {
    pthread_t threads[MANY];
    CHECK(pthread_barrier_init(&barrier, NULL, MANY) == 0);
    for (int i = 0; i < MANY; i++) threads[i] = start(reads_with_all, (void *)(uintptr_t)way);
    for (int i = 0; i < MANY; i++) join(threads[i]);
    CHECK(could_write(&lock) == 0);
}

static void *calls_first(void *way) {
    pthread_barrier_wait(&barrier);
    return reads_with_all(way);
}

EACH(READS, "the process's first call may come from eight threads at one moment") {
    pthread_t threads[8];
    CHECK(pthread_barrier_init(&barrier, NULL, 8) == 0);
    for (int i = 0; i < 8; i++) threads[i] = start(calls_first, (void *)(uintptr_t)way);
    for (int i = 0; i < 8; i++) join(threads[i]);
    CHECK(could_write(&lock) == 0);
}

enum { THREADS = 4, ROUNDS = 5000 };
static int first, second;
static atomic_int readers, writers, writes;

static void *uses(const struct way *reads, const struct way *write, int share) {
    for (int i = 0; i < ROUNDS; i++) {
        const int is_write = i % share == 0;
        int answer;
        while ((answer = take(is_write ? write : reads, &lock)) == EBUSY) sched_yield();
        CHECK(answer == 0);
        if (is_write) {
            CHECK(atomic_fetch_add(&writers, 1) == 0 && atomic_load(&readers) == 0);
            first++;
            if (i % 64 == 0) sched_yield();
            second++;
            atomic_fetch_add(&writes, 1);
            atomic_fetch_sub(&writers, 1);
        } else {
            atomic_fetch_add(&readers, 1);
            CHECK(atomic_load(&writers) == 0 && first == second);
            atomic_fetch_sub(&readers, 1);
        }
        UNLOCKS(&lock);
    }
    return NULL;
}

static void *uses_to_read(void *way) { return uses((const struct way *)way, WRLOCK, 16); }

static void *uses_to_write(void *way) { return uses(RDLOCK, (const struct way *)way, 2); }

static void exclude(const struct way *way, int kind) {
    pthread_t threads[THREADS];
    with_kind(&lock, kind);
    for (int i = 0; i < THREADS; i++)
        threads[i] = start(way->is & READS ? uses_to_read : uses_to_write, (void *)(uintptr_t)way);
    for (int i = 0; i < THREADS; i++) join(threads[i]);
    CHECK(first == atomic_load(&writes) && second == first);
    CHECK(could_write(&lock) == 0);
}

EACH(0, "no thread sees half a write in kind 0") { exclude(way, 0); }

EACH(0, "no thread sees half a write in kind 1") { exclude(way, 1); }

EACH(0, "no thread sees half a write in kind 2") { exclude(way, 2); }

EACH(0, "no thread sees half a write when all run on one processor") {
    cpu_set_t mine, one;
    CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &mine)) CPU_SET(i, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    exclude(way, 0);
}

static void *takes_and_ends(void *way) {
    ANSWERS(0, take((const struct way *)way, &lock));
    return NULL;
}

static void *unlocks(void *unused) {
    UNLOCKS(&lock);
    return unused;
}

EACH(0, "the lock stays held when the thread ends") {
    join(start(takes_and_ends, (void *)(uintptr_t)way));
    CHECK(could_write(&lock) == EBUSY);
    CHECK(could_read(&lock) == (way->is & WRITES ? EBUSY : 0));
}

EACH(READS, "another thread may unlock the read of a thread that has ended") {
    for (int i = 0; i < 50; i++) {
        join(start(takes_and_ends, (void *)(uintptr_t)way));
        CHECK(could_write(&lock) == EBUSY);
        if (i % 2) UNLOCKS(&lock);
        else join(start(unlocks, NULL));
        CHECK(could_write(&lock) == 0);
    }
}

EACH(READS, "a thread that comes after one that ended with a read has its own") {
    join(start(takes_and_ends, (void *)(uintptr_t)way));
    struct actor next;
    asks(&next, way, &lock);
    holds(&next);
    leaves(&next);
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static void *takes_and_unlocks(void *way) {
    ANSWERS(0, take((const struct way *)way, &lock));
    UNLOCKS(&lock);
    return NULL;
}

EACH(0, "two thousand threads, one after the other") {
    for (int i = 0; i < 2000; i++) join(start(takes_and_unlocks, (void *)(uintptr_t)way));
    CHECK(could_write(&lock) == 0);
}

// A key's destructor runs in each of its rounds, so also after a library's own destructor.
static pthread_key_t key;
static atomic_int destroyed;

static void uses_in_a_destructor(void *way) {
    takes_and_unlocks(way);
    if (atomic_fetch_add(&destroyed, 1) % PTHREAD_DESTRUCTOR_ITERATIONS != 3)
        CHECK(pthread_setspecific(key, way) == 0);
}

static void *sets_the_key(void *way) {
    CHECK(pthread_setspecific(key, way) == 0);
    return takes_and_unlocks(way);
}

EACH(0, "destructors of thread-specific data may lock, in each of their rounds") {
    CHECK(PTHREAD_DESTRUCTOR_ITERATIONS == 4);
    CHECK(pthread_key_create(&key, uses_in_a_destructor) == 0);
    for (int i = 0; i < 20; i++) join(start(sets_the_key, (void *)(uintptr_t)way));
    CHECK(atomic_load(&destroyed) == 20 * 4);
    CHECK(could_write(&lock) == 0);
}

static pthread_t start_small(void *(*body)(void *), void *argument) {
    pthread_attr_t small;
    pthread_t thread;
    CHECK(pthread_attr_init(&small) == 0);
    CHECK(pthread_attr_setstacksize(&small, (size_t)PTHREAD_STACK_MIN) == 0);
    CHECK(pthread_create(&thread, &small, body, argument) == 0);
    CHECK(pthread_attr_destroy(&small) == 0);
    return thread;
}

EACH(0, "needs no more than PTHREAD_STACK_MIN of stack") {
    join(start_small(takes_and_unlocks, (void *)(uintptr_t)way));
    CHECK(could_write(&lock) == 0);
}

static atomic_int small_id;

static void *waits_on_a_small_stack(void *way) {
    atomic_store(&small_id, (int)syscall(SYS_gettid));
    return takes_and_unlocks(way);
}

EACH(WAITS, "waits with no more than PTHREAD_STACK_MIN of stack") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    pthread_t thread = start_small(waits_on_a_small_stack, (void *)(uintptr_t)way);
    until(&small_id, 1);
    until_asleep(getpid(), small_id);
    UNLOCKS(&lock);
    join(thread);
    CHECK(could_write(&lock) == 0);
}

EACH(0, "ten thousand locks") {
    rwlock *locks = (rwlock *)calloc(10000, sizeof *locks);
    CHECK(locks != NULL);
    for (int i = 0; i < 10000; i++) ANSWERS(0, take(way, &locks[i]));
    for (int i = 0; i < 10000; i += 100) CHECK(could_write(&locks[i]) == EBUSY);
    for (int i = 0; i < 10000; i++) UNLOCKS(&locks[i]);
    for (int i = 0; i < 10000; i++) {
        ANSWERS(0, pthread_rwlock_trywrlock(&locks[i]));
        UNLOCKS(&locks[i]);
    }
    free(locks);
}

RUN_ALL
