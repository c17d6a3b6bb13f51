/* A library that is loaded and closed. */
#include <pthread.h>

static pthread_rwlock_t own = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

int plugin_use(pthread_rwlock_t *lock) {
    int failed = 0;
    for (int i = 0; i < 1000; i++) {
        failed |= pthread_rwlock_wrlock(&own);
        failed |= pthread_rwlock_rdlock(lock);
        failed |= pthread_rwlock_unlock(lock);
        failed |= pthread_rwlock_unlock(&own);
    }
    return failed;
}
