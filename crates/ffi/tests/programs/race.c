/* Two threads change data under mere reads, one after the other. ThreadSanitizer has to notice that. */
#include <pthread.h>
#include <siftlock.h>
#include "check.h"

static siftlock_rwsem lock;
static int changes;

static void *changes_under_a_read(void *unused) {
    CHECK(siftlock_rwsem_read(&lock) == 0);
    changes++;
    CHECK(siftlock_rwsem_read_unlock(&lock) == 0);
    return unused;
}

int main(void) {
    for (int i = 0; i < 2; i++) changes_under_a_read(NULL);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, changes_under_a_read, NULL) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
