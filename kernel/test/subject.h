/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * subject.h - the locks under test, behind one table of functions each
 */
#ifndef TEST_SUBJECT_H
#define TEST_SUBJECT_H

#include <linux/types.h>

/* The classes of contexts that read, lowest first. */
enum test_class { CLASS_P, CLASS_NP, CLASS_BH, CLASS_IRQ, NR_CLASSES };

/* What a try form or a timed form answers that did not get the lock. */
#define NOT_TAKEN U64_MAX

/*
 * A lock. What a function that takes it answers, the unlock of the same class is given. NULL: this
 * lock has no such form.
 */
struct subject {
	const char *name;
	/* Interrupts are off while it is written. */
	bool writes_irqs_off;
	u64 (*write)(void);
	u64 (*try_write)(void);
	u64 (*write_until)(u64 until);
	void (*end_write)(u64 raised);
	/* Turns a write into a read of CLASS_P. */
	void (*downgrade)(void);
	u64 (*read[NR_CLASSES])(void);
	u64 (*try_read[NR_CLASSES])(void);
	/* Of CLASS_P. */
	u64 (*read_until)(u64 until);
	void (*end_read[NR_CLASSES])(u64 raised);
	/* Whether all its words are as they were before its first use. */
	bool (*is_at_rest)(void);
};

extern const struct subject psrw_subject, rwsem_subject, standard_subject;

#endif
