// Writers make the new table before they write it, while handlers read. No change is lost, and no
// handler sees half of one.

#include "threads.h"
#include <siftlock.h>
#include <signal.h>

enum { WRITERS = 3, UPDATES = 400, LENGTH = 8 };

typedef struct {
    int numbers[LENGTH];
} table;

static siftlock_psrw lock = SIFTLOCK_PSRW_INIT;
static table *current;
static int handled, torn;

static int is_whole(const table *some) {
    for (int i = 1; i < LENGTH; i++) {
        if (some->numbers[i] != some->numbers[0]) return 0;
    }
    return 1;
}

static void look(int signal, const void *info, void *context) {
    (void)signal, (void)info, (void)context;
    siftlock_raised raised;
    if (siftlock_psrw_handler_read(&lock, &raised) != 0) abort();
    if (!is_whole(current)) __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
    if (siftlock_psrw_handler_read_unlock(&lock, &raised) != 0) abort();
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static int make_next(void *made) {
    table *next = malloc(sizeof *next);
    CHECK(next);
    for (int i = 0; i < LENGTH; i++) next->numbers[i] = current->numbers[i] + 1;
    *(table **)made = next;
    return 0;
}

// While the write is being prepared, handlers are not kept away.
static int is_interrupted(void *before) {
    CHECK(raise(SIGUSR1) == 0);
    CHECK(__atomic_load_n(&handled, __ATOMIC_RELAXED) > *(int *)before);
    return 0;
}

static int has_no_memory(void *seen) {
    *(int *)seen = current->numbers[0];
    return ENOMEM;
}

static void *update_often(void *unused) {
    for (int i = 0; i < UPDATES; i++) {
        table *next = NULL;
        int seen = -1;
        if (i % 8 == 0) ANSWERS(ENOMEM, siftlock_psrw_update(&lock, has_no_memory, &seen));
        ANSWERS(0, siftlock_psrw_update(&lock, make_next, &next));
        CHECK(next->numbers[0] == current->numbers[0] + 1);
        table *old = current;
        current = next;
        if (i % 2 == 0) {
            ANSWERS(0, siftlock_psrw_write_unlock(&lock));
        } else {
            ANSWERS(0, siftlock_psrw_downgrade(&lock));
            CHECK(current == next);
            ANSWERS(0, siftlock_psrw_read_unlock(&lock));
        }
        CHECK(raise(SIGUSR1) == 0);
        free(old);
    }
    return unused;
}

int main(void) {
    end_after_a_minute();
    current = calloc(1, sizeof *current);
    CHECK(current);
    ANSWERS(0, siftlock_register(SIGUSR1, look));

    // Handlers run while a writer prepares, and the lock is not held after a failure.
    int before = handled;
    ANSWERS(0, siftlock_psrw_update(&lock, is_interrupted, &before));
    ANSWERS(EBUSY, siftlock_psrw_destroy(&lock));
    CHECK(raise(SIGUSR1) == 0);
    const int during = handled;
    ANSWERS(0, siftlock_psrw_downgrade(&lock));
    CHECK(handled == during + 1);
    ANSWERS(0, siftlock_psrw_try_read(&lock));
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    ANSWERS(EBUSY, siftlock_psrw_try_write(&lock));
    ANSWERS(0, siftlock_psrw_read_unlock(&lock));
    int seen = -1;
    ANSWERS(ENOMEM, siftlock_psrw_update(&lock, has_no_memory, &seen));
    CHECK(seen == 0);
    ANSWERS(0, siftlock_psrw_try_write(&lock));
    ANSWERS(0, siftlock_psrw_write_unlock(&lock));

    ANSWERS(EINVAL, siftlock_psrw_update(&lock, NULL, NULL));
    ANSWERS(EINVAL, siftlock_psrw_update(NULL, make_next, &current));
    ANSWERS(EPERM, siftlock_psrw_downgrade(&lock));
    ANSWERS(EINVAL, siftlock_psrw_downgrade(NULL));

    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++) threads[i] = start(update_often, NULL);
    for (int i = 0; i < WRITERS; i++) join(threads[i]);
    CHECK(current->numbers[0] == WRITERS * UPDATES && is_whole(current));
    CHECK(torn == 0);
    ANSWERS(0, siftlock_psrw_destroy(&lock));
    free(current);
    return 0;
}
