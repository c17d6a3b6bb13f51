/* Two threads fetch a digest by name, as programs do that call EVP_MD_fetch for each message, or OpenSSL's older
   functions, which do it for them. For docs/trace.md:

       cc -O2 -pthread crates/trace/examples/fetch.c -lcrypto -o /tmp/fetch

   The arguments are the number of threads, and how often each fetches. Prints the mean time of a fetch. */
#include <openssl/evp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 256 };

static long times;

static void *fetch(void *unused) {
    for (long i = 0; i < times; i++) {
        EVP_MD *digest = EVP_MD_fetch(NULL, "SHA256", NULL);
        if (digest == NULL) abort();
        EVP_MD_free(digest);
    }
    return unused;
}

static double now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(int argc, char **argv) {
    int threads = argc > 1 ? atoi(argv[1]) : 2;
    times = argc > 2 ? atol(argv[2]) : 1000000;
    if (threads < 1 || threads > THREADS || times < 1) {
        fprintf(stderr, "usage: fetch [THREADS (1 to %d)] [TIMES]\n", THREADS);
        return 2;
    }
    pthread_t all[THREADS];
    double began = now();
    for (int i = 0; i < threads; i++) {
        if (pthread_create(&all[i], NULL, fetch, NULL) != 0) abort();
    }
    for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
    printf("%.0f ns a fetch\n", (now() - began) / times);
    return 0;
}
