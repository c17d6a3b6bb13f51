/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * test-latency.h - how long the lock under test kept contexts out, on each processor
 */
#ifndef TEST_LATENCY_H
#define TEST_LATENCY_H

#include "subject.h"

/* Forgets what was noted and begins to note; ends. */
void latency_begin(void);
void latency_end(void);
/* Prints what was noted about this lock. */
void latency_print(const struct subject *subject);

/* The standard rwlock's writer has interrupts off, or is about to let them in again. */
void standard_latency_begin(void);
void standard_latency_end(void);

#endif
