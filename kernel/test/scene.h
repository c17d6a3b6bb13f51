/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * scene.h - one test: some threads, perhaps interrupts, for some time, and the verdict
 */
#ifndef TEST_SCENE_H
#define TEST_SCENE_H

#include "actor.h"

#define MAX_ACTORS 12

struct scene {
	const char *title;
	unsigned int milliseconds;
	/* Microseconds between two interrupts of each source; 0: none. */
	unsigned int interrupts_every;
	int actors;
	struct actor actor[MAX_ACTORS];
};

/* In front of a verdict; the caller of the tests looks for it. */
extern const char *verdict_prefix;

/* One more thread. */
struct actor *scene_add(struct scene *scene, enum actor_kind kind, enum test_class class,
			unsigned int pause);
/* Plays the scene on a lock; prints what came of it and the verdict. */
void scene_play(struct scene *scene, const struct subject *subject);

#endif
