/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * delays.h - how long something took, in cycles: least, mean, most
 */
#ifndef TEST_DELAYS_H
#define TEST_DELAYS_H

#include <linux/minmax.h>
#include <linux/types.h>

struct delays {
	u64 count, sum, min, max;
};

/* What reading the counter takes, subtracted from each delay; see delays_calibrate. */
extern u64 delays_overhead;

/* Measures what reading the counter takes, and prints it. */
void delays_calibrate(void);

/* Prints the line "WHAT DELAY [min,avg,max] …". */
void delays_print(const char *what, const char *delay, const struct delays *delays);

static inline void delays_add(struct delays *delays, u64 begin, u64 end)
{
	u64 took = end - begin;

	took -= min(took, delays_overhead);
	delays->min = delays->count++ ? min(delays->min, took) : took;
	delays->max = max(delays->max, took);
	delays->sum += took;
}

#endif
