//! The calling thread's record on each platform.

use super::exit;
use super::mine::{NOBODY, mine};
use super::pages::Pages;
use super::portable::Belled;
use siftlock_core::record::{Entry, Record, RecordId, Table};
use std::ptr;

/// The records of one platform. `PLACE` says which of a thread's two records belongs to it.
///
/// Each platform has a table of its own. A wake-up may come late, after the record has passed to
/// another thread. Suppose that this thread slept by another platform's means. Then the wake-up
/// would leave it asleep, and the mark of the wake-up would keep the next one from waking it.
#[derive(Debug)]
pub(super) struct Records<const PLACE: usize, E> {
    table: Table<E, Pages>,
}

/// The records of [`Linux`](super::Linux).
#[cfg(target_os = "linux")]
pub(super) static LINUX: Records<0, Record> = Records { table: Table::new() };
/// The records of [`Portable`](super::Portable).
pub(super) static PORTABLE: Records<1, Belled> = Records { table: Table::new() };

impl<const PLACE: usize, E: Entry> Records<PLACE, E> {
    /// The calling thread's record, or `NOBODY`.
    #[inline]
    pub(super) fn current_or_nobody(&self) -> &'static Record {
        mine(|mine| mine.records[PLACE].get())
    }

    /// The id of the calling thread's record, 0 if it has none.
    #[inline]
    pub(super) fn current_number(&self) -> u32 {
        mine(|mine| mine.numbers[PLACE].get())
    }

    /// The calling thread's record; its first call registers the thread.
    #[inline]
    pub(super) fn current(&self) -> &'static Record {
        let record = self.current_or_nobody();
        if ptr::eq(record, &NOBODY) { self.register() } else { record }
    }

    /// Registers the calling thread, if that has not been done.
    #[inline]
    pub(super) fn prepare(&self) {
        if self.current_number() == 0 {
            self.register();
        }
    }

    /// See [`Platform::is_time_to_ask`](siftlock_core::platform::Platform::is_time_to_ask).
    #[inline]
    pub(super) fn is_time_to_ask(&self, weight: u32) -> bool {
        mine(|mine| mine.countdowns[PLACE].is_over(weight))
    }

    /// See [`Platform::ask_again_after`](siftlock_core::platform::Platform::ask_again_after).
    pub(super) fn ask_again_after(&self, reads: u32) {
        if self.current_number() != 0 {
            mine(|mine| mine.countdowns[PLACE].begin(reads));
        }
    }

    /// The entry of an id.
    #[inline]
    pub(super) fn entry(&self, id: RecordId) -> &'static E {
        self.table.entry(id)
    }

    /// How many records there are to look through.
    pub(super) fn complete(&self) -> u32 {
        self.table.complete()
    }

    /// How many records have ever been in use at once.
    pub(super) fn made(&self) -> u32 {
        self.table.highest()
    }

    /// Asks nothing of `std`, which no longer knows a thread that runs its last destructors, and
    /// nothing of the program's allocator. But the C library may allocate a place for the value
    /// that `exit` sets. The thread has its record by then, since that allocator may use a lock.
    ///
    /// # Panics
    /// If 2^24 threads use locks at once.
    #[cold]
    fn register(&self) -> &'static Record {
        let entry = self.table.take();
        let record = entry.expect("at most 2^24 threads can use siftlock's locks at once").record();
        #[cfg(target_os = "linux")]
        record.set_thread(super::linux::thread_number());
        mine(|mine| {
            mine.records[PLACE].set(record);
            mine.numbers[PLACE].set(record.id().get());
        });
        exit::call_at_thread_exit(first_round);
        record
    }

    /// `next`: the round in which the thread looks again, if there is one.
    fn unregister(&self, next: Option<fn()>) {
        let record = self.current_or_nobody();
        if ptr::eq(record, &NOBODY) {
            return;
        }
        if record.is_in_use() {
            // A later destructor may drop the guard. After the last round the record stays with it.
            if let Some(next) = next {
                exit::call_at_thread_exit(next);
            }
            return;
        }
        mine(|mine| {
            mine.countdowns[PLACE].end();
            mine.numbers[PLACE].set(0);
            mine.records[PLACE].set(&NOBODY);
        });
        self.table.give_back(record.id());
    }
}

/// The thread ends. If a later destructor of it uses a lock, the thread registers once more.
///
/// Four rounds, as many as glibc and musl make. Miri, and perhaps other systems, make a round
/// whenever one is asked for: a thread with a forgotten guard would never end.
fn first_round() {
    unregister(Some(|| unregister(Some(|| unregister(Some(|| unregister(None)))))));
}

fn unregister(next: Option<fn()>) {
    #[cfg(target_os = "linux")]
    LINUX.unregister(next);
    PORTABLE.unregister(next);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// One platform cannot end the other's sleep, so a call that comes late must not reach it.
    #[test]
    fn records_of_the_platforms_are_apart() {
        std::thread::spawn(|| {
            let (linux, portable) = (LINUX.current(), PORTABLE.current());
            assert!(!std::ptr::eq(linux, portable));
            assert!(std::ptr::eq(linux, LINUX.entry(linux.id())));
            assert!(std::ptr::eq(portable, PORTABLE.entry(portable.id()).record()));
            assert_eq!(LINUX.current_number(), linux.id().get());
            assert_eq!(PORTABLE.current_number(), portable.id().get());
        })
        .join()
        .unwrap();
    }
}
