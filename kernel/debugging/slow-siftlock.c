// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * slow-siftlock.c - slow readers and a writer, for the tracer of masked interrupts
 *
 * One thread reads with preemption off, slowly, again and again, on a processor of its own; whoever
 * loads the module writes, elsewhere. With the kernel's rwlock_t it waits for the reader with
 * interrupts off.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "siftlock.h"

static char *lock = "rwlock";
module_param(lock, charp, 0444);
MODULE_PARM_DESC(lock, "rwlock or psrwlock");
static unsigned int read_ms = 200;
module_param(read_ms, uint, 0444);
MODULE_PARM_DESC(read_ms, "Milliseconds of a read section");
static unsigned int writes = 8;
module_param(writes, uint, 0444);
MODULE_PARM_DESC(writes, "How often the lock is written");

static DEFINE_RWLOCK(rwlock);
static DEFINE_SIFTLOCK_PSRW(psrw);
static bool is_standard;

static int read_slowly(void *unused)
{
	while (!kthread_should_stop()) {
		if (is_standard)
			read_lock(&rwlock);
		else
			siftlock_psrw_read_np(&psrw);
		mdelay(read_ms);
		if (is_standard)
			read_unlock(&rwlock);
		else
			siftlock_psrw_read_unlock_np(&psrw);
		usleep_range(1000, 2000);
	}
	return 0;
}

static noinline void write_once(void)
{
	u64 raised;

	if (is_standard) {
		write_lock_irq(&rwlock);
		write_unlock_irq(&rwlock);
	} else {
		raised = siftlock_psrw_write(&psrw);
		siftlock_psrw_write_unlock(&psrw, raised);
	}
}

static int slow_begin(void)
{
	struct task_struct *reader;
	unsigned int turn;

	is_standard = !strcmp(lock, "rwlock");
	reader = kthread_create(read_slowly, NULL, "slow_reader");
	if (IS_ERR(reader))
		return PTR_ERR(reader);
	kthread_bind(reader, 1);
	wake_up_process(reader);
	for (turn = 0; turn < writes; turn++) {
		msleep(10);
		write_once();
	}
	kthread_stop(reader);
	return 0;
}

static void __exit slow_end(void)
{
}

module_init(slow_begin);
module_exit(slow_end);
MODULE_DESCRIPTION("Slow readers and a writer, for the tracer of masked interrupts");
MODULE_AUTHOR("The siftlock contributors");
MODULE_LICENSE("Dual MIT/GPL");
