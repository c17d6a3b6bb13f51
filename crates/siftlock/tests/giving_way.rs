//! Readers before a first waiter that was called and does not come, since it has no processor: they give theirs up for
//! it, and have the lock all the same.

#![cfg(target_os = "linux")]

mod support;

use siftlock_core::forward_platform;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::record::Record;
use siftlock_core::rwsem::policy;
use siftlock_core::sync::AtomicU32 as Word;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use support::{A_WHILE, Linux, Lock, finishes, until};

/// A thread that was called sleeps on until there is a processor for it.
struct Busy;

static SLEEPS: AtomicBool = AtomicBool::new(false);
static HAS_PROCESSOR: AtomicBool = AtomicBool::new(false);
static GAVE_WAY: AtomicU32 = AtomicU32::new(0);

static LOCK: Lock<(), Busy, policy::Counted> = Lock::new(());

// SAFETY: as `Linux`; a sleep may be long.
unsafe impl Platform for Busy {
    forward_platform!(Linux: records, wake, bias, masking, level);

    fn wait(record: &Record, word: &Word, seen: u32, _until: Option<Instant>) {
        SLEEPS.store(true, Ordering::Relaxed);
        Linux::wait(record, word, seen, None);
        until(|| HAS_PROCESSOR.load(Ordering::Relaxed));
    }

    /// Stands still: no turn is ever over.
    fn now() -> Instant {
        Instant::from_nanos(1)
    }

    fn yield_now() {
        Linux::yield_now();
    }

    const GIVES_WAY: bool = true;

    fn give_way() {
        assert!(!LOCK.is_locked(), "who gives way holds nothing");
        GAVE_WAY.fetch_add(1, Ordering::Relaxed);
    }

    /// Then nobody waits awake.
    fn may_spin() -> bool {
        false
    }
}

#[test]
fn rwsem_readers_give_way_to_a_called_waiter_and_more_rarely_if_that_is_in_vain() {
    finishes(|| {
        let writing = LOCK.write();
        let waiter = thread::spawn(|| drop(LOCK.read()));
        until(|| SLEEPS.load(Ordering::Relaxed));
        thread::sleep(A_WHILE);
        drop(writing);
        let mut gave_way = Vec::new();
        for _ in 0..8 {
            drop(LOCK.read());
            gave_way.push(GAVE_WAY.load(Ordering::Relaxed));
        }
        assert_eq!(gave_way, [1, 1, 2, 2, 2, 2, 3, 3]);
        (0..20).for_each(|_| drop(LOCK.write()));
        assert_eq!(GAVE_WAY.load(Ordering::Relaxed), 3, "a writer does not give way");
        assert!(!waiter.is_finished());
        HAS_PROCESSOR.store(true, Ordering::Relaxed);
        waiter.join().unwrap();
    });
}
