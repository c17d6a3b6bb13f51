/* An allocator that takes a lock for each call. The memory of starting and ending threads goes
   through it as well. */
#include "check.h"

static pthread_rwlock_t heap = PTHREAD_RWLOCK_INITIALIZER;
void *__libc_malloc(size_t);
void __libc_free(void *);

void *malloc(size_t size) {
    OK(pthread_rwlock_wrlock(&heap));
    void *memory = __libc_malloc(size);
    OK(pthread_rwlock_unlock(&heap));
    return memory;
}

void free(void *memory) {
    OK(pthread_rwlock_rdlock(&heap));
    OK(pthread_rwlock_unlock(&heap));
    __libc_free(memory);
}

static void *allocates(void *unused) {
    (void)unused;
    for (int i = 1; i < 1000; i++) free(malloc(i));
    return NULL;
}

static void an_allocator_may_be_built_on_a_lock(void) {
    for (int round = 0; round < 20; round++) {
        pthread_t all[4];
        for (int i = 0; i < 4; i++) all[i] = start(allocates, NULL);
        for (int i = 0; i < 4; i++) finish(all[i]);
    }
}

CHOOSE(BEHAVIOUR(an_allocator_may_be_built_on_a_lock))
