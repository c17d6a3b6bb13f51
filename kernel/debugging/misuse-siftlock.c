// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * misuse-siftlock.c - deliberate mistakes, which lockdep and its kin must report
 *
 * None of them hangs: the locks are free, only the order or the place is wrong. lockdep reports one
 * mistake and then is silent, so each boot makes one.
 */
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "siftlock.h"

static char *mistake = "";
module_param(mistake, charp, 0444);
MODULE_PARM_DESC(mistake, "rwsem-order, psrw-order, psrw-twice or rwsem-atomic");

static DEFINE_SIFTLOCK_RWSEM(sem_a);
static DEFINE_SIFTLOCK_RWSEM(sem_b);
static DEFINE_SIFTLOCK_PSRW(psrw);
static DEFINE_SPINLOCK(spin);

static void write_both(struct siftlock_rwsem *first, struct siftlock_rwsem *second)
{
	siftlock_rwsem_write(first);
	siftlock_rwsem_write(second);
	siftlock_rwsem_write_unlock(second);
	siftlock_rwsem_write_unlock(first);
}

/* Each of two threads may come to wait for the other. */
static void rwsem_order(void)
{
	write_both(&sem_a, &sem_b);
	write_both(&sem_b, &sem_a);
}

/* The same, with a lock of the kernel's. */
static void psrw_order(void)
{
	unsigned long flags;
	u64 raised;

	raised = siftlock_psrw_write(&psrw);
	spin_lock(&spin);
	spin_unlock(&spin);
	siftlock_psrw_write_unlock(&psrw, raised);

	spin_lock_irqsave(&spin, flags);
	siftlock_psrw_read_irq(&psrw);
	siftlock_psrw_read_unlock_irq(&psrw);
	spin_unlock_irqrestore(&spin, flags);
}

/* A reader that reads again: a writer may have shut its class out in between. */
static void psrw_twice(void)
{
	siftlock_psrw_read_np(&psrw);
	siftlock_psrw_read_np(&psrw);
	siftlock_psrw_read_unlock_np(&psrw);
	siftlock_psrw_read_unlock_np(&psrw);
}

/* A lock that may sleep, where nobody may. */
static void rwsem_atomic(void)
{
	preempt_disable();
	siftlock_rwsem_read(&sem_a);
	siftlock_rwsem_read_unlock(&sem_a);
	preempt_enable();
}

static int __init misuse_begin(void)
{
	if (!strcmp(mistake, "rwsem-order"))
		rwsem_order();
	else if (!strcmp(mistake, "psrw-order"))
		psrw_order();
	else if (!strcmp(mistake, "psrw-twice"))
		psrw_twice();
	else if (!strcmp(mistake, "rwsem-atomic"))
		rwsem_atomic();
	else
		return -EINVAL;
	return 0;
}

static void __exit misuse_end(void)
{
}

module_init(misuse_begin);
module_exit(misuse_end);
MODULE_DESCRIPTION("Deliberate misuse of siftlock.ko's locks");
MODULE_AUTHOR("The siftlock contributors");
MODULE_LICENSE("Dual MIT/GPL");
