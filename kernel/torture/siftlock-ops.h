/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * siftlock-ops.h - both locks as types for locktorture
 *
 * Included into a copy of locktorture.c, in front of its module_init function: see get_locktorture.
 */
#include "siftlock.h"

/*
 * Now and then a writer becomes a real-time task, or an ordinary one again: more often than for
 * rtmutexes, since a run is short.
 */
static void siftlock_boost(struct torture_random_state *random)
{
	unsigned long draw = random ? torture_random(random) % 64 : 1;

	if (draw == 0)
		sched_set_fifo(current);
	else if (draw == 1)
		sched_set_normal(current, MAX_NICE);
}

/* Mostly a few microseconds, with preemption in between; sometimes so long that all others wait. */
static void siftlock_delay(struct torture_random_state *random)
{
	unsigned long draw = torture_random(random) % 4096;

	if (draw == 0)
		mdelay(20);
	else if (draw < 64)
		torture_preempt_schedule();
	else
		udelay(draw % 16);
}

static DEFINE_SIFTLOCK_RWSEM(siftlock_rwsem_tortured);

static int siftlock_rwsem_torture_write(int tid)
{
	siftlock_rwsem_write(&siftlock_rwsem_tortured);
	return 0;
}

static void siftlock_rwsem_torture_write_unlock(int tid)
{
	siftlock_rwsem_write_unlock(&siftlock_rwsem_tortured);
}

static int siftlock_rwsem_torture_read(int tid)
{
	siftlock_rwsem_read(&siftlock_rwsem_tortured);
	return 0;
}

static void siftlock_rwsem_torture_read_unlock(int tid)
{
	siftlock_rwsem_read_unlock(&siftlock_rwsem_tortured);
}

static struct lock_torture_ops siftlock_rwsem_ops = {
	.writelock	= siftlock_rwsem_torture_write,
	.write_delay	= siftlock_delay,
	.task_boost	= siftlock_boost,
	.writeunlock	= siftlock_rwsem_torture_write_unlock,
	.readlock	= siftlock_rwsem_torture_read,
	.read_delay	= siftlock_delay,
	.readunlock	= siftlock_rwsem_torture_read_unlock,
	.name		= "siftlock_rwsem"
};

static DEFINE_SIFTLOCK_PSRW(siftlock_psrw_tortured);

#define SIFTLOCK_READERS 64

/* What the writer that is in, and each interrupt reader, has raised. */
static u64 siftlock_psrw_writer;
static unsigned long siftlock_psrw_flags[SIFTLOCK_READERS];

static int siftlock_psrw_torture_write(int tid)
{
	u64 raised = siftlock_psrw_write(&siftlock_psrw_tortured);

	siftlock_psrw_writer = raised;
	return 0;
}

static void siftlock_psrw_torture_write_unlock(int tid)
{
	siftlock_psrw_write_unlock(&siftlock_psrw_tortured, siftlock_psrw_writer);
}

/* The threads take turns in the classes in which they read. */
static int siftlock_psrw_torture_read(int tid)
{
	unsigned long flags;

	switch (tid % 4) {
	case 0:
		siftlock_psrw_read(&siftlock_psrw_tortured);
		break;
	case 1:
		siftlock_psrw_read_np(&siftlock_psrw_tortured);
		break;
	case 2:
		siftlock_psrw_read_bh(&siftlock_psrw_tortured);
		break;
	default:
		siftlock_psrw_read_irqsave(&siftlock_psrw_tortured, flags);
		siftlock_psrw_flags[tid % SIFTLOCK_READERS] = flags;
	}
	return 0;
}

static void siftlock_psrw_torture_read_unlock(int tid)
{
	unsigned long flags = siftlock_psrw_flags[tid % SIFTLOCK_READERS];

	switch (tid % 4) {
	case 0:
		siftlock_psrw_read_unlock(&siftlock_psrw_tortured);
		break;
	case 1:
		siftlock_psrw_read_unlock_np(&siftlock_psrw_tortured);
		break;
	case 2:
		siftlock_psrw_read_unlock_bh(&siftlock_psrw_tortured);
		break;
	default:
		siftlock_psrw_read_unlock_irqrestore(&siftlock_psrw_tortured, flags);
	}
}

static struct lock_torture_ops siftlock_psrw_ops = {
	.writelock	= siftlock_psrw_torture_write,
	.write_delay	= siftlock_delay,
	.task_boost	= siftlock_boost,
	.writeunlock	= siftlock_psrw_torture_write_unlock,
	.readlock	= siftlock_psrw_torture_read,
	.read_delay	= siftlock_delay,
	.readunlock	= siftlock_psrw_torture_read_unlock,
	.name		= "siftlock_psrw"
};
