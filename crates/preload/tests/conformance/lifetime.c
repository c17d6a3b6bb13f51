// Locks before main, after it, and in libraries that are loaded and unloaded. The variable PLUGIN
// names plugin.c, built as a library.

#include "actors.h"

static rwlock early = PTHREAD_RWLOCK_INITIALIZER, kept = PTHREAD_RWLOCK_INITIALIZER;
static rwlock lock = PTHREAD_RWLOCK_INITIALIZER;
static int before_main[WAY_COUNT], excluded_before_main, threads_before_main;

// Runs before the program's other constructors.
__attribute__((constructor(101))) static void use_before_main(void) {
    for (int i = 0; i < WAY_COUNT; i++) {
        before_main[i] = take(&WAYS[i], &early) == 0 && pthread_rwlock_unlock(&early) == 0;
    }
    if (pthread_rwlock_rdlock(&kept) != 0) return;
    excluded_before_main = pthread_rwlock_trywrlock(&kept) == EBUSY;
    threads_before_main = could_write(&early) == 0 && could_write(&kept) == EBUSY;
}

EACH(0, "works before main") {
    CHECK(before_main[way - WAYS]);
    CHECK(could_write(&early) == 0);
}

TEST("rdlock: excludes writers before main") {
    CHECK(excluded_before_main);
}

TEST("rdlock: threads may lock before main") {
    CHECK(threads_before_main);
}

TEST("rdlock: a read from before main is held in main, and is unlocked there") {
    CHECK(could_write(&kept) == EBUSY);
    UNLOCKS(&kept);
    CHECK(could_write(&kept) == 0);
}

// Each of these runs in a child that ends by exit, with a status of its own.
enum { REACHED = 42 };
static const struct way *last_way;
static int in_destructor;

static void use_all(void) {
    ANSWERS(0, take(last_way, &lock));
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    CHECK(could_write(&lock) == 0);
}

static void at_exit(void) {
    use_all();
    if (!in_destructor) _exit(REACHED);
}

// Runs after all handlers of exit and all other destructors of the program.
__attribute__((destructor(101))) static void after_main(void) {
    if (!in_destructor) return;
    use_all();
    _exit(REACHED);
}

static void exits(void *way) {
    last_way = (const struct way *)way;
    CHECK(atexit(at_exit) == 0);
    exit(1);
}

static void exits_by_destructor(void *way) {
    in_destructor = 1;
    exits(way);
}

EACH(0, "works in a handler of exit") {
    CHECK(in_child(exits, (void *)(uintptr_t)way) == REACHED);
}

EACH(0, "works in the last destructor of the program") {
    CHECK(in_child(exits_by_destructor, (void *)(uintptr_t)way) == REACHED);
}

static void holds_at_exit(void *way) {
    ANSWERS(0, take((const struct way *)way, &lock));
    exit(REACHED);
}

EACH(0, "a lock that is held does not keep the process from its end") {
    CHECK(in_child(holds_at_exit, (void *)(uintptr_t)way) == REACHED);
}

static void *waits_for_ever(void *way) {
    take((const struct way *)way, &lock);
    return NULL;
}

static void exits_while_one_waits(void *way) {
    ANSWERS(0, pthread_rwlock_wrlock(&lock));
    start(waits_for_ever, way);
    pause_for(5 * MILLISECOND);
    exit(REACHED);
}

EACH(WAITS, "a thread that waits does not keep the process from its end") {
    CHECK(in_child(exits_while_one_waits, (void *)(uintptr_t)way) == REACHED);
}

static void *use_after_the_first_thread(void *way) {
    // The first thread is gone when its state is Z.
    while (state_of(getpid(), getpid()) != 'Z') pause_for(MILLISECOND);
    last_way = (const struct way *)way;
    use_all();
    exit(REACHED);
}

static void leaves_the_first_thread(void *way) {
    start(use_after_the_first_thread, way);
    pthread_exit(NULL);
}

EACH(0, "works when the first thread has ended before the others") {
    CHECK(in_child(leaves_the_first_thread, (void *)(uintptr_t)way) == REACHED);
}

static void *load(void) {
    const char *path = getenv("PLUGIN");
    if (path == NULL) FAIL("PLUGIN does not name the library");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) FAIL("%s", dlerror());
    return library;
}

// Calls a function of the library whose only argument is a lock, or that has none.
static int call(void *library, const char *name, rwlock *argument) {
    int (*function)(rwlock *);
    void *symbol = dlsym(library, name);
    CHECK(symbol != NULL);
    memcpy(&function, &symbol, sizeof function);
    return function(argument);
}

TEST("dlopen: a library's constructor may lock") {
    ANSWERS(0, call(load(), "plugin_when_loaded", NULL));
}

TEST("dlopen: a library's own locks work") {
    ANSWERS(0, call(load(), "plugin_uses", NULL));
}

TEST("dlopen: the library and the program mean the same by one lock") {
    void *library = load();
    ANSWERS(0, call(library, "plugin_reads_and_keeps", &lock));
    CHECK(could_write(&lock) == EBUSY);
    UNLOCKS(&lock);
    rwlock *theirs = (rwlock *)dlsym(library, "plugin_lock");
    CHECK(theirs != NULL);
    ANSWERS(0, pthread_rwlock_wrlock(theirs));
    ANSWERS(EDEADLK, call(library, "plugin_reads_and_keeps", theirs));
    UNLOCKS(theirs);
}

TEST("dlclose: a library's destructor may lock") {
    int told = -1, **tells;
    void *library = load();
    tells = (int **)dlsym(library, "plugin_tells");
    CHECK(tells != NULL);
    *tells = &told;
    CHECK(dlclose(library) == 0);
    CHECK(told == 0);
}

TEST("dlclose: a library with locks comes and goes, and its memory is used again") {
    for (int i = 0; i < 50; i++) {
        void *library = load();
        ANSWERS(0, call(library, "plugin_uses", NULL));
        rwlock *theirs = (rwlock *)dlsym(library, "plugin_lock");
        ANSWERS(0, pthread_rwlock_rdlock(theirs));
        CHECK(could_write(theirs) == EBUSY);
        UNLOCKS(theirs);
        CHECK(could_write(theirs) == 0);
        CHECK(dlclose(library) == 0);
    }
}

static void *loads_and_uses(void *unused) {
    for (int i = 0; i < 20; i++) {
        void *library = load();
        ANSWERS(0, call(library, "plugin_uses", NULL));
        CHECK(dlclose(library) == 0);
    }
    return unused;
}

TEST("dlopen: threads that load, lock and unload at the same moment") {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) threads[i] = start(loads_and_uses, NULL);
    for (int i = 0; i < 4; i++) join(threads[i]);
}

RUN_ALL
