/* libuv's lock. */
#include "load.h"

#include <uv.h>

enum { READS = 99 };

static uv_rwlock_t lock;
static unsigned long value;

static void prepare(void) { must(uv_rwlock_init(&lock) == 0, "uv_rwlock_init"); }

static void reads(void) {
    for (int i = 0; i < READS; i++) {
        uv_rwlock_rdlock(&lock);
        must(*(volatile unsigned long *)&value < ~0ul, "value");
        uv_rwlock_rdunlock(&lock);
    }
}

static unsigned long read_only(void) {
    reads();
    return READS;
}

static unsigned long mixed(void) {
    reads();
    uv_rwlock_wrlock(&lock);
    value++;
    uv_rwlock_wrunlock(&lock);
    return READS + 1;
}

int main(int argc, char **argv) {
    static const struct load loads[] = {
        {"read", prepare, read_only},
        {"mixed", prepare, mixed},
        {NULL, NULL, NULL},
    };
    return load_main(argc, argv, loads);
}
