// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * count-siftlock.c - how many instructions taking and releasing an uncontended lock needs
 *
 * For QEMU with -icount shift=0, where the time-stamp counter counts instructions: the same in every
 * run. Beside each of ours is what the kernel has for the purpose. Elsewhere it counts cycles.
 */
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/percpu-rwsem.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/timex.h>
#include "siftlock.h"

#define PAIRS 256
/* The least of so many rounds is one that no interrupt came into. */
#define ROUNDS 32

static DEFINE_SIFTLOCK_PSRW(psrw);
static DEFINE_SIFTLOCK_RWSEM(rwsem);
static DEFINE_RWLOCK(rwlock);
static DECLARE_RWSEM(rw_semaphore);
DEFINE_STATIC_PERCPU_RWSEM(percpu);

/* A function that does something so often, and how many cycles it took. */
#define MEASURED(name, declaration, pair)			\
static u64 name(void)						\
{								\
	u64 begin, least = U64_MAX;				\
	int round, turn;					\
	declaration;						\
								\
	for (round = 0; round < ROUNDS; round++) {		\
		begin = get_cycles();				\
		for (turn = 0; turn < PAIRS; turn++) {		\
			pair;					\
			barrier();				\
		}						\
		least = min_t(u64, least, get_cycles() - begin); \
	}							\
	return least;						\
}

#define NOTHING int nothing __maybe_unused

MEASURED(empty, NOTHING, (void)0)

MEASURED(psrw_read, NOTHING,
	 siftlock_psrw_read(&psrw); siftlock_psrw_read_unlock(&psrw))
MEASURED(psrw_read_np, NOTHING,
	 siftlock_psrw_read_np(&psrw); siftlock_psrw_read_unlock_np(&psrw))
MEASURED(psrw_read_bh, NOTHING,
	 siftlock_psrw_read_bh(&psrw); siftlock_psrw_read_unlock_bh(&psrw))
MEASURED(psrw_read_irq, unsigned long flags,
	 siftlock_psrw_read_irqsave(&psrw, flags);
	 siftlock_psrw_read_unlock_irqrestore(&psrw, flags))
MEASURED(psrw_write, u64 raised,
	 raised = siftlock_psrw_write(&psrw); siftlock_psrw_write_unlock(&psrw, raised))
MEASURED(psrw_try_read_np, bool taken,
	 taken = siftlock_psrw_try_read_np(&psrw); if (taken) siftlock_psrw_read_unlock_np(&psrw))
MEASURED(psrw_try_write, u64 raised,
	 raised = siftlock_psrw_try_write(&psrw); siftlock_psrw_write_unlock(&psrw, raised))

MEASURED(rwlock_read, NOTHING, read_lock(&rwlock); read_unlock(&rwlock))
MEASURED(rwlock_read_bh, NOTHING, read_lock_bh(&rwlock); read_unlock_bh(&rwlock))
MEASURED(rwlock_read_irq, unsigned long flags,
	 read_lock_irqsave(&rwlock, flags); read_unlock_irqrestore(&rwlock, flags))
MEASURED(rwlock_write_irq, unsigned long flags,
	 write_lock_irqsave(&rwlock, flags); write_unlock_irqrestore(&rwlock, flags))
MEASURED(rwlock_try_read, bool taken,
	 taken = read_trylock(&rwlock); if (taken) read_unlock(&rwlock))
MEASURED(rwlock_try_write, unsigned long flags; bool taken,
	 taken = write_trylock_irqsave(&rwlock, flags);
	 if (taken) write_unlock_irqrestore(&rwlock, flags))

MEASURED(rwsem_read, NOTHING, siftlock_rwsem_read(&rwsem); siftlock_rwsem_read_unlock(&rwsem))
MEASURED(rwsem_write, NOTHING, siftlock_rwsem_write(&rwsem); siftlock_rwsem_write_unlock(&rwsem))
MEASURED(rwsem_try_read, bool taken,
	 taken = siftlock_rwsem_try_read(&rwsem); if (taken) siftlock_rwsem_read_unlock(&rwsem))
MEASURED(rwsem_try_write, bool taken,
	 taken = siftlock_rwsem_try_write(&rwsem); if (taken) siftlock_rwsem_write_unlock(&rwsem))

MEASURED(kernel_read, NOTHING, down_read(&rw_semaphore); up_read(&rw_semaphore))
MEASURED(kernel_write, NOTHING, down_write(&rw_semaphore); up_write(&rw_semaphore))
MEASURED(kernel_try_read, bool taken,
	 taken = down_read_trylock(&rw_semaphore); if (taken) up_read(&rw_semaphore))
MEASURED(kernel_try_write, bool taken,
	 taken = down_write_trylock(&rw_semaphore); if (taken) up_write(&rw_semaphore))
MEASURED(percpu_read, NOTHING, percpu_down_read(&percpu); percpu_up_read(&percpu))

static const struct comparison {
	const char *what;
	u64 (*ours)(void);
	const char *peer;
	u64 (*theirs)(void);
	/* What the kernel has is another kind of lock: shown, not judged. */
	bool apart;
} comparisons[] = {
	{ "psrwlock thread read", psrw_read, "rw_semaphore read", kernel_read },
	{ "psrwlock non-preemptible read", psrw_read_np, "rwlock_t read", rwlock_read },
	{ "psrwlock bottom half read", psrw_read_bh, "rwlock_t read, _bh", rwlock_read_bh },
	{ "psrwlock interrupt read", psrw_read_irq, "rwlock_t read, _irqsave", rwlock_read_irq },
	{ "psrwlock write", psrw_write, "rwlock_t write, _irqsave", rwlock_write_irq },
	{ "psrwlock try read", psrw_try_read_np, "rwlock_t try read", rwlock_try_read },
	{ "psrwlock try write", psrw_try_write, "rwlock_t try write, _irqsave", rwlock_try_write },
	{ "rwsem read", rwsem_read, "rw_semaphore read", kernel_read },
	{ "rwsem write", rwsem_write, "rw_semaphore write", kernel_write },
	{ "rwsem try read", rwsem_try_read, "rw_semaphore try read", kernel_try_read },
	{ "rwsem try write", rwsem_try_write, "rw_semaphore try write", kernel_try_write },
	{ "rwsem read", rwsem_read, "percpu_rw_semaphore read", percpu_read, true },
};

/* Tenths of an instruction for each pair. */
static u64 tenths(u64 (*measured)(void), u64 loop)
{
	u64 took = measured();

	return (took - min(took, loop)) * 10 / PAIRS;
}

static int __init count_begin(void)
{
	const struct comparison *now;
	u64 loop = empty(), ours, theirs;

	for (now = comparisons; now < comparisons + ARRAY_SIZE(comparisons); now++) {
		ours = tenths(now->ours, loop);
		theirs = tenths(now->theirs, loop);
		pr_info("siftlock-test: %s instructions of a pair: %s %llu.%llu, %s %llu.%llu\n",
			ours <= theirs ? "pass" : now->apart ? "note" : "FAIL", now->what, ours / 10,
			ours % 10, now->peer, theirs / 10, theirs % 10);
	}
	return 0;
}

static void __exit count_end(void)
{
}

module_init(count_begin);
module_exit(count_end);
MODULE_DESCRIPTION("Instructions of uncontended locks, siftlock.ko's and the kernel's");
MODULE_AUTHOR("The siftlock contributors");
MODULE_LICENSE("Dual MIT/GPL");
