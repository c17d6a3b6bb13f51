// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * shared.c - a hundred words that a writer sets all alike, and counts of who is inside
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include "shared.h"

#define WORDS 100

static int words[WORDS];
static atomic_t readers, writers;
static atomic64_t violations;

void shared_reset(void)
{
	int place;

	atomic64_set(&violations, 0);
	atomic_set(&readers, 0);
	atomic_set(&writers, 0);
	for (place = 0; place < WORDS; place++)
		words[place] = 0;
}

static void demand(bool holds)
{
	if (unlikely(!holds))
		atomic64_inc(&violations);
}

void shared_write(void)
{
	int place, value = READ_ONCE(words[0]) + 1;

	demand(atomic_inc_return(&writers) == 1 && !atomic_read(&readers));
	for (place = 0; place < WORDS; place++)
		WRITE_ONCE(words[place], value);
	demand(!atomic_read(&readers));
	demand(!atomic_dec_return(&writers));
}

void shared_read(void)
{
	int place, value = READ_ONCE(words[0]);

	atomic_inc(&readers);
	demand(!atomic_read(&writers));
	for (place = 1; place < WORDS; place++)
		demand(READ_ONCE(words[place]) == value);
	demand(!atomic_read(&writers));
	atomic_dec(&readers);
}

u64 shared_violations(void)
{
	return atomic64_read(&violations);
}
