//! A first waiter dozes beside a lock that has become free, and is not called for it. It would look
//! again by itself. Here it never does, so it sleeps until another thread calls it.

#![cfg(target_os = "linux")]

mod support;

use siftlock_core::forward_platform;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::record::Record;
use siftlock_core::rwsem::{RwSem, policy};
use siftlock_core::sync::AtomicU32 as Word;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use support::{A_WHILE, Linux, finishes, until};

/// A thread that sets `WAKES` wakes so often for no reason, and then sleeps without a limit.
struct Dozing;

thread_local! {
    static WAKES: Cell<Option<u32>> = const { Cell::new(None) };
}

static SLEEPS: AtomicBool = AtomicBool::new(false);

// SAFETY: as `Linux`; a sleep may end for no reason, and one with a limit may be long.
unsafe impl Platform for Dozing {
    forward_platform!(Linux: records, wake, bias, processors, masking, level);

    fn wait(record: &Record, word: &Word, seen: u32, until: Option<Instant>) {
        match WAKES.get() {
            None => Linux::wait(record, word, seen, until),
            Some(0) => {
                SLEEPS.store(true, Ordering::Relaxed);
                Linux::wait(record, word, seen, None);
            }
            Some(left) => WAKES.set(Some(left - 1)),
        }
    }

    fn now() -> Instant {
        Linux::now()
    }

    /// The lock is never reserved.
    fn handoff_after(_usual: u64) -> u64 {
        u64::MAX
    }
}

/// The reader passes the first waiter, which is a reader and could have the lock as well.
#[test]
fn rwsem_reader_with_a_deadline_calls_the_reader_that_dozes_before_it() {
    static LOCK: RwSem<Dozing, policy::Standard> = RwSem::new();
    finishes(|| {
        LOCK.write();
        let first = thread::spawn(|| {
            // The first waiter looks once, and is beaten twice.
            WAKES.set(Some(3));
            // SAFETY: just taken.
            unsafe { LOCK.read_unlock(LOCK.read()) };
        });
        until(|| SLEEPS.load(Ordering::Relaxed));
        thread::sleep(A_WHILE);
        // SAFETY: taken above.
        unsafe { LOCK.write_unlock() };
        assert!(!first.is_finished(), "a plain unlock does not call one that dozes");
        let later = Linux::now().after(u64::MAX);
        let token = LOCK.read_until(Some(later)).expect("it is in time");
        // SAFETY: just taken.
        unsafe { LOCK.read_unlock(token) };
        first.join().unwrap();
    });
}
