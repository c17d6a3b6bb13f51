/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * records.h - a record for each task that has had to wait
 */
#ifndef SIFTLOCK_RECORDS_H
#define SIFTLOCK_RECORDS_H

#include <linux/types.h>

struct task_struct;

/* What the locks keep for a task; its content is theirs. */
struct siftlock_record {
	u8 bytes[256];
} __aligned(128);

int siftlock_records_begin(void);
void siftlock_records_end(void);

/* The record of task number @number, which has been made. Every context. */
struct siftlock_record *siftlock_k_record(u32 number);
/* Where that task says that it sleeps. */
struct task_struct **siftlock_sleeper(u32 number);

/* The calling task's record, made if there is none yet: may sleep. */
struct siftlock_record *siftlock_k_current(void);
/* The same without sleep; where there is no memory for it, the first task's. Every context. */
struct siftlock_record *siftlock_k_current_or_first(void);
/* The same, if it has been made already. Every context. */
struct siftlock_record *siftlock_k_current_or_null(void);

#endif
