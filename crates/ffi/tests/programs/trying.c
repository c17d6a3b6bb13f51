// Calls that never wait answer whether they took the lock.

#include "threads.h"
#include <siftlock.h>

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;

static void *finds_it_free(void *unused) {
    ANSWERS(0, siftlock_rwsem_try_write(&lock));
    ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
    ANSWERS(0, siftlock_rwsem_try_upgradable(&lock));
    ANSWERS(0, siftlock_rwsem_upgradable_unlock(&lock));
    return unused;
}

static void *finds_it_read(void *unused) {
    ANSWERS(EBUSY, siftlock_rwsem_try_write(&lock));
    ANSWERS(0, siftlock_rwsem_try_read(&lock));
    ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    ANSWERS(EBUSY, siftlock_rwsem_destroy(&lock));
    return unused;
}

static void *finds_it_written(void *unused) {
    ANSWERS(EBUSY, siftlock_rwsem_try_write(&lock));
    ANSWERS(EBUSY, siftlock_rwsem_try_read(&lock));
    ANSWERS(EBUSY, siftlock_rwsem_try_upgradable(&lock));
    ANSWERS(EBUSY, siftlock_rwsem_destroy(&lock));
    return unused;
}

static void *finds_it_upgradable(void *unused) {
    ANSWERS(EBUSY, siftlock_rwsem_try_upgradable(&lock));
    return finds_it_read(unused);
}

// Looks in another thread, and in this one.
static void all(void *(*look)(void *)) {
    join(start(look, NULL));
    look(NULL);
}

int main(void) {
    end_after_a_minute();
    all(finds_it_free);

    // Many times, so that the lock comes to be read by slot.
    for (int i = 0; i < 20000; i++) {
        ANSWERS(0, siftlock_rwsem_try_read(&lock));
        if (i % 5000 == 0) all(finds_it_read);
        ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    }
    ANSWERS(0, siftlock_rwsem_read(&lock));
    ANSWERS(0, siftlock_rwsem_read_recursive(&lock));
    ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    all(finds_it_read);
    ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    all(finds_it_free);

    ANSWERS(0, siftlock_rwsem_try_write(&lock));
    all(finds_it_written);
    ANSWERS(0, siftlock_rwsem_downgrade(&lock));
    all(finds_it_read);
    ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    all(finds_it_free);

    ANSWERS(0, siftlock_rwsem_try_upgradable(&lock));
    all(finds_it_upgradable);
    ANSWERS(0, siftlock_rwsem_try_upgrade(&lock));
    all(finds_it_written);
    ANSWERS(0, siftlock_rwsem_downgrade_to_upgradable(&lock));
    all(finds_it_upgradable);
    ANSWERS(0, siftlock_rwsem_downgrade_upgradable(&lock));
    all(finds_it_read);
    ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    all(finds_it_free);
    return 0;
}
