/* A library that a program opens late. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void late_read(void) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
}
