// A table that many threads read and some change.

#include <errno.h>
#include <siftlock.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 16 };

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
static const char *routes[MOST];
static int count;

// Answers 0, or an error of errno.h.
static int add(const char *route) {
    int error = siftlock_rwsem_write(&lock);
    if (error != 0) return error;
    if (count < MOST) {
        routes[count++] = route;
    } else {
        error = ENOSPC;
    }
    siftlock_rwsem_write_unlock(&lock);
    return error;
}

static bool is_known(const char *route) {
    if (siftlock_rwsem_read(&lock) != 0) return false;
    bool known = false;
    for (int i = 0; i < count && !known; i++) known = strcmp(routes[i], route) == 0;
    siftlock_rwsem_read_unlock(&lock);
    return known;
}

int main(void) {
    int error = add("/");
    if (error != 0) {
        fprintf(stderr, "add: %s\n", strerror(error));
        return 1;
    }
    printf("/ is %s\n", is_known("/") ? "known" : "unknown");
    return 0;
}
