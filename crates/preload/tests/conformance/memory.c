// A lock's memory used again: with and without destroy, and with a read left behind.

#include "actors.h"
#include <sys/mman.h>

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

static void works(rwlock *place) {
    for (int i = 0; i < WAY_COUNT; i++) {
        CHECK(could_write(place) == 0);
        ANSWERS(0, take(&WAYS[i], place));
        CHECK(could_write(place) == EBUSY);
        CHECK(could_read(place) == (WAYS[i].is & WRITES ? EBUSY : 0));
        UNLOCKS(place);
    }
    struct actor reader, writer;
    asks(&reader, RDLOCK, place);
    holds(&reader);
    asks(&writer, WRLOCK, place);
    waits(&writer);
    leaves(&reader);
    leaves(&writer);
}

static void init(void) { ANSWERS(0, pthread_rwlock_init(&lock, NULL)); }

static void destroy_and_init(void) {
    // glibc answers 0 even for a lock that is held. A replacement may answer EBUSY.
    const int answer = pthread_rwlock_destroy(&lock);
    CHECK(answer == 0 || answer == EBUSY);
    init();
}

static void zero(void) { memset(&lock, 0, sizeof lock); }

static void assign(void) {
    const rwlock fresh = PTHREAD_RWLOCK_INITIALIZER;
    lock = fresh;
}

static void fill_and_init(void) {
    memset(&lock, 0xFF, sizeof lock);
    init();
}

static void *leaves_a_read(void *way) {
    ANSWERS(0, take((const struct way *)way, &lock));
    return NULL;
}

static atomic_int left, may_end;

static void *leaves_a_read_and_lives(void *way) {
    leaves_a_read(way);
    atomic_store(&left, 1);
    until(&may_end, 1);
    return NULL;
}

// The lock is free when its memory is made a lock again.
static void after_use(const struct way *way, void (*renew)(void)) {
    for (int i = 0; i < 3; i++) {
        ANSWERS(0, take(way, &lock));
        UNLOCKS(&lock);
        renew();
        works(&lock);
    }
}

// The lock is left held by this thread, by one that has ended, and by one that lives on.
static void after_a_leak(const struct way *way, void (*renew)(void)) {
    void *argument = (void *)(uintptr_t)way;
    ANSWERS(0, take(way, &lock));
    renew();
    works(&lock);
    join(start(leaves_a_read, argument));
    renew();
    works(&lock);
    atomic_store(&left, 0);
    atomic_store(&may_end, 0);
    pthread_t lives = start(leaves_a_read_and_lives, argument);
    until(&left, 1);
    renew();
    works(&lock);
    atomic_store(&may_end, 1);
    join(lives);
    works(&lock);
}

#define RENEWED(how, what)                                                                         \
    EACH(0, "the memory can be used again: " what) { after_use(way, how); }

#define RENEWED_WITH_A_LEAK(how, what)                                                             \
    EACH(0, "the memory can be used again with the lock left held: " what) {                       \
        after_a_leak(way, how);                                                                    \
    }

RENEWED(init, "init without destroy")
RENEWED(destroy_and_init, "destroy and init")
RENEWED(zero, "memset with zeros")
RENEWED(assign, "PTHREAD_RWLOCK_INITIALIZER assigned")
RENEWED(fill_and_init, "other data and init")
RENEWED_WITH_A_LEAK(init, "init without destroy")
RENEWED_WITH_A_LEAK(destroy_and_init, "destroy and init")
RENEWED_WITH_A_LEAK(zero, "memset with zeros")
RENEWED_WITH_A_LEAK(assign, "PTHREAD_RWLOCK_INITIALIZER assigned")
RENEWED_WITH_A_LEAK(fill_and_init, "other data and init")

static rwlock *page_at(void *place) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | (place ? MAP_FIXED : 0);
    void *page = mmap(place, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
    CHECK(page != MAP_FAILED);
    return (rwlock *)page;
}

EACH(0, "the memory can be used again: unmapped and mapped, zeros as a lock") {
    rwlock *place = page_at(NULL);
    for (int i = 0; i < 3; i++) {
        works(place);
        ANSWERS(0, take(way, place));
        UNLOCKS(place);
        CHECK(munmap(place, 4096) == 0);
        CHECK(page_at(place) == place);
    }
}

EACH(READS, "the memory can be used again with the lock left held: unmapped, mapped, init") {
    rwlock *place = page_at(NULL);
    ANSWERS(0, take(way, place));
    CHECK(munmap(place, 4096) == 0);
    CHECK(page_at(place) == place);
    ANSWERS(0, pthread_rwlock_init(place, NULL));
    works(place);
}

EACH(READS, "many reads left on many locks do not spoil other locks") {
    enum { MANY = 300 };
    rwlock *places = (rwlock *)malloc(MANY * sizeof *places);
    CHECK(places != NULL);
    for (int i = 0; i < MANY; i++) {
        ANSWERS(0, pthread_rwlock_init(&places[i], NULL));
        ANSWERS(0, take(way, &places[i]));
    }
    free(places);
    works(&lock);
    for (int i = 0; i < 20; i++) {
        rwlock *place = (rwlock *)malloc(sizeof *place);
        CHECK(place != NULL);
        ANSWERS(0, pthread_rwlock_init(place, NULL));
        CHECK(could_write(place) == 0);
        ANSWERS(0, pthread_rwlock_destroy(place));
        free(place);
    }
}

__attribute__((noinline)) static void lock_on_the_stack(const struct way *way) {
    rwlock mine;
    ANSWERS(0, pthread_rwlock_init(&mine, NULL));
    ANSWERS(0, take(way, &mine));
    CHECK(could_write(&mine) == EBUSY);
    UNLOCKS(&mine);
    CHECK(could_write(&mine) == 0);
}

EACH(0, "a lock on the stack, again and again, never destroyed") {
    for (int i = 0; i < 100; i++) lock_on_the_stack(way);
}

RUN_ALL
