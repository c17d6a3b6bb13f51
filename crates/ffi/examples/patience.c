// Waits for a lock for ten milliseconds at most.

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <siftlock.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;

// Takes the lock for writing. Answers ETIMEDOUT after so many milliseconds.
static int write_within(long milliseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += milliseconds / 1000;
    deadline.tv_nsec += milliseconds % 1000 * 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec += 1;
        deadline.tv_nsec -= 1000000000;
    }
    return siftlock_rwsem_write_until(&lock, CLOCK_MONOTONIC, &deadline);
}

int main(void) {
    int error = write_within(10);
    if (error != 0) {
        fprintf(stderr, "write: %s\n", strerror(error));
        return 1;
    }
    // The second write has to wait for the first.
    error = write_within(10);
    siftlock_rwsem_write_unlock(&lock);
    printf("the second write %s\n", error == ETIMEDOUT ? "timed out" : "did not time out");
    return error == ETIMEDOUT ? 0 : 1;
}
