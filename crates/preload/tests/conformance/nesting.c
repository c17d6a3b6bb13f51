// Many locks held at once by one thread, and unlocked in any order.

#include "actors.h"

enum { MOST = 500 };
static rwlock locks[MOST];
static int order[MOST];

static void in_order(int count) {
    for (int i = 0; i < count; i++) order[i] = i;
}

static void in_reverse(int count) {
    for (int i = 0; i < count; i++) order[i] = count - 1 - i;
}

static void shuffled(int count) {
    unsigned seed = 12345;
    in_order(count);
    for (int i = count - 1; i > 0; i--) {
        seed = seed * 1103515245u + 12345u;
        const int j = (int)(seed / 65536u % (unsigned)(i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void *none_can_be_written(void *count) {
    for (int i = 0; i < *(const int *)count; i++)
        ANSWERS(EBUSY, pthread_rwlock_trywrlock(&locks[i]));
    return NULL;
}

static void *all_can_be_written(void *count) {
    for (int i = 0; i < *(const int *)count; i++) {
        ANSWERS(0, pthread_rwlock_trywrlock(&locks[i]));
        UNLOCKS(&locks[i]);
    }
    return NULL;
}

static void nests(const struct way *way, int count, void (*sort)(int)) {
    for (int i = 0; i < count; i++) ANSWERS(0, pthread_rwlock_init(&locks[i], NULL));
    // Traces of the first turn show in the second.
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < count; i++) ANSWERS(0, take(way, &locks[i]));
        join(start(none_can_be_written, &count));
        sort(count);
        for (int i = 0; i < count; i++) {
            ANSWERS(EBUSY, pthread_rwlock_trywrlock(&locks[order[i]]));
            UNLOCKS(&locks[order[i]]);
            CHECK(i % 16 != 0 || could_write(&locks[order[i]]) == 0);
        }
        join(start(all_can_be_written, &count));
    }
}

#define NESTS(count)                                                                               \
    EACH(0, #count " locks at once, unlocked in the same order") { nests(way, count, in_order); }

#define NESTS_REVERSED(count)                                                                      \
    EACH(0, #count " locks at once, unlocked in the reverse order") {                              \
        nests(way, count, in_reverse);                                                             \
    }

#define NESTS_SHUFFLED(count)                                                                      \
    EACH(0, #count " locks at once, unlocked in any order") { nests(way, count, shuffled); }

NESTS(2)
NESTS(9)
NESTS(500)
NESTS_REVERSED(8)
NESTS_REVERSED(33)
NESTS_REVERSED(500)
NESTS_SHUFFLED(8)
NESTS_SHUFFLED(33)
NESTS_SHUFFLED(500)

TEST("unlock: reads and writes of many locks, nested and mixed") {
    enum { COUNT = 40 };
    for (int i = 0; i < COUNT; i++) ANSWERS(0, pthread_rwlock_init(&locks[i], NULL));
    for (int i = 0; i < COUNT; i++) ANSWERS(0, take(&WAYS[i % WAY_COUNT], &locks[i]));
    shuffled(COUNT);
    for (int i = 0; i < COUNT; i++) {
        const int wanted = WAYS[order[i] % WAY_COUNT].is & WRITES ? EBUSY : 0;
        CHECK(could_read(&locks[order[i]]) == wanted);
        UNLOCKS(&locks[order[i]]);
        CHECK(could_write(&locks[order[i]]) == 0);
    }
}

EACH(READS, "reads of one lock among reads of others, unlocked in any order") {
    enum { COUNT = 20, TIMES = 4 };
    for (int i = 0; i < COUNT; i++) ANSWERS(0, pthread_rwlock_init(&locks[i], NULL));
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < TIMES; j++) ANSWERS(0, take(way, &locks[(i * 7 + j) % COUNT]));
    shuffled(COUNT);
    for (int j = 0; j < TIMES; j++) {
        for (int i = 0; i < COUNT; i++) {
            CHECK(could_write(&locks[order[i]]) == EBUSY);
            UNLOCKS(&locks[order[i]]);
        }
    }
    for (int i = 0; i < COUNT; i++) CHECK(could_write(&locks[i]) == 0);
}

EACH(READS, "hand over hand through a chain of locks") {
    enum { COUNT = 100 };
    for (int i = 0; i < COUNT; i++) ANSWERS(0, pthread_rwlock_init(&locks[i], NULL));
    ANSWERS(0, take(way, &locks[0]));
    for (int i = 1; i < COUNT; i++) {
        ANSWERS(0, take(way, &locks[i]));
        UNLOCKS(&locks[i - 1]);
        CHECK(could_write(&locks[i - 1]) == 0 && could_write(&locks[i]) == EBUSY);
    }
}

static void *nests_often(void *way) {
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 12; i++) CHECK(take((const struct way *)way, &locks[i]) == 0);
        for (int i = 0; i < 12; i++) UNLOCKS(&locks[(i * 5 + round) % 12]);
    }
    return NULL;
}

EACH(READS | WAITS, "twelve locks at once by each of several threads, and writers between") {
    pthread_t threads[4];
    for (int i = 0; i < 12; i++) ANSWERS(0, pthread_rwlock_init(&locks[i], NULL));
    for (int i = 0; i < 4; i++) threads[i] = start(nests_often, (void *)(uintptr_t)way);
    for (int i = 0; i < 200; i++) {
        const int answer = pthread_rwlock_trywrlock(&locks[i % 12]);
        if (answer == 0) UNLOCKS(&locks[i % 12]);
        else CHECK(answer == EBUSY);
    }
    for (int i = 0; i < 4; i++) join(threads[i]);
    int count = 12;
    join(start(all_can_be_written, &count));
}

RUN_ALL
