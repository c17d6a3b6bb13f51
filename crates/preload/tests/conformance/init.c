// pthread_rwlock_init and _destroy, the static initialisers, and the end of a lock's memory.

#include "actors.h"
#include <sys/mman.h>

static rwlock usual = PTHREAD_RWLOCK_INITIALIZER;
static rwlock nonrecursive = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static rwlock lock;

EACH(0, "takes a lock that PTHREAD_RWLOCK_INITIALIZER made") {
    ANSWERS(0, take(way, &usual));
    CHECK(could_write(&usual) == EBUSY);
    UNLOCKS(&usual);
    CHECK(could_write(&usual) == 0);
}

EACH(0, "takes a lock that PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP made") {
    ANSWERS(0, take(way, &nonrecursive));
    CHECK(could_write(&nonrecursive) == EBUSY);
    UNLOCKS(&nonrecursive);
    CHECK(could_write(&nonrecursive) == 0);
}

EACH(0, "takes a lock that init made in memory full of other things") {
    memset(&lock, 0xA5, sizeof lock);
    ANSWERS(0, pthread_rwlock_init(&lock, NULL));
    ANSWERS(0, take(way, &lock));
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

TEST("INITIALIZER: a lock needs no init before destroy") {
    ANSWERS(0, pthread_rwlock_destroy(&usual));
}

TEST("WRITER_NONRECURSIVE_INITIALIZER_NP: a lock prefers writers") {
    struct actor writer;
    ANSWERS(0, pthread_rwlock_rdlock(&nonrecursive));
    asks(&writer, WRLOCK, &nonrecursive);
    waits(&writer);
    CHECK(could_read(&nonrecursive) == EBUSY);
    UNLOCKS(&nonrecursive);
    leaves(&writer);
}

TEST("INITIALIZER: an initialiser in an assignment makes the lock anew") {
    const rwlock fresh = PTHREAD_RWLOCK_INITIALIZER;
    ANSWERS(0, pthread_rwlock_wrlock(&usual));
    UNLOCKS(&usual);
    usual = fresh;
    CHECK(could_write(&usual) == 0);
}

TEST("init: the lock is unlocked") {
    ANSWERS(0, pthread_rwlock_init(&lock, NULL));
    CHECK(could_write(&lock) == 0);
}

TEST("init: two locks side by side are two") {
    static rwlock pair[2];
    for (int i = 0; i < 2; i++) ANSWERS(0, pthread_rwlock_init(&pair[i], NULL));
    ANSWERS(0, pthread_rwlock_wrlock(&pair[0]));
    CHECK(could_write(&pair[1]) == 0);
    ANSWERS(0, pthread_rwlock_wrlock(&pair[1]));
    UNLOCKS(&pair[0]);
    CHECK(could_read(&pair[0]) == 0 && could_read(&pair[1]) == EBUSY);
}

TEST("init: writes nothing outside of the lock") {
    struct {
        unsigned char before[64];
        rwlock lock;
        unsigned char after[64];
    } room;
    memset(&room, 0x5A, sizeof room);
    ANSWERS(0, pthread_rwlock_init(&room.lock, NULL));
    ANSWERS(0, pthread_rwlock_wrlock(&room.lock));
    UNLOCKS(&room.lock);
    ANSWERS(0, pthread_rwlock_rdlock(&room.lock));
    UNLOCKS(&room.lock);
    ANSWERS(0, pthread_rwlock_destroy(&room.lock));
    for (int i = 0; i < 64; i++) CHECK(room.before[i] == 0x5A && room.after[i] == 0x5A);
}

TEST("destroy: answers 0 for a lock that nobody holds") {
    ANSWERS(0, pthread_rwlock_init(&lock, NULL));
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    UNLOCKS(&lock);
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    UNLOCKS(&lock);
    ANSWERS(0, pthread_rwlock_destroy(&lock));
}

TEST("destroy: the lock can be initialised again") {
    for (int i = 0; i < 100; i++) {
        ANSWERS(0, pthread_rwlock_init(&lock, NULL));
        CHECK(could_write(&lock) == 0);
        ANSWERS(0, pthread_rwlock_rdlock(&lock));
        CHECK(could_write(&lock) == EBUSY);
        UNLOCKS(&lock);
        ANSWERS(0, pthread_rwlock_destroy(&lock));
    }
}

// Programs destroy locks at exit that other threads still use. In glibc these locks still work.
EACH(0, "works after destroy, as in glibc") {
    ANSWERS(0, pthread_rwlock_init(&lock, NULL));
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    UNLOCKS(&lock);
    ANSWERS(0, pthread_rwlock_destroy(&lock));
    ANSWERS(0, take(way, &lock));
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

// Each page holds one lock. The second thread to hold it unmaps the page.
enum { PAGES = 1000 };
static rwlock *pages[PAGES];
static atomic_int held, page_way;

static void *holds_each_page(void *unused) {
    for (int i = 0; i < PAGES; i++) {
        ANSWERS(0, take(&WAYS[page_way], pages[i]));
        atomic_store(&held, i + 1);
        // Some unlocks come before the other thread waits, some after.
        if (i % 2) pause_for(MILLISECOND / 20);
        UNLOCKS(pages[i]);
    }
    return unused;
}

EACH(WAITS, "the next to hold the lock may destroy it and give its memory away") {
    for (int i = 0; i < PAGES; i++) {
        void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(page != MAP_FAILED);
        pages[i] = (rwlock *)page;
        ANSWERS(0, pthread_rwlock_init(pages[i], NULL));
    }
    atomic_store(&page_way, (int)(way - WAYS));
    pthread_t holder = start(holds_each_page, NULL);
    for (int i = 0; i < PAGES; i++) {
        until(&held, i + 1);
        ANSWERS(0, pthread_rwlock_wrlock(pages[i]));
        UNLOCKS(pages[i]);
        ANSWERS(0, pthread_rwlock_destroy(pages[i]));
        CHECK(munmap(pages[i], 4096) == 0);
    }
    join(holder);
}

RUN_ALL
