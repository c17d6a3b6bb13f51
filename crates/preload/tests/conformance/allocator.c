// A program whose own allocator takes a lock. A lock call that allocates would not end.

#include "actors.h"

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static rwlock heap = PTHREAD_RWLOCK_INITIALIZER;
static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int allocations;
// Not 0 while this thread is in a lock call or in the allocator.
static __thread int inside;

static void enters_heap(void) {
    if (inside) FAIL("a lock call allocates");
    inside = 1;
    const int answer = pthread_rwlock_wrlock(&heap);
    if (answer != 0) FAIL("the allocator's wrlock answers %d", answer);
    atomic_fetch_add(&allocations, 1);
}

static void leaves_heap(void) {
    const int answer = pthread_rwlock_unlock(&heap);
    if (answer != 0) FAIL("the allocator's unlock answers %d", answer);
    inside = 0;
}

#define ALLOCATES(type, call)                                                                      \
    enters_heap();                                                                                 \
    type result = call;                                                                            \
    leaves_heap();                                                                                 \
    return result

void *malloc(size_t size) { ALLOCATES(void *, __libc_malloc(size)); }

void *calloc(size_t count, size_t size) { ALLOCATES(void *, __libc_calloc(count, size)); }

void *realloc(void *old, size_t size) { ALLOCATES(void *, __libc_realloc(old, size)); }

void *memalign(size_t align, size_t size) { ALLOCATES(void *, __libc_memalign(align, size)); }

void *aligned_alloc(size_t align, size_t size) { ALLOCATES(void *, __libc_memalign(align, size)); }

int posix_memalign(void **place, size_t align, size_t size) {
    enters_heap();
    *place = __libc_memalign(align, size);
    leaves_heap();
    return *place == NULL ? ENOMEM : 0;
}

void free(void *old) {
    if (old == NULL) return;
    enters_heap();
    __libc_free(old);
    leaves_heap();
}

static void takes_and_unlocks(const struct way *way, rwlock *place, struct timespec until) {
    inside = 1;
    const int taken = take_until(way, place, until);
    const int unlocked = taken == 0 ? pthread_rwlock_unlock(place) : 0;
    inside = 0;
    CHECK(taken == 0 && unlocked == 0);
}

TEST("wrlock: an allocator that locks works, also before main") {
    // glibc itself has allocated before main only in some versions; the volatile keeps this one.
    void *volatile some = malloc(100);
    free(some);
    CHECK(atomic_load(&allocations) >= 2);
}

EACH(0, "does not allocate") {
    takes_and_unlocks(way, &lock, hours(way));
    CHECK(could_write(&lock) == 0);
}

static void *first_call(void *way) {
    const struct way *const taken = (const struct way *)way;
    takes_and_unlocks(taken, &lock, hours(taken));
    return NULL;
}

EACH(0, "does not allocate in the first call of a thread") {
    for (int i = 0; i < 300; i++) join(start(first_call, (void *)(uintptr_t)way));
}

static atomic_int id;

static void *waits_once(void *way) {
    atomic_store(&id, (int)syscall(SYS_gettid));
    return first_call(way);
}

EACH(WAITS, "does not allocate when it waits") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    pthread_t thread = start(waits_once, (void *)(uintptr_t)way);
    until(&id, 1);
    until_asleep(getpid(), id);
    UNLOCKS(&lock);
    join(thread);
}

EACH(0, "does not allocate when the thread holds many locks") {
    static rwlock locks[300];
    const struct timespec until = hours(way);
    inside = 1;
    for (int i = 0; i < 300; i++) CHECK(take_until(way, &locks[i], until) == 0);
    for (int i = 0; i < 300; i++) CHECK(pthread_rwlock_unlock(&locks[i]) == 0);
    inside = 0;
    for (int i = 0; i < 300; i += 30) CHECK(could_write(&locks[i]) == 0);
}

TEST("init, destroy: do not allocate") {
    rwlock mine;
    inside = 1;
    const int made = pthread_rwlock_init(&mine, NULL), ended = pthread_rwlock_destroy(&mine);
    inside = 0;
    CHECK(made == 0 && ended == 0);
}

static void *allocates(void *unused) {
    for (int i = 0; i < 3000; i++) {
        ANSWERS(0, pthread_rwlock_rdlock(&lock));
        char *volatile some = (char *)malloc((size_t)(i % 100 + 1));
        CHECK(some != NULL);
        some[0] = 1;
        free(some);
        UNLOCKS(&lock);
    }
    return unused;
}

TEST("rdlock: threads that allocate while they hold a lock") {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) threads[i] = start(allocates, NULL);
    for (int i = 0; i < 4; i++) join(threads[i]);
    CHECK(could_write(&lock) == 0 && could_write(&heap) == 0);
}

RUN_ALL
