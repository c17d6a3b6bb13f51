//! Readers before a first waiter that was called and does not come, since it has no processor. They
//! yield their own processor to it, and get the lock all the same.

#![cfg(target_os = "linux")]

mod support;

use siftlock_core::forward_platform;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::record::Record;
use siftlock_core::rwsem::policy;
use siftlock_core::sync::AtomicU32 as Word;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use support::{A_WHILE, EagerSymmetric, Linux, Lock, clock_by_hand, finishes, until};

/// A thread that was called sleeps on until there is a processor for it.
struct Busy;

/// Stands still: no turn is ever over.
static NOW: AtomicU64 = AtomicU64::new(1);
static SLEEPS: AtomicBool = AtomicBool::new(false);
static HAS_PROCESSOR: AtomicBool = AtomicBool::new(false);
static GAVE_WAY: AtomicU32 = AtomicU32::new(0);

static BY_SHARE: Lock<(), Busy, policy::Counted> = Lock::new(());
static BY_SLOT: Lock<(), Busy, EagerSymmetric> = Lock::new(());

// SAFETY: as `Linux`; a sleep may be long.
unsafe impl Platform for Busy {
    forward_platform!(Linux: records, wake, bias, masking, level);
    clock_by_hand!(NOW);

    fn wait(record: &Record, word: &Word, seen: u32, _until: Option<Instant>) {
        SLEEPS.store(true, Ordering::Relaxed);
        Linux::wait(record, word, seen, None);
        until(|| HAS_PROCESSOR.load(Ordering::Relaxed));
    }

    const GIVES_WAY: bool = true;

    fn give_way() {
        assert!(!BY_SHARE.is_locked() && !BY_SLOT.is_locked(), "who gives way holds nothing");
        GAVE_WAY.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn rwsem_readers_give_way_to_a_called_waiter_and_more_rarely_if_that_is_in_vain() {
    finishes(|| {
        gives_way(&BY_SHARE);
        // In a thread that has not given way yet.
        thread::spawn(|| gives_way(&BY_SLOT)).join().unwrap();
    });
}

/// The thread gives way at most twice to a waiter. After three times in vain it lets three
/// occasions go by. After fifteen passes it does not look about each time, and overlooks one more.
fn gives_way<L: policy::Policy>(lock: &'static Lock<(), Busy, L>) {
    // The first read brings the bias, if there is one, and the second the slot.
    (0..2).for_each(|_| drop(lock.read()));
    assert_eq!(gives_way_to_next(lock), [1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
    assert_eq!(gives_way_to_next(lock), [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]);
}

/// How often the thread has given way after each of twelve reads past a waiter that was called.
fn gives_way_to_next<L: policy::Policy>(lock: &'static Lock<(), Busy, L>) -> [u32; 12] {
    let before = GAVE_WAY.load(Ordering::Relaxed);
    let gave_way = || GAVE_WAY.load(Ordering::Relaxed) - before;
    HAS_PROCESSOR.store(false, Ordering::Relaxed);
    SLEEPS.store(false, Ordering::Relaxed);
    let writing = lock.write();
    let waiter = thread::spawn(|| drop(lock.read()));
    until(|| SLEEPS.load(Ordering::Relaxed));
    thread::sleep(A_WHILE);
    drop(writing);
    let gave = [(); 12].map(|()| {
        drop(lock.read());
        gave_way()
    });
    // In another thread, since a writer counts its passes, too.
    thread::spawn(|| (0..20).for_each(|_| drop(lock.write()))).join().unwrap();
    assert_eq!(gave_way(), gave[11], "a writer does not give way");
    assert!(!waiter.is_finished());
    HAS_PROCESSOR.store(true, Ordering::Relaxed);
    waiter.join().unwrap();
    gave
}
