// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * actor.c - threads that use the lock
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/printk.h>
#include <linux/timex.h>
#include "actor.h"
#include "context.h"
#include "shared.h"

/* So often a try form is tried before the thread gives up and makes a pause. */
#define FAIL_AFTER 100

/* How long a timed form waits at most, by turns: too short, and long enough. */
static const u64 PATIENCE[] = { 5 * NSEC_PER_USEC, 20 * NSEC_PER_MSEC };

static bool writes(const struct actor *actor)
{
	return actor->kind < READER;
}

static u64 take_until(struct actor *actor)
{
	u64 until = ktime_get_ns() + PATIENCE[actor->tries % ARRAY_SIZE(PATIENCE)], raised;

	if (actor->kind == TIMED_WRITER)
		raised = actor->subject->write_until(until);
	else
		raised = actor->subject->read_until(until);
	actor->too_early += raised == NOT_TAKEN && ktime_get_ns() < until;
	return raised;
}

static u64 take(struct actor *actor)
{
	const struct subject *subject = actor->subject;

	switch (actor->kind) {
	case WRITER:
	case DOWNGRADER:
		return subject->write();
	case TRY_WRITER:
		return subject->try_write();
	case READER:
		return subject->read[actor->class]();
	case TRY_READER:
		return subject->try_read[actor->class]();
	default:
		return take_until(actor);
	}
}

/* Inside: uses what the lock guards, and looks where it stands. */
static void use_as_writer(struct actor *actor)
{
	bool right = actor->subject->writes_irqs_off ? irqs_disabled() : is_plain_thread();

	shared_write();
	actor->wrong_contexts += !right;
}

static void use_as_reader(struct actor *actor)
{
	actor->wrong_contexts += !stands_at(actor->class);
	shared_read();
}

static void use(struct actor *actor)
{
	if (writes(actor))
		use_as_writer(actor);
	if (actor->kind == DOWNGRADER)
		actor->subject->downgrade();
	if (!writes(actor) || actor->kind == DOWNGRADER)
		use_as_reader(actor);
}

static void release(struct actor *actor, u64 raised)
{
	if (writes(actor) && actor->kind != DOWNGRADER)
		actor->subject->end_write(raised);
	else
		actor->subject->end_read[actor->class](raised);
}

/* Once in and out. Whether it got in. */
static bool turn(struct actor *actor)
{
	u64 begin, end, raised;

	begin = get_cycles();
	raised = take(actor);
	end = get_cycles();
	actor->tries++;
	if (raised == NOT_TAKEN) {
		actor->failures++;
		actor->wrong_contexts += !is_plain_thread();
		return false;
	}
	delays_add(&actor->lock, begin, end);
	use(actor);
	begin = get_cycles();
	release(actor, raised);
	end = get_cycles();
	delays_add(&actor->unlock, begin, end);
	/* What was raised has been taken back. */
	actor->wrong_contexts += !is_plain_thread();
	return true;
}

static void rest(const struct actor *actor)
{
	if (actor->pause)
		usleep_range(actor->pause, actor->pause);
	else
		cond_resched();
}

static int run(void *data)
{
	struct actor *actor = data;
	int left;

	while (!kthread_should_stop()) {
		left = FAIL_AFTER;
		while (!turn(actor) && --left && !kthread_should_stop())
			cond_resched();
		actor->gave_up += !left;
		rest(actor);
	}
	return 0;
}

int actor_start(struct actor *actor, const struct subject *subject)
{
	struct task_struct *task;

	actor->subject = subject;
	task = kthread_run(run, actor, "%s/%d", actor->name, actor->number);
	if (IS_ERR(task))
		return PTR_ERR(task);
	actor->task = task;
	return 0;
}

void actor_stop(struct actor *actor)
{
	if (actor->task)
		kthread_stop(actor->task);
	actor->task = NULL;
}

void actor_print(const struct actor *actor)
{
	char what[64];

	if (actor->kind == TRY_WRITER || actor->kind == TRY_READER || actor->failures)
		pr_info("%s/%d iterations : [try,success,fail after %d try], %llu,%llu,%llu\n",
			actor->name, actor->number, FAIL_AFTER, actor->tries, actor->lock.count,
			actor->gave_up);
	snprintf(what, sizeof(what), "%s/%d iterations : %llu", actor->name, actor->number,
		 actor->lock.count);
	delays_print(what, "lock delay", &actor->lock);
	delays_print(what, "unlock delay", &actor->unlock);
}
