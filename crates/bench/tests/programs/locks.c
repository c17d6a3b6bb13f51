/* Reads and writes a lock, says so, and ends with the status that it is given. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(int argc, char **argv) {
    for (int i = 0; i < 30; i++) {
        i % 3 ? pthread_rwlock_rdlock(&lock) : pthread_rwlock_wrlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
    puts("done");
    return argc > 1 ? atoi(argv[1]) : 0;
}
