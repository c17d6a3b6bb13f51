// Threads that take a lock, hold it until they are told, and leave. Their steps are states that others wait for.

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
};

static inline void until(const atomic_int *word, int value) {
    while (atomic_load(word) < value) pause_for(MILLISECOND / 4);
}

// S while the thread sleeps, R while it runs.
static inline char state_of(pid_t process, pid_t thread) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)process, (int)thread);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *name_end = strrchr(text, ')');
    CHECK(name_end != NULL && strlen(name_end) > 2);
    return name_end[2];
}

// Until the thread sleeps, or has had a second to. Who calls this has seen the thread about to call.
static inline void until_asleep(pid_t process, pid_t thread) {
    int seen = 0;
    // Some locks sleep and spin by turns, so one look is not enough.
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
    if (errno != 12345) FAIL("%s changes errno to %d", actor->way->name, errno);
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

// Lets the thread unlock, now or when it has got the lock, and end.
static inline void leaves(struct actor *actor) {
    atomic_store(&actor->may_leave, 1);
    join(actor->thread);
    CHECK(actor->answer == 0);
}

static inline void *answer_of(void *argument) {
    struct actor *actor = (struct actor *)argument;
    errno = 12345;
    const int answer = take_until(actor->way, actor->lock, actor->until);
    CHECK(errno == 12345);
    if (answer == 0) UNLOCKS(actor->lock);
    return (void *)(intptr_t)answer;
}

// What a thread of its own is answered. It leaves the lock again.
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

// EBUSY or 0: whether a thread that has none of it could read or write.
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
