/* Functions that do nothing: the least that a pair of calls can cost. */
#include <pthread.h>

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    __asm__ volatile("" ::"r"(lock));
    return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    __asm__ volatile("" ::"r"(lock));
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    __asm__ volatile("" ::"r"(lock));
    return 0;
}
