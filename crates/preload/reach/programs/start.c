/* What the preload adds to the start of a program. start ROUNDS LIBRARY PROGRAM ARGUMENTS… runs the
   program without and with the library by turns. Prints the median time of both in milliseconds, and
   the median of the differences. */
#define _GNU_SOURCE
#include "load.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

/* How long the program ran, from its start to its end, in milliseconds. */
static double run(char **program) {
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    struct timespec begun, ended;
    pid_t child;
    int status;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    must(posix_spawnp(&child, program[0], &quiet, NULL, program, environ) == 0, "posix_spawnp");
    must(waitpid(child, &status, 0) == child && status == 0, "the program ends with 0");
    clock_gettime(CLOCK_MONOTONIC, &ended);
    posix_spawn_file_actions_destroy(&quiet);
    return (ended.tv_sec - begun.tv_sec) * 1e3 + (ended.tv_nsec - begun.tv_nsec) * 1e-6;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv) {
    must(argc >= 4, "arguments: ROUNDS LIBRARY PROGRAM ARGUMENTS…");
    int rounds = atoi(argv[1]);
    must(rounds >= 1, "at least one round");
    double *without = calloc(rounds, sizeof *without), *with = calloc(rounds, sizeof *with);
    double *more = calloc(rounds, sizeof *more);
    must(without && with && more, "memory");
    for (int i = 0; i < rounds; i++) {
        unsetenv("LD_PRELOAD");
        without[i] = run(argv + 3);
        setenv("LD_PRELOAD", argv[2], 1);
        with[i] = run(argv + 3);
        more[i] = with[i] - without[i];
    }
    printf("%.3f %.3f %+.3f\n", median(without, rounds), median(with, rounds), median(more, rounds));
    return 0;
}
