/* Children that are forked under the tracer. */
#include "report.h"
#include <dlfcn.h>
#include <semaphore.h>
#include <sys/wait.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reads(void *unused) {
    OK(pthread_rwlock_rdlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    return unused;
}

static void awaits(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* The child finds neither the working folder nor the environment of its parent's start. */
static void moves(void) {
    reads(NULL);
    char folder[4096], report[5000];
    CHECK(getcwd(folder, sizeof folder) != NULL && chdir("/") == 0 && clearenv() == 0);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        reads(NULL);
        snprintf(report, sizeof report, "%s/report.%d.json", folder, getpid());
        await_report(report);
        exit(0);
    }
    awaits(child);
    printf("%d\n", child);
}

/* The third thread of the process forks. In its child the lock has three threads. */
static void *forks(void *unused) {
    reads(NULL);
    pid_t child = fork();
    if (child == 0) {
        reads(NULL);
        for (int i = 0; i < 2; i++) finish(start(reads, NULL));
        exit(0);
    }
    awaits(child);
    printf("%d\n", child);
    return unused;
}

static void third_thread(void) {
    reads(NULL);
    finish(start(reads, NULL));
    finish(start(forks, NULL));
}

static pthread_mutex_t *mutex;
static sem_t *forking, has_mutex;

/* Its lock call has to register the lock while the other thread forks. */
static void *delays_the_fork(void *unused) {
    OK(pthread_mutex_lock(mutex));
    OK(sem_post(&has_mutex));
    OK(sem_wait(forking));
    pthread_rwlock_t new;
    OK(pthread_rwlock_init(&new, NULL));
    OK(pthread_mutex_unlock(mutex));
    return unused;
}

/* The signal of the watch arrives here: the threads that hang may have it blocked. */
static void *is_ended(void *unused) {
    pause();
    return unused;
}

/* A library's handler waits for a mutex before the fork. */
static void library_that_waits(void) {
    alarm(10);
    start(is_ended, NULL);
    mutex = dlsym(RTLD_DEFAULT, "library_mutex");
    forking = dlsym(RTLD_DEFAULT, "library_forking");
    CHECK(mutex != NULL && forking != NULL && sem_init(&has_mutex, 0, 0) == 0);
    reads(NULL);
    pthread_t other = start(delays_the_fork, NULL);
    OK(sem_wait(&has_mutex));
    pid_t child = fork();
    if (child == 0) _exit(0);
    awaits(child);
    finish(other);
}

CHOOSE(BEHAVIOUR(moves) BEHAVIOUR(third_thread) BEHAVIOUR(library_that_waits))
