// Calls answer the mistakes that the lock can see, and leave the lock as it was.

#include "threads.h"
#include <siftlock.h>
#include <stdalign.h>

typedef int (*function)(siftlock_rwsem *);

static const function UNLOCKS[] = {
    siftlock_rwsem_read_unlock,
    siftlock_rwsem_write_unlock,
    siftlock_rwsem_downgrade,
    siftlock_rwsem_upgradable_unlock,
    siftlock_rwsem_upgrade,
    siftlock_rwsem_try_upgrade,
    siftlock_rwsem_downgrade_upgradable,
    siftlock_rwsem_downgrade_to_upgradable,
};

static const function OTHERS[] = {
    siftlock_rwsem_init,       siftlock_rwsem_destroy,        siftlock_rwsem_read,
    siftlock_rwsem_try_read,   siftlock_rwsem_read_recursive, siftlock_rwsem_write,
    siftlock_rwsem_try_write,  siftlock_rwsem_upgradable,     siftlock_rwsem_try_upgradable,
};

#define EACH(i, functions) (size_t i = 0; i < sizeof functions / sizeof *functions; i++)

static void no_lock_can_be_at(siftlock_rwsem *place) {
    const struct timespec time = { 1, 0 };
    for EACH (i, UNLOCKS) ANSWERS(EINVAL, UNLOCKS[i](place));
    for EACH (i, OTHERS) ANSWERS(EINVAL, OTHERS[i](place));
    ANSWERS(EINVAL, siftlock_rwsem_read_until(place, CLOCK_REALTIME, &time));
    ANSWERS(EINVAL, siftlock_rwsem_write_until(place, CLOCK_REALTIME, &time));
    ANSWERS(EINVAL, siftlock_rwsem_upgradable_until(place, CLOCK_REALTIME, &time));
    ANSWERS(EINVAL, siftlock_rwsem_upgrade_until(place, CLOCK_REALTIME, &time));
}

static void is_free(siftlock_rwsem *lock) {
    ANSWERS(0, siftlock_rwsem_try_write(lock));
    ANSWERS(0, siftlock_rwsem_write_unlock(lock));
}

// A plain read that is surely in the count: siftlock_rwsem_read may read by the thread's slot.
static int read_by_downgrade(siftlock_rwsem *lock) {
    ANSWERS(0, siftlock_rwsem_upgradable(lock));
    return siftlock_rwsem_downgrade_upgradable(lock);
}

static void a_plain_read_is_no_upgradable_read(siftlock_rwsem *lock, function read) {
    const struct timespec time = { 1, 0 };
    ANSWERS(0, read(lock));
    const siftlock_rwsem held = *lock;
    ANSWERS(EPERM, siftlock_rwsem_upgradable_unlock(lock));
    ANSWERS(EPERM, siftlock_rwsem_upgrade(lock));
    ANSWERS(EPERM, siftlock_rwsem_try_upgrade(lock));
    ANSWERS(EPERM, siftlock_rwsem_upgrade_until(lock, CLOCK_REALTIME, &time));
    ANSWERS(EPERM, siftlock_rwsem_downgrade_upgradable(lock));
    CHECK(memcmp(lock, &held, sizeof held) == 0);
    ANSWERS(0, siftlock_rwsem_read_unlock(lock));
    is_free(lock);
}

static void an_upgradable_read_is_no_plain_read(siftlock_rwsem *lock) {
    ANSWERS(0, siftlock_rwsem_upgradable(lock));
    ANSWERS(EPERM, siftlock_rwsem_read_unlock(lock));
    // Beside the upgradable read, a plain read is unlocked as usual.
    ANSWERS(0, siftlock_rwsem_read_recursive(lock));
    ANSWERS(EBUSY, siftlock_rwsem_try_upgrade(lock));
    ANSWERS(0, siftlock_rwsem_read_unlock(lock));
    ANSWERS(EPERM, siftlock_rwsem_read_unlock(lock));
    ANSWERS(0, siftlock_rwsem_upgrade(lock));
    ANSWERS(EPERM, siftlock_rwsem_upgradable_unlock(lock));
    ANSWERS(0, siftlock_rwsem_downgrade_to_upgradable(lock));
    ANSWERS(0, siftlock_rwsem_upgradable_unlock(lock));
    is_free(lock);
}

int main(void) {
    end_after_a_minute();
    no_lock_can_be_at(NULL);
    alignas(siftlock_rwsem) char memory[2 * sizeof(siftlock_rwsem)] = { 0 };
    // The address is misaligned on purpose. The volatile variable hides that from the compiler.
    for (uintptr_t off = 1; off < alignof(siftlock_rwsem); off++) {
        siftlock_rwsem *volatile place = (siftlock_rwsem *)((uintptr_t)memory + off);
        no_lock_can_be_at(place);
    }

    siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
    const siftlock_rwsem unlocked = lock;
    for EACH (i, UNLOCKS) {
        ANSWERS(EPERM, UNLOCKS[i](&lock));
        CHECK(memcmp(&lock, &unlocked, sizeof lock) == 0);
    }

    // A read is no write.
    ANSWERS(0, siftlock_rwsem_read(&lock));
    ANSWERS(EPERM, siftlock_rwsem_write_unlock(&lock));
    ANSWERS(EPERM, siftlock_rwsem_downgrade(&lock));
    ANSWERS(EPERM, siftlock_rwsem_downgrade_to_upgradable(&lock));
    ANSWERS(EBUSY, siftlock_rwsem_destroy(&lock));
    ANSWERS(0, siftlock_rwsem_read_unlock(&lock));
    ANSWERS(EPERM, siftlock_rwsem_read_unlock(&lock));

    a_plain_read_is_no_upgradable_read(&lock, siftlock_rwsem_read);
    a_plain_read_is_no_upgradable_read(&lock, read_by_downgrade);
    an_upgradable_read_is_no_plain_read(&lock);

    // A write is no read.
    ANSWERS(0, siftlock_rwsem_write(&lock));
    ANSWERS(EPERM, siftlock_rwsem_read_unlock(&lock));
    ANSWERS(EPERM, siftlock_rwsem_upgradable_unlock(&lock));
    ANSWERS(EPERM, siftlock_rwsem_upgrade(&lock));
    ANSWERS(EBUSY, siftlock_rwsem_destroy(&lock));
    ANSWERS(0, siftlock_rwsem_write_unlock(&lock));
    ANSWERS(EPERM, siftlock_rwsem_write_unlock(&lock));

    ANSWERS(0, siftlock_rwsem_destroy(&lock));
    return 0;
}
