/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * interrupt.h - interrupt handlers and bottom halves that read the lock, on each processor
 */
#ifndef TEST_INTERRUPT_H
#define TEST_INTERRUPT_H

#include "subject.h"

/* Where a read comes from. */
enum source { FROM_TIMER_IRQ, FROM_IPI, FROM_TIMER_SOFTIRQ, FROM_TASKLET, NR_SOURCES };

/* Starts all sources on all processors online, each once in @pause microseconds. Answers 0, or a
 * negative error. */
int interrupts_start(const struct subject *subject, unsigned int pause);
/* Ends them, and waits for those that run. */
void interrupts_stop(void);
/* Prints how long their reads took. */
void interrupts_print(void);
/* Reads so far from @source, on the processor that has had the fewest. */
u64 interrupts_fewest(enum source source);
/* Reads that were not where they should have been. */
u64 interrupts_wrong(void);

#endif
