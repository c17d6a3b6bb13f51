// pthread_rwlockattr_*, and what pthread_rwlock_init takes from attributes.

#include "actors.h"

static pthread_rwlockattr_t attributes;
static rwlock lock;

static int pshared(void) {
    int value = -1;
    ANSWERS(0, pthread_rwlockattr_getpshared(&attributes, &value));
    return value;
}

static int kind(void) {
    int value = -1;
    ANSWERS(0, pthread_rwlockattr_getkind_np(&attributes, &value));
    return value;
}

// Kind 2 has a try fail beside a waiting writer; the others let it pass.
static int try_beside_a_waiting_writer(void) {
    struct actor writer;
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&writer, WRLOCK, &lock);
    waits(&writer);
    const int told = could_read(&lock);
    UNLOCKS(&lock);
    leaves(&writer);
    return told;
}

TEST("rwlockattr_init: attributes are process-private by default") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    CHECK(pshared() == PTHREAD_PROCESS_PRIVATE);
}

TEST("rwlockattr_init: attributes are of the default kind") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    CHECK(kind() == PTHREAD_RWLOCK_DEFAULT_NP);
}

TEST("rwlockattr_setpshared: keeps PTHREAD_PROCESS_SHARED") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(0, pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
    CHECK(pshared() == PTHREAD_PROCESS_SHARED);
}

TEST("rwlockattr_setpshared: keeps PTHREAD_PROCESS_PRIVATE after the other") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(0, pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
    ANSWERS(0, pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE));
    CHECK(pshared() == PTHREAD_PROCESS_PRIVATE);
}

TEST("rwlockattr_setpshared: EINVAL for any other value, which is not kept") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(EINVAL, pthread_rwlockattr_setpshared(&attributes, 2));
    ANSWERS(EINVAL, pthread_rwlockattr_setpshared(&attributes, -1));
    CHECK(pshared() == PTHREAD_PROCESS_PRIVATE);
}

TEST("rwlockattr_setpshared: leaves the kind alone") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(0, pthread_rwlockattr_setkind_np(&attributes, 2));
    ANSWERS(0, pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
    CHECK(kind() == 2);
}

TEST("rwlockattr_setkind_np: keeps each of the three kinds") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    for (int value = 2; value >= 0; value--) {
        ANSWERS(0, pthread_rwlockattr_setkind_np(&attributes, value));
        CHECK(kind() == value);
    }
}

TEST("rwlockattr_setkind_np: EINVAL for any other value, which is not kept") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(EINVAL, pthread_rwlockattr_setkind_np(&attributes, 3));
    ANSWERS(EINVAL, pthread_rwlockattr_setkind_np(&attributes, -1));
    CHECK(kind() == PTHREAD_RWLOCK_DEFAULT_NP);
}

TEST("rwlockattr_destroy: the attributes can be initialised again") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(0, pthread_rwlockattr_setkind_np(&attributes, 2));
    ANSWERS(0, pthread_rwlockattr_destroy(&attributes));
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    CHECK(kind() == PTHREAD_RWLOCK_DEFAULT_NP);
}

TEST("rwlockattr_destroy: locks that were made with the attributes stay as they are") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(0, pthread_rwlockattr_setkind_np(&attributes, 2));
    ANSWERS(0, pthread_rwlock_init(&lock, &attributes));
    ANSWERS(0, pthread_rwlockattr_destroy(&attributes));
    memset(&attributes, 0, sizeof attributes);
    CHECK(try_beside_a_waiting_writer() == EBUSY);
}

TEST("rwlockattr_setkind_np: does not change a lock that is initialised already") {
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    ANSWERS(0, pthread_rwlock_init(&lock, &attributes));
    ANSWERS(0, pthread_rwlockattr_setkind_np(&attributes, 2));
    CHECK(try_beside_a_waiting_writer() == 0);
}

TEST("init: NULL attributes are the default ones") {
    ANSWERS(0, pthread_rwlock_init(&lock, NULL));
    CHECK(try_beside_a_waiting_writer() == 0);
}

TEST("init: takes the kind from the attributes") {
    with_kind(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    CHECK(try_beside_a_waiting_writer() == EBUSY);
}

TEST("init: attributes make any number of locks") {
    static rwlock locks[3];
    ANSWERS(0, pthread_rwlockattr_init(&attributes));
    for (int i = 0; i < 3; i++) ANSWERS(0, pthread_rwlock_init(&locks[i], &attributes));
    ANSWERS(0, pthread_rwlock_wrlock(&locks[0]));
    ANSWERS(0, pthread_rwlock_rdlock(&locks[1]));
    CHECK(could_write(&locks[2]) == 0);
    UNLOCKS(&locks[0]);
    CHECK(could_write(&locks[0]) == 0 && could_write(&locks[1]) == EBUSY);
}

RUN_ALL
