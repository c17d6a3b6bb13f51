// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * main-test.c - the scenes of the test, played one after the other when the module is loaded
 *
 * After the test module of the priority-sifting lock's author: the same scenes, the same lines. The
 * lock delays of an emulated machine say nothing; those lines are for machines that are not.
 */
#include <linux/module.h>
#include <linux/string.h>
#include "delays.h"
#include "scene.h"

static unsigned int single_ms = 200;
module_param(single_ms, uint, 0444);
MODULE_PARM_DESC(single_ms, "Milliseconds of a scene without contention");
static unsigned int contention_ms = 1000;
module_param(contention_ms, uint, 0444);
MODULE_PARM_DESC(contention_ms, "Milliseconds of a scene with contention");
static unsigned int interrupt_us = 1000;
module_param(interrupt_us, uint, 0444);
MODULE_PARM_DESC(interrupt_us, "Microseconds between two interrupts of each source");
static bool verdicts = true;
module_param(verdicts, bool, 0444);
MODULE_PARM_DESC(verdicts, "Whether verdicts count; no, where the lock is known to be broken");

#define WRITER_PAUSE 100
#define TRY_WRITER_PAUSE 1000
#define NO_PAUSE 0

static struct scene scene;

static void begin(const char *title, unsigned int milliseconds)
{
	memset(&scene, 0, sizeof(scene));
	scene.title = title;
	scene.milliseconds = milliseconds;
}

static void single(const struct subject *subject, const char *title, enum actor_kind kind,
		   enum test_class class, unsigned int pause)
{
	begin(title, single_ms);
	scene_add(&scene, kind, class, pause);
	scene_play(&scene, subject);
}

static void readers(const struct subject *subject)
{
	begin("Multiple p(reemptable)/n(on-)p(reemptable) readers test, no contention", single_ms);
	scene_add(&scene, READER, CLASS_NP, NO_PAUSE);
	scene_add(&scene, READER, CLASS_NP, NO_PAUSE);
	scene_add(&scene, READER, CLASS_P, NO_PAUSE);
	scene_add(&scene, READER, CLASS_P, NO_PAUSE);
	scene_play(&scene, subject);
}

static void add_contention(void)
{
	scene_add(&scene, WRITER, CLASS_P, WRITER_PAUSE);
	scene_add(&scene, WRITER, CLASS_P, WRITER_PAUSE);
	scene_add(&scene, TRY_WRITER, CLASS_P, TRY_WRITER_PAUSE);
	scene_add(&scene, READER, CLASS_NP, NO_PAUSE);
	scene_add(&scene, READER, CLASS_NP, NO_PAUSE);
	scene_add(&scene, READER, CLASS_P, NO_PAUSE);
	scene_add(&scene, READER, CLASS_P, NO_PAUSE);
	scene_add(&scene, TRY_READER, CLASS_NP, NO_PAUSE);
}

static void contention(const struct subject *subject)
{
	begin("High contention test", contention_ms);
	add_contention();
	scene.interrupts_every = interrupt_us;
	scene_play(&scene, subject);
}

/* Beyond the author's test: readers of all classes, and the timed forms. */
static void everything(const struct subject *subject)
{
	static const char *const single_tries[NR_CLASSES] = {
		"Single trylock preemptable reader test, no contention",
		"Single trylock non-preemptable reader test, no contention",
		"Single trylock bottom half reader test, no contention",
		"Single trylock interrupt reader test, no contention",
	};
	enum test_class class;

	for (class = CLASS_P; class < NR_CLASSES; class++)
		single(subject, single_tries[class], TRY_READER, class, NO_PAUSE);
	begin("Readers and trylock readers of all classes", contention_ms);
	scene_add(&scene, WRITER, CLASS_P, WRITER_PAUSE);
	scene_add(&scene, TRY_WRITER, CLASS_P, TRY_WRITER_PAUSE);
	for (class = CLASS_P; class < NR_CLASSES; class++) {
		scene_add(&scene, READER, class, NO_PAUSE);
		scene_add(&scene, TRY_READER, class, NO_PAUSE);
	}
	scene.interrupts_every = interrupt_us;
	scene_play(&scene, subject);
}

static void timed(const struct subject *subject)
{
	begin("Timed and downgrading threads", contention_ms);
	scene_add(&scene, WRITER, CLASS_P, WRITER_PAUSE);
	scene_add(&scene, TIMED_WRITER, CLASS_P, NO_PAUSE);
	scene_add(&scene, READER, CLASS_P, NO_PAUSE);
	scene_add(&scene, TIMED_READER, CLASS_P, NO_PAUSE);
	scene_add(&scene, DOWNGRADER, CLASS_P, WRITER_PAUSE);
	scene_play(&scene, subject);
}

static void play_spinning(const struct subject *subject)
{
	single(subject, "Single writer test, no contention", WRITER, CLASS_P, WRITER_PAUSE);
	single(subject, "Single trylock writer test, no contention", TRY_WRITER, CLASS_P,
			 TRY_WRITER_PAUSE);
	if (subject->read[CLASS_P])
		single(subject, "Single preemptable reader test, no contention", READER,
				 CLASS_P, NO_PAUSE);
	single(subject, "Single non-preemptable reader test, no contention", READER,
			 CLASS_NP, NO_PAUSE);
	readers(subject);
	contention(subject);
}

/* The sleeping lock's scenes are made of threads. */
static void play_sleeping(const struct subject *subject)
{
	single(subject, "Single writer test, no contention", WRITER, CLASS_P, WRITER_PAUSE);
	single(subject, "Single trylock writer test, no contention", TRY_WRITER, CLASS_P,
			 TRY_WRITER_PAUSE);
	single(subject, "Single reader test, no contention", READER, CLASS_P, NO_PAUSE);
	single(subject, "Single trylock reader test, no contention", TRY_READER, CLASS_P,
			 NO_PAUSE);
	begin("High contention test", contention_ms);
	scene_add(&scene, WRITER, CLASS_P, WRITER_PAUSE);
	scene_add(&scene, WRITER, CLASS_P, NO_PAUSE);
	scene_add(&scene, TRY_WRITER, CLASS_P, TRY_WRITER_PAUSE);
	scene_add(&scene, READER, CLASS_P, NO_PAUSE);
	scene_add(&scene, READER, CLASS_P, NO_PAUSE);
	scene_add(&scene, READER, CLASS_P, WRITER_PAUSE);
	scene_add(&scene, TRY_READER, CLASS_P, NO_PAUSE);
	scene_play(&scene, subject);
}

static int __init test_begin(void)
{
	if (!verdicts)
		verdict_prefix = "";
	delays_calibrate();
	play_spinning(&standard_subject);
	play_spinning(&psrw_subject);
	everything(&psrw_subject);
	timed(&psrw_subject);
	play_sleeping(&rwsem_subject);
	timed(&rwsem_subject);
	return 0;
}

static void __exit test_end(void)
{
}

module_init(test_begin);
module_exit(test_end);
MODULE_DESCRIPTION("Tests of siftlock.ko: both locks in every context that may use them");
MODULE_AUTHOR("The siftlock contributors");
MODULE_LICENSE("Dual MIT/GPL");
