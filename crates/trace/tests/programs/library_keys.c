/* A library that takes all small keys. It begins before the tracer. */
#include <pthread.h>

static __attribute__((constructor)) void begins(void) {
    pthread_key_t key;
    for (int i = 0; i < 40; i++) pthread_key_create(&key, NULL);
}
