// SPDX-License-Identifier: MIT OR Apache-2.0
/* Compiled to assembly only, out of which the build reads the numbers. */
#include <linux/sched.h>
#include <linux/stddef.h>

void siftlock_offsets(void);

void siftlock_offsets(void)
{
	asm volatile("\n->TASK_PID %0" : : "i" (offsetof(struct task_struct, pid)));
}
