/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * actor.h - threads that use the lock
 */
#ifndef TEST_ACTOR_H
#define TEST_ACTOR_H

#include <linux/sched.h>
#include "delays.h"
#include "subject.h"

/* A DOWNGRADER writes, and goes on as a reader. */
enum actor_kind {
	WRITER, TRY_WRITER, TIMED_WRITER, DOWNGRADER, READER, TRY_READER, TIMED_READER
};

struct actor {
	/* What the caller says. */
	const char *name;
	int number;
	enum actor_kind kind;
	enum test_class class;
	/* Microseconds between two uses; 0: none. */
	unsigned int pause;
	/* What came of it. */
	struct delays lock, unlock;
	u64 tries, failures, gave_up, too_early, wrong_contexts;
	/* Of this file. */
	const struct subject *subject;
	struct task_struct *task;
};

/* Starts the thread. Answers 0, or a negative error. */
int actor_start(struct actor *actor, const struct subject *subject);
/* Stops it and waits for its end. */
void actor_stop(struct actor *actor);
/* Prints what came of it. */
void actor_print(const struct actor *actor);

#endif
