// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * scene.c - one test: some threads, perhaps interrupts, for some time, and the verdict
 */
#include <linux/delay.h>
#include <linux/printk.h>
#include "interrupt.h"
#include "scene.h"
#include "shared.h"
#include "test-latency.h"

/* A slow machine may not have run each thread when the scene's time is over; it has so much more. */
#define SLOW_MACHINE_MS 30000

const char *verdict_prefix = "siftlock-test: ";

static const char *name_of(enum actor_kind kind, enum test_class class)
{
	static const char *const readers[NR_CLASSES] = {
		"preader_thread", "npreader_thread", "bhreader_thread", "irqreader_thread"
	};
	static const char *const try_readers[NR_CLASSES] = {
		"trylock_preader_thread", "trylock_npreader_thread", "trylock_bhreader_thread",
		"trylock_irqreader_thread"
	};

	switch (kind) {
	case WRITER:
		return "writer_thread";
	case TRY_WRITER:
		return "trylock_writer_thread";
	case TIMED_WRITER:
		return "timed_writer_thread";
	case DOWNGRADER:
		return "downgrading_writer_thread";
	case READER:
		return readers[class];
	case TRY_READER:
		return try_readers[class];
	default:
		return "timed_preader_thread";
	}
}

struct actor *scene_add(struct scene *scene, enum actor_kind kind, enum test_class class,
			unsigned int pause)
{
	struct actor *new = &scene->actor[scene->actors], *other;
	const char *name = name_of(kind, class);
	int number = 0;

	for (other = scene->actor; other < new; other++)
		number += other->name == name;
	*new = (struct actor){
		.name = name, .number = number, .kind = kind, .class = class, .pause = pause,
	};
	scene->actors++;
	return new;
}

/* Whether this lock can be taken as the scene wants it. */
static bool can_play(const struct actor *actor, const struct subject *subject)
{
	switch (actor->kind) {
	case READER:
		return subject->read[actor->class];
	case TRY_READER:
		return subject->try_read[actor->class];
	case TIMED_WRITER:
		return subject->write_until;
	case TIMED_READER:
		return subject->read_until;
	case DOWNGRADER:
		return subject->downgrade;
	default:
		return true;
	}
}

/*
 * Alone every form gets in. Among others a try form may always come at a bad time, and a timed form has
 * also been too late.
 */
static bool has_played(const struct scene *scene, const struct actor *actor)
{
	if (scene->actors == 1)
		return actor->lock.count;
	switch (actor->kind) {
	case TRY_WRITER:
	case TRY_READER:
		return actor->tries;
	case TIMED_WRITER:
	case TIMED_READER:
		return actor->lock.count && actor->failures;
	default:
		return actor->lock.count;
	}
}

/* Whether every thread and every kind of interrupt has been in. */
static bool has_all_played(const struct scene *scene)
{
	const struct actor *actor;
	int source;

	for (actor = scene->actor; actor < scene->actor + scene->actors; actor++)
		if (actor->subject && !has_played(scene, actor))
			return false;
	for (source = 0; scene->interrupts_every && source < NR_SOURCES; source++)
		if (!interrupts_fewest(source))
			return false;
	return true;
}

/* Why the scene has failed, or NULL. */
static const char *judge(const struct scene *scene, const struct subject *subject)
{
	const struct actor *actor;
	int source;

	if (shared_violations())
		return "the lock did not exclude";
	if (!subject->is_at_rest())
		return "the lock is not at rest";
	for (actor = scene->actor; actor < scene->actor + scene->actors; actor++) {
		if (!actor->subject)
			continue;
		if (actor->wrong_contexts)
			return "a thread was in a wrong context";
		if (!has_played(scene, actor))
			return "a thread never got in, or was never too late";
		if (scene->actors == 1 && actor->failures)
			return "a thread was refused by a free lock";
		if (actor->too_early)
			return "a timed form gave up too early";
	}
	if (!scene->interrupts_every)
		return NULL;
	if (interrupts_wrong())
		return "an interrupt was in a wrong context";
	for (source = 0; source < NR_SOURCES; source++)
		if (!interrupts_fewest(source))
			return "a processor had no interrupt";
	return NULL;
}

static void print(const struct scene *scene)
{
	const struct actor *actor;

	for (actor = scene->actor; actor < scene->actor + scene->actors; actor++) {
		if (actor->subject)
			actor_print(actor);
		else
			pr_info("%s/%d N/A : this lock has no such readers\n", actor->name,
				actor->number);
	}
	if (scene->interrupts_every)
		interrupts_print();
}

void scene_play(struct scene *scene, const struct subject *subject)
{
	struct actor *actor;
	const char *reason;
	int error = 0, more = SLOW_MACHINE_MS / 10;

	pr_info("** %s **\n", scene->title);
	pr_info("* %s\n", subject->name);
	shared_reset();
	latency_begin();
	for (actor = scene->actor; actor < scene->actor + scene->actors && !error; actor++)
		if (can_play(actor, subject))
			error = actor_start(actor, subject);
	if (!error && scene->interrupts_every)
		error = interrupts_start(subject, scene->interrupts_every);
	if (!error)
		msleep(scene->milliseconds);
	while (!error && !has_all_played(scene) && more--)
		msleep(10);
	if (scene->interrupts_every)
		interrupts_stop();
	for (actor = scene->actor; actor < scene->actor + scene->actors; actor++)
		actor_stop(actor);
	latency_end();
	print(scene);
	latency_print(subject);
	reason = error ? "a thread did not start" : judge(scene, subject);
	if (reason)
		pr_info("%sFAIL %s: %s: %s\n", verdict_prefix, subject->name, scene->title, reason);
	else
		pr_info("%spass %s: %s\n", verdict_prefix, subject->name, scene->title);
}
