// SPDX-License-Identifier: MIT OR Apache-2.0
/*
 * records.c - a record for each task that the locks know
 *
 * A record's id is its task's number: unique among live tasks, and at most 22 bits, for which the
 * locks have room. Records lie in pages. A page is made when the first task of the page needs its
 * record, and lives as long as the module: a thread that knows an id may always touch the record.
 */
#include <linux/bug.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/threads.h>
#include <linux/vmalloc.h>
#include "records.h"

#define PER_PAGE 15

struct page_of_records {
	struct siftlock_record records[PER_PAGE];
	struct task_struct *sleepers[PER_PAGE];
};
static_assert(sizeof(struct page_of_records) <= PAGE_SIZE);
/* The psrwlock has 22 bits for an id; the sleeping lock has more. */
static_assert(PID_MAX_LIMIT <= 1 << 22);

#define PAGES (PID_MAX_LIMIT / PER_PAGE + 1)

static struct page_of_records **pages;

void siftlock_r_make_record(struct siftlock_record *place, u32 number);

static struct page_of_records *page_of(u32 number)
{
	struct page_of_records *page;

	/*
	 * On a weakly ordered processor an id can be seen before the page that was made for it. That
	 * page is on its way. Acquire: pairs with the cmpxchg in make_page.
	 */
	while (unlikely(!(page = smp_load_acquire(&pages[number / PER_PAGE]))))
		cpu_relax();
	return page;
}

static bool make_page(u32 number, gfp_t how)
{
	struct page_of_records *page = (void *)get_zeroed_page(how);
	u32 first = number / PER_PAGE * PER_PAGE, place;

	if (!page)
		return false;
	for (place = 0; place < PER_PAGE; place++)
		siftlock_r_make_record(&page->records[place], first + place);
	/* Fully ordered: publishes the page; pairs with the acquire in page_of. */
	if (cmpxchg(&pages[number / PER_PAGE], NULL, page))
		free_page((unsigned long)page);
	return true;
}

int siftlock_records_begin(void)
{
	pages = vzalloc(array_size(PAGES, sizeof(*pages)));
	/* The first task's page, so that siftlock_k_current_or_first always has a record. */
	if (pages && make_page(1, GFP_KERNEL))
		return 0;
	vfree(pages);
	return -ENOMEM;
}

void siftlock_records_end(void)
{
	u32 place;

	/*
	 * Nobody uses a lock any more: see siftlock.h. A wake-up may still be between its call and the
	 * end of its RCU section.
	 */
	synchronize_rcu();
	for (place = 0; place < PAGES; place++)
		free_page((unsigned long)pages[place]);
	vfree(pages);
}

static bool is_made(u32 number)
{
	return likely(READ_ONCE(pages[number / PER_PAGE]));
}

struct siftlock_record *siftlock_k_record(u32 number)
{
	return &page_of(number)->records[number % PER_PAGE];
}

struct task_struct **siftlock_sleeper(u32 number)
{
	return &page_of(number)->sleepers[number % PER_PAGE];
}

struct siftlock_record *siftlock_k_current(void)
{
	u32 number = task_pid_nr(current);

	/* The idle tasks share number 0, and cannot wait. */
	BUG_ON(!number);
	/*
	 * The caller may hold a part of the lock: a lock that is also taken to free memory would wait for
	 * itself. So memory is freed here only where there is none otherwise.
	 */
	if (!is_made(number) && !make_page(number, GFP_ATOMIC | __GFP_NOWARN))
		make_page(number, GFP_KERNEL | __GFP_NOFAIL);
	return siftlock_k_record(number);
}

struct siftlock_record *siftlock_k_current_or_null(void)
{
	u32 number = task_pid_nr(current);

	return number && is_made(number) ? siftlock_k_record(number) : NULL;
}

struct siftlock_record *siftlock_k_current_or_first(void)
{
	u32 number = task_pid_nr(current);

	if (!number || (!is_made(number) && !make_page(number, GFP_ATOMIC | __GFP_NOWARN)))
		number = 1;
	return siftlock_k_record(number);
}
