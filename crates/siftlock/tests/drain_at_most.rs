//! Writers and upgrades keep new readers out for no longer than their policy allows
//! (`Policy::DRAIN_AT_MOST`). Without a deadline they then let readers in, and try again.

#![cfg(target_os = "linux")]

mod support;

use siftlock::lock_api::RwLockUpgradableReadGuard;
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::{Local, ReadBias};
use std::sync::mpsc;
use std::thread;
use support::{A_WHILE, Linux, Lock, assert_at_rest, finishes, is_read_by_slot, until};

/// Drains many times shorter than a reader of these tests stays.
struct Hasty;

impl Policy for Hasty {
    type Guards = Local;
    const READ_BIAS: ReadBias = ReadBias::Symmetric;
    const DRAIN_AT_MOST: u64 = A_WHILE.as_nanos() as u64 / 30;
}

/// A lock that threads read by slot.
fn biased() -> Lock<u32, Linux, Hasty> {
    let lock = Lock::new(0);
    // SAFETY: the share or slot is given back at once.
    until(|| is_read_by_slot(unsafe { lock.raw() }));
    lock
}

#[test]
fn rwsem_writer_that_lets_readers_in_tries_again() {
    finishes(|| {
        let lock = biased();
        let reader = lock.read();
        thread::scope(|s| {
            s.spawn(|| *lock.write() += 1);
            until(|| lock.is_locked_exclusive());
            // Another thread reads: the writer has to give up for it meanwhile.
            s.spawn(|| assert_eq!(*lock.read(), 0)).join().unwrap();
            thread::sleep(A_WHILE);
            assert_eq!(*reader, 0, "a writer beside a reader");
            drop(reader);
        });
        assert_eq!(*lock.read(), 1);
        assert_at_rest(&lock);
    });
}

#[test]
fn rwsem_upgrade_that_lets_readers_in_tries_again() {
    finishes(|| {
        let lock = biased();
        thread::scope(|s| {
            let (reads, is_reading) = mpsc::channel();
            let lock = &lock;
            s.spawn(move || {
                let reader = lock.read();
                reads.send(()).unwrap();
                thread::sleep(A_WHILE);
                assert_eq!(*reader, 0, "a writer beside a reader");
                drop(reader);
            });
            is_reading.recv().unwrap();
            let upgradable = lock.upgradable_read();
            *RwLockUpgradableReadGuard::upgrade(upgradable) += 1;
        });
        assert_eq!(*lock.read(), 1);
        assert_at_rest(&lock);
    });
}
