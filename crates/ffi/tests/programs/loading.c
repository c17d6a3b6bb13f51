// The program loads the shared library by dlopen, when it has threads already. The argument is the
// library's path.

#include "threads.h"
#include <dlfcn.h>
#include <siftlock.h>
#include <signal.h>

enum { THREADS = 3, WRITES = 1000 };

static siftlock_rwsem lock = SIFTLOCK_RWSEM_INIT;
static siftlock_psrw sifting = SIFTLOCK_PSRW_INIT;
static pthread_barrier_t loaded;
static volatile int first, second;
static int (*rwsem_read)(siftlock_rwsem *), (*rwsem_read_unlock)(siftlock_rwsem *);
static int (*rwsem_write)(siftlock_rwsem *), (*rwsem_write_unlock)(siftlock_rwsem *);
static int (*psrw_write)(siftlock_psrw *), (*psrw_write_unlock)(siftlock_psrw *);
static int (*handler_read)(siftlock_psrw *, siftlock_raised *);
static int (*handler_read_unlock)(siftlock_psrw *, siftlock_raised *);
static int handled, torn;

// By way of `void **`, as POSIX does: C does not convert `void *` to a pointer to a function.
#define FIND(library, name, function)                                                              \
    do {                                                                                           \
        *(void **)&(function) = dlvsym(library, name, "SIFTLOCK_" INTERFACE);                      \
        CHECK(function);                                                                           \
    } while (0)

static void look(int signal, const void *info, void *context) {
    (void)signal, (void)info, (void)context;
    siftlock_raised raised;
    if (handler_read(&sifting, &raised) != 0) abort();
    if (first != second) __atomic_fetch_add(&torn, 1, __ATOMIC_RELAXED);
    if (handler_read_unlock(&sifting, &raised) != 0) abort();
    __atomic_fetch_add(&handled, 1, __ATOMIC_RELAXED);
}

static void *work(void *unused) {
    pthread_barrier_wait(&loaded);
    for (int i = 0; i < WRITES; i++) {
        ANSWERS(0, rwsem_write(&lock));
        ANSWERS(0, psrw_write(&sifting));
        first = first + 1;
        if (i % 8 == 0) CHECK(raise(SIGUSR1) == 0);
        second = second + 1;
        ANSWERS(0, psrw_write_unlock(&sifting));
        ANSWERS(0, rwsem_write_unlock(&lock));
        for (int reads = 0; reads < 10; reads++) {
            ANSWERS(0, rwsem_read(&lock));
            CHECK(first == second);
            ANSWERS(0, rwsem_read_unlock(&lock));
        }
    }
    return unused;
}

int main(int count, char **arguments) {
    end_after_a_minute();
    CHECK(count == 2);
    CHECK(pthread_barrier_init(&loaded, NULL, THREADS + 1) == 0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) threads[i] = start(work, NULL);

    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror());
    CHECK(library);
    int (*register_handler)(int, void (*)(int, const void *, void *));
    FIND(library, "siftlock_register", register_handler);
    FIND(library, "siftlock_rwsem_read", rwsem_read);
    FIND(library, "siftlock_rwsem_read_unlock", rwsem_read_unlock);
    FIND(library, "siftlock_rwsem_write", rwsem_write);
    FIND(library, "siftlock_rwsem_write_unlock", rwsem_write_unlock);
    FIND(library, "siftlock_psrw_write", psrw_write);
    FIND(library, "siftlock_psrw_write_unlock", psrw_write_unlock);
    FIND(library, "siftlock_psrw_handler_read", handler_read);
    FIND(library, "siftlock_psrw_handler_read_unlock", handler_read_unlock);
    CHECK(!dlvsym(library, "siftlock_rwsem_write", "SIFTLOCK_0.0"));
    ANSWERS(0, register_handler(SIGUSR1, look));

    pthread_barrier_wait(&loaded);
    // The library stays loaded: the threads call it, and once more when they end.
    CHECK(dlclose(library) == 0);
    for (int i = 0; i < THREADS; i++) join(threads[i]);
    CHECK(first == THREADS * WRITES);
    CHECK(second == THREADS * WRITES);
    CHECK(torn == 0);
    // Each thread's last signal has been handled at its unlock, and perhaps earlier ones.
    CHECK(handled >= THREADS);
    return 0;
}
