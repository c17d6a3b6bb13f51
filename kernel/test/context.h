/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * context.h - each context says what it is
 */
#ifndef TEST_CONTEXT_H
#define TEST_CONTEXT_H

#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include "subject.h"

/* A thread that nothing keeps from sleeping. */
static inline bool is_plain_thread(void)
{
	return preemptible() && in_task();
}

/* Whether a reader that has the lock stands at its class: no lower, and no higher. */
static inline bool stands_at(enum test_class class)
{
	switch (class) {
	case CLASS_P:
		return is_plain_thread();
	case CLASS_NP:
		return !preemptible() && !in_softirq() && !irqs_disabled();
	case CLASS_BH:
		return in_softirq() && !in_hardirq() && !irqs_disabled();
	default:
		return irqs_disabled();
	}
}

#endif
