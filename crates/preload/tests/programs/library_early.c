/* A library whose constructor comes before the program's, and uses a lock. */
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void use(void) {
    if (pthread_rwlock_wrlock(&lock) || pthread_rwlock_unlock(&lock) || pthread_rwlock_rdlock(&lock) ||
        pthread_rwlock_unlock(&lock))
        _exit(3);
}

__attribute__((constructor)) static void begins(void) { use(); }
__attribute__((destructor)) static void ends(void) { use(); }
