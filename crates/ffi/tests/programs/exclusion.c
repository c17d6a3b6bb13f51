// Writers change two numbers, one after the other. Readers never see the numbers differ, and no
// change is lost.

#include "threads.h"
#include <sched.h>
#include <siftlock.h>

enum { WRITERS = 3, READERS = 3, WRITES = 2000 };

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
static volatile int first, second;

static void *write_often(void *unused) {
    for (int i = 0; i < WRITES; i++) {
        ANSWERS(0, siftlock_rwsem_write(&lock));
        int before = first;
        first = before + 1;
        if (i % 16 == 0) sched_yield();
        second = before + 1;
        ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
    }
    return unused;
}

static void *read_often(void *unused) {
    for (int last = 0; last < WRITERS * WRITES;) {
        ANSWERS(0, siftlock_rwsem_read(&lock));
        int seen = first;
        CHECK(seen == second);
        CHECK(seen >= last);
        last = seen;
        ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    }
    return unused;
}

int main(void) {
    end_after_a_minute();
    pthread_t threads[WRITERS + READERS];
    for (int i = 0; i < READERS; i++) threads[i] = start(read_often, NULL);
    for (int i = 0; i < WRITERS; i++) threads[READERS + i] = start(write_often, NULL);
    for (int i = 0; i < WRITERS + READERS; i++) join(threads[i]);
    CHECK(first == WRITERS * WRITES);
    CHECK(second == WRITERS * WRITES);
    ANSWERS(0, siftlock_rwsem_destroy(&lock));
    return 0;
}
