// Calls answer the mistakes that the priority-sifting lock can see, and leave the lock as it was.

#include "threads.h"
#include <siftlock.h>
#include <stdalign.h>

typedef int (*function)(siftlock_psrw *);
typedef int (*function_raised)(siftlock_psrw *, siftlock_raised *);

static const function PLAIN[] = {
    siftlock_psrw_init,        siftlock_psrw_destroy,      siftlock_psrw_read,
    siftlock_psrw_try_read,    siftlock_psrw_write,        siftlock_psrw_try_write,
    siftlock_psrw_read_unlock, siftlock_psrw_write_unlock, siftlock_psrw_downgrade,
};
static const function UNLOCKS[] = {
    siftlock_psrw_read_unlock, siftlock_psrw_write_unlock, siftlock_psrw_downgrade
};
static const function_raised RAISED[] = {
    siftlock_psrw_handler_read, siftlock_psrw_handler_try_read, siftlock_psrw_handler_read_unlock
};

#define EACH(i, functions) (size_t i = 0; i < sizeof functions / sizeof *functions; i++)

static siftlock_psrw lock = SIFTLOCK_PSRW_INIT;
static siftlock_raised raised;

static int nothing(void *unused) {
    (void)unused;
    return 0;
}

static void no_lock_can_be_at(siftlock_psrw *place) {
    const struct timespec time = { 1, 0 };
    for EACH (i, PLAIN) ANSWERS(EINVAL, PLAIN[i](place));
    for EACH (i, RAISED) ANSWERS(EINVAL, RAISED[i](place, &raised));
    ANSWERS(EINVAL, siftlock_psrw_read_until(place, CLOCK_REALTIME, &time));
    ANSWERS(EINVAL, siftlock_psrw_write_until(place, CLOCK_REALTIME, &time));
    ANSWERS(EINVAL, siftlock_psrw_update(place, nothing, NULL));
}

static void nothing_can_be_kept_at(siftlock_raised *place) {
    for EACH (i, RAISED) ANSWERS(EINVAL, RAISED[i](&lock, place));
}

static void addresses(void) {
    no_lock_can_be_at(NULL);
    nothing_can_be_kept_at(NULL);
    alignas(siftlock_psrw) char memory[2 * sizeof(siftlock_psrw)] = { 0 };
    // The addresses are misaligned on purpose. The volatile variables hide that from the compiler.
    for (uintptr_t off = 1; off < alignof(siftlock_psrw); off++) {
        siftlock_psrw *volatile place = (siftlock_psrw *)((uintptr_t)memory + off);
        no_lock_can_be_at(place);
        siftlock_raised *volatile kept = (siftlock_raised *)((uintptr_t)memory + off);
        nothing_can_be_kept_at(kept);
    }
    ANSWERS(EINVAL, siftlock_psrw_update(&lock, NULL, NULL));
}

static void nothing_is_held(void) {
    const siftlock_psrw unlocked = SIFTLOCK_PSRW_INIT, before = lock;
    for EACH (i, UNLOCKS) ANSWERS(EPERM, UNLOCKS[i](&lock));
    ANSWERS(EPERM, siftlock_psrw_handler_read_unlock(&lock, &raised));
    CHECK(memcmp(&lock, &before, sizeof lock) == 0);
    ANSWERS(0, siftlock_psrw_destroy(&lock));
    CHECK(memcmp(&lock, &unlocked, sizeof lock) == 0);
}

static void read_is_held(void) {
    ANSWERS(0, siftlock_psrw_read(&lock));
    ANSWERS(EPERM, siftlock_psrw_write_unlock(&lock));
    ANSWERS(EPERM, siftlock_psrw_downgrade(&lock));
    ANSWERS(EPERM, siftlock_psrw_handler_read_unlock(&lock, &raised));
    ANSWERS(EBUSY, siftlock_psrw_destroy(&lock));
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
}

static void handler_read_is_held(void) {
    ANSWERS(0, siftlock_psrw_handler_read(&lock, &raised));
    for EACH (i, UNLOCKS) ANSWERS(EPERM, UNLOCKS[i](&lock));
    ANSWERS(EBUSY, siftlock_psrw_destroy(&lock));
    ANSWERS(0, siftlock_psrw_handler_read_unlock(&lock, &raised));
}

static void write_is_held(void) {
    ANSWERS(0, siftlock_psrw_write(&lock));
    ANSWERS(EPERM, siftlock_psrw_read_unlock(&lock));
    ANSWERS(EPERM, siftlock_psrw_handler_read_unlock(&lock, &raised));
    ANSWERS(EBUSY, siftlock_psrw_destroy(&lock));
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
}

// While a write is being prepared, no thread has the lock yet.
static int unlocks_too_soon(void *unused) {
    for EACH (i, UNLOCKS) ANSWERS(EPERM, UNLOCKS[i](&lock));
    ANSWERS(EBUSY, siftlock_psrw_destroy(&lock));
    return nothing(unused);
}

int main(void) {
    end_after_a_minute();
    addresses();
    nothing_is_held();
    read_is_held();
    nothing_is_held();
    handler_read_is_held();
    nothing_is_held();
    write_is_held();
    nothing_is_held();
    ANSWERS(0, siftlock_psrw_update(&lock, unlocks_too_soon, NULL));
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));
    nothing_is_held();

    // The call makes a lock of memory with any content.
    memset(&lock, 0xa5, sizeof lock);
    ANSWERS(0, siftlock_psrw_init(&lock));
    nothing_is_held();
    return 0;
}
