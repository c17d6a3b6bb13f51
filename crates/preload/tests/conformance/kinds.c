// Which readers pass a waiting writer: those of kinds 0 and 1, and none of kind 2.

#include "actors.h"

enum {
    READER = PTHREAD_RWLOCK_PREFER_READER_NP,
    WRITER = PTHREAD_RWLOCK_PREFER_WRITER_NP,
    NONRECURSIVE = PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP,
};

static rwlock lock;
static struct actor waiting;

// This thread reads, and a writer waits for it.
static void writer_waits(int kind) {
    with_kind(&lock, kind);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&waiting, WRLOCK, &lock);
    waits(&waiting);
}

static void writer_enters(void) {
    CHECK(atomic_load(&waiting.step) == CALLS);
    UNLOCKS(&lock);
    holds(&waiting);
    leaves(&waiting);
}

static void reads_again(const struct way *way, int kind) {
    writer_waits(kind);
    for (int i = 0; i < 3; i++) ANSWERS(0, take(way, &lock));
    for (int i = 0; i < 3; i++) UNLOCKS(&lock);
    writer_enters();
}

EACH(READS, "a thread that reads may read again while a writer waits, in kind 0") {
    reads_again(way, READER);
}

EACH(READS, "a thread that reads may read again while a writer waits, in kind 1") {
    reads_again(way, WRITER);
}

// The first read ends only after the other thread's. Some programs need this.
static void another_reads(const struct way *way, int kind) {
    struct actor other;
    writer_waits(kind);
    asks(&other, way, &lock);
    until(&other.step, CALLS);
    leaves(&other);
    writer_enters();
}

EACH(READS, "another thread's read passes the waiting writer sooner or later, in kind 0") {
    another_reads(way, READER);
}

EACH(READS, "another thread's read passes the waiting writer sooner or later, in kind 1") {
    another_reads(way, WRITER);
}

EACH(READS | TIMED, "another thread's read passes the waiting writer before its deadline, however soon that is") {
    writer_waits(READER);
    CHECK(another_is_told(way, &lock, from_now(way->clock, MILLISECOND)) == 0);
    CHECK(another_is_told(way, &lock, from_now(way->clock, -MILLISECOND)) == 0);
    writer_enters();
}

EACH(READS, "a thread may read a lock again whose other reads are other threads'") {
    struct actor other;
    with_kind(&lock, READER);
    asks(&other, RDLOCK, &lock);
    holds(&other);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&waiting, WRLOCK, &lock);
    waits(&waiting);
    ANSWERS(0, take(way, &lock));
    UNLOCKS(&lock);
    leaves(&other);
    writer_enters();
}

TEST("tryrdlock: EBUSY beside a waiting writer in kind 2") {
    writer_waits(NONRECURSIVE);
    CHECK(could_read(&lock) == EBUSY);
    writer_enters();
}

TEST("tryrdlock: EBUSY beside a waiting writer in kind 2, also to a thread that reads") {
    writer_waits(NONRECURSIVE);
    ANSWERS(EBUSY, pthread_rwlock_tryrdlock(&lock));
    writer_enters();
}

EACH(READS | TIMED, "ETIMEDOUT behind a waiting writer in kind 2") {
    writer_waits(NONRECURSIVE);
    CHECK(another_is_told(way, &lock, from_now(way->clock, 5 * MILLISECOND)) == ETIMEDOUT);
    writer_enters();
}

EACH(READS | TIMED, "ETIMEDOUT behind a waiting writer in kind 2, also to a thread that reads") {
    writer_waits(NONRECURSIVE);
    ANSWERS(ETIMEDOUT, take_until(way, &lock, from_now(way->clock, 5 * MILLISECOND)));
    writer_enters();
}

EACH(READS | WAITS, "waits behind the waiting writer in kind 2, and enters after it") {
    struct actor late;
    writer_waits(NONRECURSIVE);
    asks(&late, way, &lock);
    waits(&late);
    UNLOCKS(&lock);
    holds(&waiting);
    waits(&late);
    leaves(&waiting);
    holds(&late);
    leaves(&late);
}

EACH(READS, "enters in kind 2 when no writer waits") {
    with_kind(&lock, NONRECURSIVE);
    struct actor other;
    asks(&other, RDLOCK, &lock);
    holds(&other);
    ANSWERS(0, take(way, &lock));
    ANSWERS(0, take(way, &lock));
    UNLOCKS(&lock);
    UNLOCKS(&lock);
    leaves(&other);
}

// Readers that overlap, so that one holds the lock at each moment.
static atomic_int stop, round_of[2];

static void *overlaps(void *argument) {
    const int me = *(const int *)argument;
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    while (!atomic_load(&stop)) {
        // Holds on until the other thread has entered again, but no longer than 2 ms or so.
        const int seen = atomic_load(&round_of[1 - me]);
        atomic_fetch_add(&round_of[me], 1);
        for (int i = 0; i < 20 && atomic_load(&round_of[1 - me]) == seen; i++)
            pause_for(MILLISECOND / 10);
        UNLOCKS(&lock);
        ANSWERS(0, pthread_rwlock_rdlock(&lock));
    }
    UNLOCKS(&lock);
    return NULL;
}

static void writes_among_readers(int kind) {
    static const int number[2] = { 0, 1 };
    pthread_t readers[2];
    with_kind(&lock, kind);
    for (int i = 0; i < 2; i++) readers[i] = start(overlaps, (void *)(uintptr_t)&number[i]);
    for (int i = 0; i < 2; i++) until(&round_of[i], 3);
    for (int i = 0; i < 20; i++) {
        ANSWERS(0, pthread_rwlock_wrlock(&lock));
        UNLOCKS(&lock);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 2; i++) join(readers[i]);
}

TEST("wrlock: writers get in among readers that overlap, in kind 2") {
    writes_among_readers(NONRECURSIVE);
}

BEYOND("wrlock: writers get in among readers that overlap, in kind 0") {
    writes_among_readers(READER);
}

BEYOND("wrlock: writers get in among readers that overlap, in kind 1") {
    writes_among_readers(WRITER);
}

RUN_ALL
