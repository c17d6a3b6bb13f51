/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * records.h - a record for each task that the locks know
 */
#ifndef SIFTLOCK_RECORDS_H
#define SIFTLOCK_RECORDS_H

#include <linux/types.h>

struct task_struct;

/* A task's record. Only the locks know its content. */
struct siftlock_record {
	u8 bytes[256];
} __aligned(128);

int siftlock_records_begin(void);
void siftlock_records_end(void);

/* The record of task number @number, whose page is made or about to be. Every context. */
struct siftlock_record *siftlock_k_record(u32 number);
/* The place in which task number @number says that it sleeps: itself, or NULL. */
struct task_struct **siftlock_sleeper(u32 number);

/* The calling task's record, made if there is none yet. May sleep. */
struct siftlock_record *siftlock_k_current(void);
/* The calling task's record, without sleep; the first task's if there is no memory. Every context. */
struct siftlock_record *siftlock_k_current_or_first(void);
/* The calling task's record, or NULL if it has not been made. Every context. */
struct siftlock_record *siftlock_k_current_or_null(void);

#endif
