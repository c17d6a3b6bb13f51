/* A library that takes a mutex before each fork. It begins before the tracer. */
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t library_mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t library_forking;

static void before(void) {
    sem_post(&library_forking);
    pthread_mutex_lock(&library_mutex);
}

static void after(void) { pthread_mutex_unlock(&library_mutex); }

static __attribute__((constructor)) void begins(void) {
    sem_init(&library_forking, 0, 0);
    pthread_atfork(before, after, after);
}
