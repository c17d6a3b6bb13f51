//! While a writer waits, readers stay inside until all of them are there: more readers than can run
//! at once.

use crate::support::{Lock, Platform, assert_at_rest, on_each_platform, until};
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::PassLimit;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

on_each_platform!(rwsem_readers_left_behind_come_in_if_the_others_stay);

/// A policy that never reserves the lock, so only the refill lets the readers in.
struct Patient;

impl Policy for Patient {
    type Guards = siftlock_core::rwsem::policy::Local;
    const HANDOFF_AFTER: u64 = u64::MAX;
    const PASS_LIMIT: PassLimit = PassLimit::Never;
}

fn rwsem_readers_left_behind_come_in_if_the_others_stay<P: Platform>() {
    let readers = 4 * P::processors().min(64) + 1;
    let lock = Lock::<_, P, Patient>::new(());
    let inside = AtomicU32::new(0);
    thread::scope(|s| {
        let writer = lock.write();
        for _ in 0..readers {
            s.spawn(|| {
                let guard = lock.read();
                inside.fetch_add(1, Ordering::SeqCst);
                until(|| inside.load(Ordering::SeqCst) == readers);
                drop(guard);
            });
        }
        s.spawn(|| {
            let guard = lock.write();
            assert!([0, readers].contains(&inside.load(Ordering::SeqCst)));
            drop(guard);
        });
        // Long enough for most of them to queue. A late reader joins the others.
        thread::sleep(Duration::from_millis(20));
        drop(writer);
    });
    assert_at_rest(&lock);
}
