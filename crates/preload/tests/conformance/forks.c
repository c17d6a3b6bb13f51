// Locks over fork: the child has a copy of each, and may end the read that its thread held.

#include "actors.h"

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER, another = PTHREAD_RWLOCK_INITIALIZER;

#define CHILD(body, argument) CHECK(in_child(body, (void *)(uintptr_t)(argument)) == 0)

static void ends_the_read(void *unused) {
    (void)unused;
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static void takes_in_all_ways(void *unused) {
    (void)unused;
    for (int i = 0; i < WAY_COUNT; i++) {
        ANSWERS(0, take(&WAYS[i], &lock));
        CHECK(could_write(&lock) == EBUSY);
        UNLOCKS(&lock);
        CHECK(could_write(&lock) == 0);
    }
}

TEST("rdlock, wrlock and the others: work in a child whose parent made no call") {
    CHILD(takes_in_all_ways, NULL);
}

EACH(0, "a lock that was used and is free is free in the child") {
    ANSWERS(0, take(way, &lock));
    UNLOCKS(&lock);
    CHILD(takes_in_all_ways, NULL);
}

EACH(READS, "a read that is held over a fork is held in the child, which may unlock it") {
    ANSWERS(0, take(way, &lock));
    CHILD(ends_the_read, NULL);
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static void ends_three_reads(void *unused) {
    UNLOCKS(&lock);
    UNLOCKS(&lock);
    ends_the_read(unused);
}

EACH(READS, "each of several reads that are held over a fork needs its unlock in the child") {
    for (int i = 0; i < 3; i++) ANSWERS(0, take(way, &lock));
    CHILD(ends_three_reads, NULL);
    UNLOCKS(&lock);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static rwlock many[20];

static void ends_many_reads(void *unused) {
    (void)unused;
    for (int i = 0; i < 20; i++) {
        CHECK(could_write(&many[i]) == EBUSY);
        UNLOCKS(&many[i]);
        CHECK(could_write(&many[i]) == 0);
    }
}

EACH(READS, "reads of many locks that are held over a fork are unlocked in the child") {
    for (int i = 0; i < 20; i++) ANSWERS(0, pthread_rwlock_init(&many[i], NULL));
    for (int i = 0; i < 20; i++) ANSWERS(0, take(way, &many[i]));
    CHILD(ends_many_reads, NULL);
    ends_many_reads(NULL);
}

static void is_written(void *unused) {
    (void)unused;
    CHECK(could_read(&lock) == EBUSY);
}

EACH(WRITES, "a write that is held over a fork is held in the child") {
    ANSWERS(0, take(way, &lock));
    CHILD(is_written, NULL);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static void ends_the_write(void *unused) {
    is_written(unused);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
    takes_in_all_ways(NULL);
}

// glibc knows the writer by the thread's number, which is another in the child.
BEYOND("unlock: the child may end the write that its thread held at the fork") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    CHILD(ends_the_write, NULL);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static void makes_it_anew(void *unused) {
    ANSWERS(0, pthread_rwlock_init(&lock, NULL));
    takes_in_all_ways(unused);
}

EACH(0, "a lock that is held over a fork can be made anew in the child") {
    ANSWERS(0, take(way, &lock));
    CHILD(makes_it_anew, NULL);
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
}

EACH(WAITS, "a fork while another thread waits leaves other locks usable in the child") {
    struct actor asker;
    ANSWERS(0, pthread_rwlock_wrlock(&another));
    asks(&asker, way, &another);
    waits(&asker);
    CHILD(takes_in_all_ways, NULL);
    UNLOCKS(&another);
    leaves(&asker);
}

static void threads_exclude(void *unused) {
    (void)unused;
    struct actor askers[4];
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    for (int i = 0; i < 4; i++) asks(&askers[i], i % 2 ? RDLOCK : WRLOCK, &lock);
    for (int i = 0; i < 4; i++) waits(&askers[i]);
    for (int i = 0; i < 4; i++) atomic_store(&askers[i].may_leave, 1);
    UNLOCKS(&lock);
    for (int i = 0; i < 4; i++) leaves(&askers[i]);
    CHECK(could_write(&lock) == 0);
}

TEST("wrlock, rdlock: threads of the child wait and are woken") {
    struct actor holder;
    asks(&holder, RDLOCK, &another);
    holds(&holder);
    CHILD(threads_exclude, NULL);
    leaves(&holder);
}

static void forks_again(void *unused) {
    UNLOCKS(&lock);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    CHILD(ends_the_read, NULL);
    ends_the_read(unused);
}

TEST("rdlock: a child of a child may unlock a read") {
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    CHILD(forks_again, NULL);
    ends_the_read(NULL);
}

static void *forks_with_a_read(void *unused) {
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    CHILD(ends_the_read, NULL);
    UNLOCKS(&lock);
    return unused;
}

TEST("rdlock: a fork of a thread that is not the first one") {
    join(start(forks_with_a_read, NULL));
    CHECK(could_write(&lock) == 0);
}

// Forks at any moment of other threads' calls.
static atomic_int stop, rounds;

static void *uses_the_other(void *argument) {
    for (int i = *(const int *)argument; !atomic_load(&stop); i++) {
        ANSWERS(0, take(i % 4 ? RDLOCK : WRLOCK, &another));
        UNLOCKS(&another);
        atomic_fetch_add(&rounds, 1);
    }
    return NULL;
}

TEST("rdlock, wrlock: a fork at any moment of other threads' calls leaves other locks usable") {
    static const int number[3] = { 0, 1, 2 };
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) threads[i] = start(uses_the_other, (void *)(uintptr_t)&number[i]);
    for (int i = 0; i < 60; i++) {
        until(&rounds, 10 * i);
        CHILD(takes_in_all_ways, NULL);
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < 3; i++) join(threads[i]);
    CHECK(could_write(&another) == 0);
}

// pthread_atfork handlers that read lock around the fork, as libraries do.
static atomic_int prepared;

static void prepares(void) {
    ANSWERS(0, pthread_rwlock_rdlock(&another));
    prepared++;
}

static void releases(void) { UNLOCKS(&another); }

static void other_is_free(void *unused) {
    (void)unused;
    CHECK(could_write(&another) == 0);
}

TEST("rdlock, unlock: atfork handlers may read before the fork and unlock after it on both sides") {
    CHECK(pthread_atfork(prepares, releases, releases) == 0);
    CHILD(other_is_free, NULL);
    CHECK(prepared == 1 && could_write(&another) == 0);
}

RUN_ALL
