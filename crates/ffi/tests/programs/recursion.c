// A thread that reads the lock reads it once more, while a writer waits for the first read. A plain
// read would wait for that writer.

#include "threads.h"
#include <siftlock.h>

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
static int written;

static void *write_once(void *unused) {
    ANSWERS(0, siftlock_rwsem_write(&lock));
    written++;
    ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
    return unused;
}

static void wait_until_kept_for_the_writer(void) {
    int error;
    while ((error = siftlock_rwsem_try_read(&lock)) == 0) {
        ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
        pause_for(MILLISECOND);
    }
    CHECK(error == EBUSY);
}

int main(void) {
    alarm(10);
    for (int i = 0; i < 3; i++) {
        ANSWERS(0, siftlock_rwsem_read(&lock));
        CHECK(written == i);
        pthread_t writer = start(write_once, NULL);
        wait_until_kept_for_the_writer();
        ANSWERS(0, siftlock_rwsem_read_recursive(&lock));
        CHECK(written == i);
        ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
        ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
        join(writer);
        CHECK(written == i + 1);
    }
    return 0;
}
