// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * subject.c - the locks under test: both of ours, and the kernel's rwlock_t beside them
 */
#include <linux/spinlock.h>
#include "latency.h"
#include "platform.h"
#include "siftlock.h"
#include "subject.h"
#include "test-latency.h"

static DEFINE_SIFTLOCK_PSRW(psrw);
static DEFINE_SIFTLOCK_RWSEM(rwsem);
static DEFINE_RWLOCK(standard);

static u64 psrw_read(void) { siftlock_psrw_read(&psrw); return 0; }
static u64 psrw_try_read(void) { return siftlock_psrw_try_read(&psrw) ? 0 : NOT_TAKEN; }
static u64 psrw_read_until(u64 until) { return siftlock_psrw_read_until(&psrw, until) ? 0 : NOT_TAKEN; }
static void psrw_read_unlock(u64 raised) { siftlock_psrw_read_unlock(&psrw); }

/* These raise themselves, and so note themselves how long they mask others. */
#define PSRW_READS(suffix, class)						\
static u64 psrw_read##suffix(void)						\
{										\
	siftlock_psrw_read##suffix(&psrw);					\
	siftlock_latency_raised(SIFTLOCK_THREAD, class);			\
	return 0;								\
}										\
										\
static u64 psrw_try_read##suffix(void)						\
{										\
	if (!siftlock_psrw_try_read##suffix(&psrw))				\
		return NOT_TAKEN;						\
	siftlock_latency_raised(SIFTLOCK_THREAD, class);			\
	return 0;								\
}										\
										\
static void psrw_read_unlock##suffix(u64 raised)				\
{										\
	siftlock_latency_restored(class);					\
	siftlock_psrw_read_unlock##suffix(&psrw);				\
}

PSRW_READS(_np, SIFTLOCK_NP)
PSRW_READS(_bh, SIFTLOCK_BH)

static u64 psrw_read_irq(void)
{
	unsigned long flags;

	siftlock_psrw_read_irqsave(&psrw, flags);
	return flags;
}

static u64 psrw_try_read_irq(void)
{
	unsigned long flags;

	return siftlock_psrw_try_read_irqsave(&psrw, flags) ? flags : NOT_TAKEN;
}

static void psrw_read_unlock_irq(u64 raised)
{
	unsigned long flags = raised;

	siftlock_psrw_read_unlock_irqrestore(&psrw, flags);
}

static u64 psrw_write(void) { return siftlock_psrw_write(&psrw); }
static u64 psrw_write_until(u64 until) { return siftlock_psrw_write_until(&psrw, until); }
static u64 psrw_try_write(void) { return siftlock_psrw_try_write(&psrw); }
static void psrw_write_unlock(u64 raised) { siftlock_psrw_write_unlock(&psrw, raised); }
static bool psrw_is_at_rest(void) { return !psrw.words[0] && !psrw.words[1]; }

const struct subject psrw_subject = {
	.name = "psrwlock",
	.writes_irqs_off = true,
	.write = psrw_write,
	.try_write = psrw_try_write,
	.write_until = psrw_write_until,
	.end_write = psrw_write_unlock,
	.read = { psrw_read, psrw_read_np, psrw_read_bh, psrw_read_irq },
	.try_read = { psrw_try_read, psrw_try_read_np, psrw_try_read_bh, psrw_try_read_irq },
	.read_until = psrw_read_until,
	.end_read = { psrw_read_unlock, psrw_read_unlock_np, psrw_read_unlock_bh,
			 psrw_read_unlock_irq },
	.is_at_rest = psrw_is_at_rest,
};

static u64 rwsem_read(void) { return siftlock_rwsem_read(&rwsem) ? 0 : NOT_TAKEN; }
static u64 rwsem_try_read(void) { return siftlock_rwsem_try_read(&rwsem) ? 0 : NOT_TAKEN; }
static u64 rwsem_read_until(u64 until) { return siftlock_rwsem_read_until(&rwsem, until) ? 0 : NOT_TAKEN; }
static void rwsem_read_unlock(u64 raised) { siftlock_rwsem_read_unlock(&rwsem); }
static u64 rwsem_write(void) { siftlock_rwsem_write(&rwsem); return 0; }
static u64 rwsem_try_write(void) { return siftlock_rwsem_try_write(&rwsem) ? 0 : NOT_TAKEN; }
static u64 rwsem_write_until(u64 until) { return siftlock_rwsem_write_until(&rwsem, until) ? 0 : NOT_TAKEN; }
static void rwsem_downgrade(void) { siftlock_rwsem_downgrade(&rwsem); }
static void rwsem_write_unlock(u64 raised) { siftlock_rwsem_write_unlock(&rwsem); }

/* The second word keeps hints: who had the lock last, and the spinners' queue. */
static bool rwsem_is_at_rest(void)
{
	return !rwsem.words[0] && !(rwsem.words[1] >> 32) && !rwsem.words[2];
}

const struct subject rwsem_subject = {
	.name = "rwsem",
	.write = rwsem_write,
	.try_write = rwsem_try_write,
	.write_until = rwsem_write_until,
	.end_write = rwsem_write_unlock,
	.downgrade = rwsem_downgrade,
	.read = { rwsem_read },
	.try_read = { rwsem_try_read },
	.read_until = rwsem_read_until,
	.end_read = { rwsem_read_unlock },
	.is_at_rest = rwsem_is_at_rest,
};

/* As the _irqsave forms do it, with a look at the clock between. */
static u64 standard_write(void)
{
	unsigned long flags;

	local_irq_save(flags);
	standard_latency_begin();
	write_lock(&standard);
	return flags;
}

static u64 standard_try_write(void)
{
	unsigned long flags;

	local_irq_save(flags);
	standard_latency_begin();
	if (write_trylock(&standard))
		return flags;
	standard_latency_end();
	local_irq_restore(flags);
	return NOT_TAKEN;
}

static void standard_write_unlock(u64 raised)
{
	unsigned long flags = raised;

	write_unlock(&standard);
	standard_latency_end();
	local_irq_restore(flags);
}

static u64 standard_read_np(void) { read_lock(&standard); return 0; }
static u64 standard_try_read_np(void) { return read_trylock(&standard) ? 0 : NOT_TAKEN; }
static void standard_read_unlock_np(u64 raised) { read_unlock(&standard); }
static u64 standard_read_bh(void) { read_lock_bh(&standard); return 0; }
static void standard_read_unlock_bh(u64 raised) { read_unlock_bh(&standard); }

static u64 standard_read_irq(void)
{
	unsigned long flags;

	read_lock_irqsave(&standard, flags);
	return flags;
}

static void standard_read_unlock_irq(u64 raised)
{
	unsigned long flags = raised;

	read_unlock_irqrestore(&standard, flags);
}

static bool standard_is_at_rest(void) { return !rwlock_is_contended(&standard); }

const struct subject standard_subject = {
	.name = "standard rwlock",
	.writes_irqs_off = true,
	.write = standard_write,
	.try_write = standard_try_write,
	.end_write = standard_write_unlock,
	.read = { NULL, standard_read_np, standard_read_bh, standard_read_irq },
	.try_read = { NULL, standard_try_read_np },
	.end_read = { NULL, standard_read_unlock_np, standard_read_unlock_bh,
			 standard_read_unlock_irq },
	.is_at_rest = standard_is_at_rest,
};
