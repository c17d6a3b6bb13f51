// The names and versions by which programs find the functions, all of which must mean the same locks.

#include "actors.h"

typedef int (*function)(rwlock *);

static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;

// The version that programs linked before glibc 2.34 ask for. The names with underscores have no other.
#ifdef __x86_64__
#define OLD "GLIBC_2.2.5"
#else
#define OLD "GLIBC_2.17"
#endif

static void *old_symbol(const char *name, const char *version) {
    void *symbol = dlvsym(RTLD_DEFAULT, name, version);
    if (symbol == NULL) FAIL("no %s@%s", name, version);
    return symbol;
}

static function named(const char *name) {
    function found;
    void *symbol = old_symbol(name, OLD);
    memcpy(&found, &symbol, sizeof found);
    return found;
}

#define TAKES(alias, other_answers)                                                                \
    TEST(alias ": means the same lock as the name without underscores") {                          \
        ANSWERS(0, named(alias)(&lock));                                                           \
        CHECK(could_write(&lock) == EBUSY && could_read(&lock) == (other_answers));                \
        UNLOCKS(&lock);                                                                            \
        CHECK(could_write(&lock) == 0);                                                            \
    }

TAKES("__pthread_rwlock_rdlock", 0)
TAKES("__pthread_rwlock_tryrdlock", 0)
TAKES("__pthread_rwlock_wrlock", EBUSY)
TAKES("__pthread_rwlock_trywrlock", EBUSY)

EACH(0, "__pthread_rwlock_unlock ends it") {
    ANSWERS(0, take(way, &lock));
    ANSWERS(0, named("__pthread_rwlock_unlock")(&lock));
    CHECK(could_write(&lock) == 0);
}

TEST("__pthread_rwlock_init: makes a lock of the kind in the attributes") {
    int (*init)(rwlock *, const pthread_rwlockattr_t *);
    pthread_rwlockattr_t attributes;
    function found = named("__pthread_rwlock_init");
    memcpy(&init, &found, sizeof init);
    CHECK(pthread_rwlockattr_init(&attributes) == 0);
    CHECK(pthread_rwlockattr_setkind_np(&attributes, 2) == 0);
    memset(&lock, 0xA5, sizeof lock);
    ANSWERS(0, init(&lock, &attributes));
    struct actor writer;
    ANSWERS(0, pthread_rwlock_rdlock(&lock));
    asks(&writer, WRLOCK, &lock);
    waits(&writer);
    CHECK(could_read(&lock) == EBUSY);
    UNLOCKS(&lock);
    leaves(&writer);
}

TEST("__pthread_rwlock_destroy: destroys a lock") {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    UNLOCKS(&lock);
    ANSWERS(0, named("__pthread_rwlock_destroy")(&lock));
    ANSWERS(0, pthread_rwlock_init(&lock, NULL));
    CHECK(could_write(&lock) == 0);
}

static const char *const NAMES[] = {
    "pthread_rwlock_init",        "pthread_rwlock_destroy",     "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock",   "pthread_rwlock_timedrdlock", "pthread_rwlock_clockrdlock",
    "pthread_rwlock_wrlock",      "pthread_rwlock_trywrlock",   "pthread_rwlock_timedwrlock",
    "pthread_rwlock_clockwrlock", "pthread_rwlock_unlock",
};

static const char *object_of(void *symbol) {
    Dl_info info;
    CHECK(symbol != NULL && dladdr(symbol, &info) != 0);
    return info.dli_fname;
}

TEST("dlsym: one library has all eleven functions, and the seven with underscores") {
    const char *first = object_of(dlsym(RTLD_DEFAULT, NAMES[0]));
    for (int i = 0; i < 11; i++) CHECK(strcmp(object_of(dlsym(RTLD_DEFAULT, NAMES[i])), first) == 0);
    static const char *const MARKED[] = { "init",    "destroy",   "rdlock", "tryrdlock",
                                          "wrlock", "trywrlock", "unlock" };
    for (int i = 0; i < 7; i++) {
        char name[60];
        snprintf(name, sizeof name, "__pthread_rwlock_%s", MARKED[i]);
        CHECK(strcmp(object_of(old_symbol(name, OLD)), first) == 0);
    }
}

TEST("dlvsym: programs linked long ago find the same functions") {
    for (int i = 0; i < 11; i++) {
        const char *version = strstr(NAMES[i], "_clock") ? "GLIBC_2.30" : OLD;
        CHECK(old_symbol(NAMES[i], version) == dlsym(RTLD_DEFAULT, NAMES[i]));
    }
}

RUN_ALL
