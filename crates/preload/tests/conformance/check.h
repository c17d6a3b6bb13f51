// Names assertions and runs each in a process of its own. C11 and C++17.
//
// A program without arguments runs all of its assertions and prints a line for each:
//   ok NAME · failed NAME: file:line what · open NAME (glibc promises less)
// `program 7` runs the seventh in this process, for a debugger.
// CONFORMANCE_SECONDS sets after how long the watchdog ends an assertion.

#ifndef CHECK_H
#define CHECK_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ASSERTIONS = 256, NAME = 200 };

struct way;

struct assertion {
    char name[NAME];
    void (*body)(const struct way *way);
    const struct way *way;
    int beyond;
};

static struct assertion assertions[ASSERTIONS];
static int asserted;
static const char *running = "(before main)";

static inline void enter(const char *subject, const char *clause, void (*body)(const struct way *),
                         const struct way *way, int beyond) {
    if (asserted == ASSERTIONS) abort();
    struct assertion *here = &assertions[asserted++];
    int length = snprintf(here->name, NAME, "%s%s%s", subject, *subject ? ": " : "", clause);
    if (length >= NAME) abort();
    here->body = body;
    here->way = way;
    here->beyond = beyond;
}

#define JOIN_(left, right) left##right
#define JOIN(left, right) JOIN_(left, right)

#define ENTER_(clause, beyond)                                                                     \
    static void JOIN(assertion_, __LINE__)(const struct way *);                                    \
    __attribute__((constructor)) static void JOIN(enter_, __LINE__)(void) {                        \
        enter("", clause, JOIN(assertion_, __LINE__), NULL, beyond);                               \
    }                                                                                              \
    static void JOIN(assertion_, __LINE__)(__attribute__((unused)) const struct way *way)

// TEST("function: clause") { body } must hold for glibc and for a replacement.
#define TEST(clause) ENTER_(clause, 0)
// BEYOND(…) must hold for a replacement only: POSIX leaves it open, and glibc does not do it.
#define BEYOND(clause) ENTER_(clause, 1)

// Ends the process, from any thread of it.
#define FAIL(...)                                                                                  \
    do {                                                                                           \
        char said_[500];                                                                           \
        snprintf(said_, sizeof said_, __VA_ARGS__);                                                \
        dprintf(1, "failed %s: %s:%d %s\n", running, __FILE__, __LINE__, said_);                   \
        _exit(1);                                                                                  \
    } while (0)

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) FAIL("not so: %s", #what);                                                    \
    } while (0)

// The call answers `error` and leaves errno alone.
#define ANSWERS(error, call)                                                                       \
    do {                                                                                           \
        errno = 12345;                                                                             \
        const int answered_ = (call), kept_ = errno, wanted_ = (error);                            \
        if (answered_ != wanted_)                                                                  \
            FAIL("%s answers %d (%s) instead of %d", #call, answered_, strerror(answered_),        \
                 wanted_);                                                                         \
        if (kept_ != 12345) FAIL("%s changes errno to %d", #call, kept_);                          \
    } while (0)

static inline unsigned watchdog(void) {
    const char *seconds = getenv("CONFORMANCE_SECONDS");
    return seconds ? (unsigned)atoi(seconds) : 30;
}

// Whether the C library's own functions are in use.
static inline int is_glibc(void) {
    Dl_info info;
    void *function = dlsym(RTLD_DEFAULT, "pthread_rwlock_rdlock");
    CHECK(function != NULL && dladdr(function, &info) != 0);
    return strstr(info.dli_fname, "libc.so") != NULL;
}

static inline int run_alone(int index) {
    running = assertions[index].name;
    alarm(watchdog());
    assertions[index].body(assertions[index].way);
    return 0;
}

// A process for each: no assertion sees traces of another, and each makes the process's first call.
static inline int run_apart(char *program, int index) {
    extern char **environ;
    char number[12];
    snprintf(number, sizeof number, "%d", index + 1);
    char *arguments[] = { program, number, NULL };
    pid_t child;
    int status;
    running = assertions[index].name;
    CHECK(posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) == 0);
    while (waitpid(child, &status, 0) < 0) CHECK(errno == EINTR);
    if (WIFSIGNALED(status))
        printf("failed %s: ended by signal %d%s\n", running, WTERMSIG(status),
               WTERMSIG(status) == SIGALRM ? ", the watchdog's: it hangs" : "");
    else if (WEXITSTATUS(status) == 0)
        printf("ok %s\n", running);
    return status != 0;
}

static inline int run(int count, char **arguments) {
    if (count > 1) {
        int index = atoi(arguments[1]) - 1;
        if (index < 0 || index >= asserted) return 2;
        return run_alone(index);
    }
    int failed = 0, glibc = is_glibc();
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("\nlocks of %s\n", glibc ? "glibc" : "a replacement");
    for (int index = 0; index < asserted; index++) {
        if (assertions[index].beyond && glibc)
            printf("open %s (glibc promises less)\n", assertions[index].name);
        else
            failed += run_apart(arguments[0], index);
    }
    printf("%d assertions, %d failed\n", asserted, failed);
    return failed != 0 || asserted == 0;
}

#define RUN_ALL                                                                                    \
    int main(int count, char **arguments) { return run(count, arguments); }

#endif
