/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * shared.h - what the lock guards, and how to tell that it does not
 */
#ifndef TEST_SHARED_H
#define TEST_SHARED_H

#include <linux/types.h>

/* Forgets what was seen. Nobody is inside. */
void shared_reset(void);
/* A writer is inside: sets all words to one new value. */
void shared_write(void);
/* A reader is inside: looks whether all words are alike. */
void shared_read(void);
/* How often a reader or a writer saw what the lock should have kept it from. */
u64 shared_violations(void);

#endif
