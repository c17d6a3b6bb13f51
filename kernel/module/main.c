// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * main.c - the module: its beginning and end, and its exports
 *
 * The locks themselves are siftlock-core, unchanged. platform.c has the functions that they need of
 * the kernel.
 */
#include <linux/module.h>
#include <asm/cpufeature.h>
#include "latency.h"
#include "records.h"
#include "siftlock.h"

EXPORT_SYMBOL_GPL(siftlock_r_rwsem_read);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_read_until);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_try_read);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_read_unlock);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_write);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_write_until);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_try_write);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_write_unlock);
EXPORT_SYMBOL_GPL(siftlock_r_rwsem_downgrade);

EXPORT_SYMBOL_GPL(siftlock_r_psrw_read);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_np);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_bh);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_irq);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_until);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_try_read);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_try_read_np);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_try_read_bh);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_try_read_irq);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_unlock);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_unlock_np);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_unlock_bh);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_read_unlock_irq);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_write);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_write_until);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_try_write);
EXPORT_SYMBOL_GPL(siftlock_r_psrw_write_unlock);

EXPORT_SYMBOL_GPL(siftlock_latency_watch);
EXPORT_SYMBOL_GPL(siftlock_latency_of);
EXPORT_SYMBOL_GPL(siftlock_latency_on);
EXPORT_SYMBOL_GPL(siftlock_latency_note_raised);
EXPORT_SYMBOL_GPL(siftlock_latency_note_restored);

static int __init siftlock_begin(void)
{
	int error;

#ifdef SIFTLOCK_INLINE
	if (boot_cpu_has(X86_FEATURE_XENPV)) {
		pr_err("siftlock: Xen keeps guests from masking interrupts themselves: build without SIFTLOCK_INLINE\n");
		return -ENODEV;
	}
#endif
	error = siftlock_records_begin();
	if (!error)
		pr_info("siftlock: loaded\n");
	return error;
}

static void __exit siftlock_end(void)
{
	siftlock_records_end();
}

module_init(siftlock_begin);
module_exit(siftlock_end);
MODULE_DESCRIPTION("Reader-writer locks: a sleeping one, and one that interrupt handlers read");
MODULE_AUTHOR("The siftlock contributors");
MODULE_LICENSE("Dual MIT/GPL");
