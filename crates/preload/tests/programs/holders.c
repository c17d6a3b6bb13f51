/* Which thread unlocks, when the lock's memory goes, and which holds are left behind there. */
#include "check.h"
#include <sys/mman.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reads(void *times) {
    for (long i = 0; i < (long)times; i++) OK(pthread_rwlock_rdlock(&lock));
    return NULL;
}

static void *unlocks(void *times) {
    for (long i = 0; i < (long)times; i++) OK(pthread_rwlock_unlock(&lock));
    return NULL;
}

static void is_free(void) {
    OK(pthread_rwlock_trywrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
}

static void another_ends(void) {
    for (int i = 0; i < 100; i++) {
        OK(pthread_rwlock_rdlock(&lock));
        ANSWERS(EBUSY, pthread_rwlock_trywrlock(&lock));
        finish(start(unlocks, (void *)1));
        is_free();
    }
}

static void another_thread_ends_a_read(void) { another_ends(); }

static void another_thread_ends_a_read_by_slot(void) {
    read_often(&lock);
    another_ends();
}

static void another_thread_ends_one_of_nested_reads(void) {
    for (int often = 0; often < 2; often++) {
        for (long holds = 2; holds < 10; holds++)
            for (long others = 1; others < holds; others++) {
                reads((void *)holds);
                pthread_t other = start(unlocks, (void *)others);
                unlocks((void *)(holds - others));
                finish(other);
                is_free();
                if (often) read_often(&lock);
            }
    }
}

static void a_read_outlives_its_thread(void) {
    for (int i = 0; i < 200; i++) {
        long holds = 1 + i % 3;
        finish(start(reads, (void *)holds));
        ANSWERS(EBUSY, pthread_rwlock_trywrlock(&lock));
        if (i % 2) unlocks((void *)holds);
        else finish(start(unlocks, (void *)holds));
        is_free();
        if (i == 100) read_often(&lock);
    }
}

static void *writes(void *unused) {
    OK(pthread_rwlock_wrlock(&lock));
    return unused;
}

static void *is_kept_out(void *unused) {
    struct timespec at = in_ms(CLOCK_REALTIME, 5);
    ANSWERS(ETIMEDOUT, pthread_rwlock_timedwrlock(&lock, &at));
    ANSWERS(ETIMEDOUT, pthread_rwlock_timedrdlock(&lock, &at));
    return unused;
}

/* No later thread is taken for the writer that has ended. */
static void a_write_outlives_its_thread(void) {
    finish(start(writes, NULL));
    for (int i = 0; i < 20; i++) finish(start(is_kept_out, NULL));
}

static pthread_key_t later;

static void ends_the_write(void *held) { OK(pthread_rwlock_unlock(held)); }

static void *writes_to_its_end(void *unused) {
    OK(pthread_setspecific(later, &lock));
    return writes(unused);
}

/* The library's own destructor comes before this one. */
static void a_destructor_ends_a_write(void) {
    OK(pthread_key_create(&later, ends_the_write));
    for (int i = 0; i < 20; i++) {
        finish(start(writes_to_its_end, NULL));
        is_free();
    }
}

/* The last user of the object destroys it, and unmaps its memory. */
struct object {
    pthread_rwlock_t lock;
    int users;
};

static void *uses(void *with) {
    struct object *object = with;
    for (int i = 0; i < 3; i++) {
        OK(pthread_rwlock_rdlock(&object->lock));
        OK(pthread_rwlock_unlock(&object->lock));
    }
    OK(pthread_rwlock_wrlock(&object->lock));
    int left = --object->users;
    OK(pthread_rwlock_unlock(&object->lock));
    if (left == 0) {
        OK(pthread_rwlock_destroy(&object->lock));
        CHECK(munmap(object, 4096) == 0);
    }
    return NULL;
}

static void memory_goes_right_after_the_unlock(void) {
    for (int i = 0; i < 2000; i++) {
        struct object *object =
            mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(object != MAP_FAILED);
        OK(pthread_rwlock_init(&object->lock, NULL));
        object->users = 3;
        pthread_t all[3];
        for (int user = 0; user < 3; user++) all[user] = start(uses, object);
        for (int user = 0; user < 3; user++) finish(all[user]);
    }
}

static void a_leaked_read_ends_with_init(void) {
    for (int i = 0; i < 10; i++) {
        if (i % 2) read_often(&lock);
        reads((void *)3);
        memset(&lock, 0xee, sizeof lock);
        OK(pthread_rwlock_init(&lock, NULL));
        OK(pthread_rwlock_wrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
    }
}

static void a_leaked_read_ends_with_destroy(void) {
    for (int i = 0; i < 10; i++) {
        if (i % 2) read_often(&lock);
        reads((void *)3);
        OK(pthread_rwlock_destroy(&lock));
        memset(&lock, 0, sizeof lock);
        if (i > 5) read_often(&lock);
        OK(pthread_rwlock_wrlock(&lock));
        OK(pthread_rwlock_unlock(&lock));
    }
}

static pthread_barrier_t barrier;

static void *leaks(void *unused) {
    (void)unused;
    read_often(&lock);
    reads((void *)2);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    read_often(&lock);
    return NULL;
}

static void a_leaked_read_of_another_thread_ends_with_init(void) {
    OK(pthread_barrier_init(&barrier, NULL, 2));
    pthread_t other = start(leaks, NULL);
    pthread_barrier_wait(&barrier);
    memset(&lock, 0, sizeof lock);
    OK(pthread_rwlock_init(&lock, NULL));
    read_often(&lock);
    OK(pthread_rwlock_wrlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    pthread_barrier_wait(&barrier);
    finish(other);
    is_free();
}

CHOOSE(
    BEHAVIOUR(another_thread_ends_a_read)
    BEHAVIOUR(another_thread_ends_a_read_by_slot)
    BEHAVIOUR(another_thread_ends_one_of_nested_reads)
    BEHAVIOUR(a_read_outlives_its_thread)
    BEHAVIOUR(a_write_outlives_its_thread)
    BEHAVIOUR(a_destructor_ends_a_write)
    BEHAVIOUR(memory_goes_right_after_the_unlock)
    BEHAVIOUR(a_leaked_read_ends_with_init)
    BEHAVIOUR(a_leaked_read_ends_with_destroy)
    BEHAVIOUR(a_leaked_read_of_another_thread_ends_with_init))
