// A table that a signal handler reads, between any two instructions of the threads that change it.

#define _POSIX_C_SOURCE 200809L

#include <siftlock.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static siftlock_psrw lock = SIFTLOCK_PSRW_INIT;
static int from, to; // always equal, except in a write

static volatile sig_atomic_t seen = -1;

static void look(int signal, const void *info, void *context) {
    (void)signal, (void)info, (void)context;
    siftlock_raised raised;
    if (siftlock_psrw_handler_read(&lock, &raised) != 0) return;
    seen = from == to ? to : -1;
    siftlock_psrw_handler_read_unlock(&lock, &raised);
}

int main(void) {
    int error = siftlock_register(SIGUSR1, look);
    if (error == 0) error = siftlock_psrw_write(&lock);
    if (error != 0) {
        fprintf(stderr, "%s\n", strerror(error));
        return 1;
    }
    from = 5;
    raise(SIGUSR1); // comes in the middle, and is put off
    to = 5;
    siftlock_psrw_write_unlock(&lock);
    printf("the handler saw %d\n", (int)seen);
    return seen == 5 ? 0 : 1;
}
