// A library with locks of its own, which lifetime.c loads and unloads.

#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int when_loaded = -1;

extern pthread_rwlock_t plugin_lock;
pthread_rwlock_t plugin_lock = PTHREAD_RWLOCK_INITIALIZER;

// The first error of the calls, or 0.
static int takes_and_unlocks(void) {
    int answer = pthread_rwlock_wrlock(&lock);
    if (answer == 0 && pthread_rwlock_tryrdlock(&lock) != EBUSY) answer = -2;
    if (answer == 0) answer = pthread_rwlock_unlock(&lock);
    if (answer == 0) answer = pthread_rwlock_rdlock(&lock);
    if (answer == 0) answer = pthread_rwlock_unlock(&lock);
    return answer;
}

__attribute__((constructor)) static void loaded(void) { when_loaded = takes_and_unlocks(); }

extern int plugin_when_loaded(void);
int plugin_when_loaded(void) { return when_loaded; }

extern int plugin_uses(void);
int plugin_uses(void) { return takes_and_unlocks(); }

extern int plugin_reads_and_keeps(pthread_rwlock_t *other);
int plugin_reads_and_keeps(pthread_rwlock_t *other) { return pthread_rwlock_rdlock(other); }

// Where the destructor stores the answer of its calls.
extern int *plugin_tells;
int *plugin_tells;

__attribute__((destructor)) static void unloaded(void) {
    if (plugin_tells) *plugin_tells = takes_and_unlocks();
}
