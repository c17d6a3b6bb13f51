// A lock can begin as the initializer, as zeroed memory, or by a call. Its size is part of the
// interface.

#include "threads.h"
#include <siftlock.h>

_Static_assert(sizeof(siftlock_rwsem) == 24, "part of the interface");
_Static_assert(_Alignof(siftlock_rwsem) == 8, "part of the interface");

static siftlock_rwsem zeroed;
static siftlock_rwsem initialized = SIFTLOCK_RWSEM_INIT;

static void works(siftlock_rwsem *lock) {
    ANSWERS(0, siftlock_rwsem_write(lock));
    ANSWERS(EBUSY, siftlock_rwsem_try_read(lock));
    ANSWERS(0, siftlock_rwsem_write_unlock(lock));
    ANSWERS(0, siftlock_rwsem_read(lock));
    ANSWERS(EBUSY, siftlock_rwsem_try_write(lock));
    ANSWERS(0, siftlock_rwsem_read_unlock(lock));
    ANSWERS(0, siftlock_rwsem_destroy(lock));
}

int main(void) {
    end_after_a_minute();
    errno = 12345;
    siftlock_prepare();
    CHECK(errno == 12345);
    CHECK(memcmp(&zeroed, &initialized, sizeof zeroed) == 0);
    works(&zeroed);
    works(&initialized);
    // A lock that was destroyed can be used again.
    works(&initialized);

    siftlock_rwsem *lock = calloc(1, sizeof *lock);
    CHECK(lock);
    works(lock);
    memset(lock, 0xa5, sizeof *lock);
    ANSWERS(0, siftlock_rwsem_init(lock));
    works(lock);
    free(lock);
    return 0;
}
