//! Many threads on one lock.

use crate::policies::PairsOfReaders;
use crate::support::{
    A_WHILE, Dice, Lock, Platform, assert_at_rest, on_each_platform, slowness, until,
};
use siftlock::{Policy, policy};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

on_each_platform!(
    rwsem_240_threads_get_through,
    rwsem_300_sleeping_readers_get_in_together,
    rwsem_readers_get_in_together_by_small_batches,
    rwsem_readers_between_writers_get_in_together,
);

fn rwsem_240_threads_get_through<P: Platform>() {
    const THREADS: u64 = 240;
    const TURNS: u64 = 50;
    let lock = Lock::<_, P>::new(0);
    thread::scope(|s| {
        for seed in 1..=THREADS {
            let lock = &lock;
            s.spawn(move || {
                let mut dice = Dice::new(seed);
                for turn in 0..TURNS {
                    for _ in 0..dice.roll(3) {
                        assert!(*lock.read() >= turn);
                    }
                    *lock.write() += 1;
                }
            });
        }
    });
    assert_eq!(*lock.read(), THREADS * TURNS);
    assert_at_rest(&lock);
}

/// More readers than one batch grants: the last of the first batch wakes the first of the next.
fn rwsem_300_sleeping_readers_get_in_together<P: Platform>() {
    assert!(wake_together::<P, policy::Standard>(300, 0));
}

fn rwsem_readers_get_in_together_by_small_batches<P: Platform>() {
    assert!(wake_together::<P, PairsOfReaders>(15, 0));
}

/// Readers are let in from the whole queue. Here each has a writer before it.
fn rwsem_readers_between_writers_get_in_together<P: Platform>() {
    // A reader that queues too late finds a writer first, and misses the others.
    assert!((0..20).any(|_| wake_together::<P, policy::Standard>(10, 10)));
}

/// Puts threads to sleep behind a writer, writers and readers by turns, and lets them go. Returns
/// whether all readers had the lock at one time. Each keeps it for a while to make that possible.
fn wake_together<P: Platform, L: Policy>(readers: usize, writers: usize) -> bool {
    let stay_for = Duration::from_secs(2) * slowness();
    let lock = Lock::<_, P, L>::new(());
    let about_to_wait = Barrier::new(readers + 1);
    let (inside, missed) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|s| {
        let guard = lock.write();
        for i in 0..readers.max(writers) {
            if i < writers {
                s.spawn(|| drop(lock.write()));
            }
            if i < readers {
                s.spawn(|| {
                    about_to_wait.wait();
                    let _guard = lock.read();
                    inside.fetch_add(1, Ordering::SeqCst);
                    let end = Instant::now() + stay_for;
                    until(|| inside.load(Ordering::SeqCst) == readers || Instant::now() > end);
                    missed.fetch_or(inside.load(Ordering::SeqCst) < readers, Ordering::SeqCst);
                });
            }
        }
        about_to_wait.wait();
        thread::sleep(2 * A_WHILE);
        drop(guard);
    });
    assert_at_rest(&lock);
    !missed.into_inner()
}
