// Threads read a number beside other readers, and then upgrade to write it. No number is taken
// twice.

#include "threads.h"
#include <siftlock.h>

enum { THREADS = 4, ROUNDS = 1000 };

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
static volatile int taken;

static void *take(void *count) {
    for (int i = 0; i < ROUNDS; i++) {
        ANSWERS(0, siftlock_rwsem_upgradable(&lock));
        int before = taken;
        ANSWERS(0, siftlock_rwsem_upgrade(&lock));
        // No thread has written since this one read the number.
        CHECK(taken == before);
        taken = before + 1;
        ANSWERS(0, siftlock_rwsem_downgrade(&lock));
        CHECK(taken == before + 1);
        ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
        ++*(int *)count;
    }
    return NULL;
}

static void *read_often(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        ANSWERS(0, siftlock_rwsem_read(&lock));
        int seen = taken;
        CHECK(seen == taken);
        ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    }
    return unused;
}

int main(void) {
    end_after_a_minute();
    int counts[THREADS] = { 0 };
    pthread_t threads[THREADS], reader = start(read_often, NULL);
    for (int i = 0; i < THREADS; i++) threads[i] = start(take, &counts[i]);
    for (int i = 0; i < THREADS; i++) join(threads[i]);
    join(reader);
    for (int i = 0; i < THREADS; i++) CHECK(counts[i] == ROUNDS);
    CHECK(taken == THREADS * ROUNDS);
    return 0;
}
