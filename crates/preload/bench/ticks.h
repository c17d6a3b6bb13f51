/* For both programs `pairs`: ticks of the time-stamp counter (on other machines than x86-64
   nanoseconds), and medians. */
#pragma once
#include <stdlib.h>
#include <time.h>

static inline unsigned long ticks(void) {
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long)now.tv_sec * 1000000000ul + (unsigned long)now.tv_nsec;
#endif
}

static inline int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of an odd number of values. Sorts them. */
static inline double median_of(double *all, size_t count) {
    qsort(all, count, sizeof *all, compare);
    return all[count / 2];
}
