// Threads that take a lock, hold it until the test lets them go, and unlock it. Tests wait for a
// thread's step or its sleep, not for a time.

#ifndef ACTORS_H
#define ACTORS_H

#include "ways.h"
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum step { BEFORE, CALLS, HOLDS, LEFT };

struct actor {
    rwlock *lock;
    const struct way *way;
    struct timespec until;
    pthread_t thread;
    atomic_int id, step, may_leave, answer;
    int left_errno;
};

static inline void until(const atomic_int *word, int value) {
    while (atomic_load(word) < value) pause_for(MILLISECOND / 4);
}

// S while the thread sleeps, R while it runs, X when it is gone.
static inline char state_of(pid_t process, pid_t thread) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)process, (int)thread);
    FILE *file = fopen(path, "r");
    if (file == NULL) return 'X';
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *name_end = strrchr(text, ')');
    CHECK(name_end != NULL && strlen(name_end) > 2);
    return name_end[2];
}

// Returns when the thread sleeps, or after some seconds. The thread is about to call by now.
static inline void until_asleep(pid_t process, pid_t thread) {
    int seen = 0;
    // A lock may sleep and spin by turns, so one look is not enough.
    for (int i = 0; i < 1000 && seen < 5; i++) {
        seen += state_of(process, thread) == 'S';
        pause_for(MILLISECOND);
    }
}

static inline void *act(void *argument) {
    struct actor *actor = (struct actor *)argument;
    atomic_store(&actor->id, (int)syscall(SYS_gettid));
    atomic_store(&actor->step, CALLS);
    errno = 12345;
    const int answer = take_until(actor->way, actor->lock, actor->until);
    actor->left_errno = errno;
    atomic_store(&actor->answer, answer);
    if (answer == 0) {
        atomic_store(&actor->step, HOLDS);
        until(&actor->may_leave, 1);
        UNLOCKS(actor->lock);
    }
    atomic_store(&actor->step, LEFT);
    return NULL;
}

static inline pthread_t start(void *(*body)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, body, argument) == 0);
    return thread;
}

static inline void join(pthread_t thread) { CHECK(pthread_join(thread, NULL) == 0); }

// Starts a thread that takes the lock, if need be by this time.
static inline void asks_until(struct actor *actor, const struct way *way, rwlock *lock,
                              struct timespec until) {
    memset(actor, 0, sizeof *actor);
    actor->lock = lock;
    actor->way = way;
    actor->until = until;
    actor->thread = start(act, actor);
}

static inline void asks(struct actor *actor, const struct way *way, rwlock *lock) {
    asks_until(actor, way, lock, hours(way));
}

static inline void waits(struct actor *actor) {
    until(&actor->step, CALLS);
    until_asleep(getpid(), actor->id);
    CHECK(atomic_load(&actor->step) == CALLS);
}

static inline void holds(struct actor *actor) {
    until(&actor->step, HOLDS);
    CHECK(actor->answer == 0);
}

// Lets the thread unlock as soon as it holds the lock, and waits for its end.
static inline void leaves(struct actor *actor) {
    atomic_store(&actor->may_leave, 1);
    join(actor->thread);
    CHECK(actor->answer == 0 && actor->left_errno == 12345);
}

static inline void *answer_of(void *argument) {
    struct actor *actor = (struct actor *)argument;
    errno = 12345;
    const int answer = take_until(actor->way, actor->lock, actor->until);
    CHECK(errno == 12345);
    if (answer == 0) UNLOCKS(actor->lock);
    return (void *)(intptr_t)answer;
}

// The answer that another thread gets. It unlocks what it has taken.
static inline int another_is_told(const struct way *way, rwlock *lock, struct timespec until) {
    struct actor actor;
    memset(&actor, 0, sizeof actor);
    actor.lock = lock;
    actor.way = way;
    actor.until = until;
    void *answer;
    CHECK(pthread_join(start(answer_of, &actor), &answer) == 0);
    return (int)(intptr_t)answer;
}

// 0 or EBUSY: whether another thread could read, or write.
static inline int could_read(rwlock *lock) {
    struct timespec none = { 0, 0 };
    return another_is_told(TRYRDLOCK, lock, none);
}

static inline int could_write(rwlock *lock) {
    struct timespec none = { 0, 0 };
    return another_is_told(TRYWRLOCK, lock, none);
}

// The exit status of a child that runs the body; 0 if the body returns.
static inline int in_child(void (*body)(void *), void *argument) {
    fflush(stdout);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        alarm(watchdog());
        body(argument);
        _exit(0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) CHECK(errno == EINTR);
    if (WIFSIGNALED(status)) FAIL("the child is ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

#endif
