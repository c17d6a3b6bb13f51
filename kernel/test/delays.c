// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * delays.c - how long something took
 */
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/printk.h>
#include <linux/timex.h>
#include "delays.h"

#define CALIBRATION_LOOPS 20000

u64 delays_overhead;

static u64 mean(const struct delays *delays)
{
	return delays->count ? div64_u64(delays->sum, delays->count) : 0;
}

void delays_calibrate(void)
{
	struct delays own = {};
	unsigned long flags;
	u64 begin;
	int turn;

	delays_overhead = 0;
	local_irq_save(flags);
	for (turn = 0; turn < CALIBRATION_LOOPS; turn++) {
		begin = get_cycles();
		delays_add(&own, begin, get_cycles());
	}
	local_irq_restore(flags);
	pr_info("get_cycles takes [min,avg,max] %llu,%llu,%llu cycles, results calibrated on avg\n",
		own.min, mean(&own), own.max);
	delays_overhead = mean(&own);
}

void delays_print(const char *what, const char *delay, const struct delays *delays)
{
	pr_info("%s, %s [min,avg,max] %llu,%llu,%llu cycles\n", what, delay, delays->min,
		mean(delays), delays->max);
}
