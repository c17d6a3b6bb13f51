// The checks of the test programs. A program that hangs ends after a minute.

#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// The call answers `error`, and leaves errno alone.
#define ANSWERS(error, call)                                                                       \
    do {                                                                                           \
        errno = 12345;                                                                             \
        int answered = (call);                                                                     \
        if (errno != 12345 || answered != (error)) {                                               \
            fprintf(stderr, "%s:%d: %s answers %d (%s) instead of %d; errno is %d\n", __FILE__,    \
                    __LINE__, #call, answered, strerror(answered), (error), errno);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static inline void end_after_a_minute(void) { alarm(60); }

#endif
