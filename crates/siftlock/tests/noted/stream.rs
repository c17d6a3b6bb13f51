//! A writer gets in beside readers that nest, in a stream that never ends.

use crate::support::{Lock, Platform, assert_at_rest, is_beaten, on_each_platform, until};
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::{PassLimit, ReadBias};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

on_each_platform!(rwsem_noted_readers_that_nest_let_a_writer_in);

/// A thread that has passed a waiter so often reserves the lock for it.
const LIMIT: u32 = 50;

/// Only the limit on passing lets a writer in: by counts, not by the clock.
struct WithoutClock;

impl Policy for WithoutClock {
    type Guards = siftlock_core::rwsem::policy::Local;
    const NOTE_READS: bool = true;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const HANDOFF_AFTER: u64 = u64::MAX;
    const PASS_LIMIT: PassLimit = PassLimit::Passes(LIMIT);
}

/// Readers that nest. None leaves before the next has come, unless it sees that none can.
fn rwsem_noted_readers_that_nest_let_a_writer_in<P: Platform>() {
    const READERS: u32 = 3;
    const WRITES: u32 = 5;
    let lock = Lock::<_, P, WithoutClock>::new(0_u32);
    let (inside, passed) = (AtomicU32::new(0), AtomicU32::new(0));
    let (shut, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    let runs = || !stop.load(Ordering::Relaxed);
    thread::scope(|s| {
        // Sees from outside whether other threads are kept out. Holds the lock only for a moment.
        s.spawn(|| {
            while runs() {
                shut.store(lock.try_read().is_none(), Ordering::Relaxed);
            }
        });
        for _ in 0..READERS {
            s.spawn(|| {
                while runs() {
                    let passes = is_beaten(&lock);
                    let outer = lock.read();
                    inside.fetch_add(1, Ordering::SeqCst);
                    if passes {
                        passed.fetch_add(1, Ordering::SeqCst);
                    }
                    let (inner, again) = (lock.read(), lock.try_read());
                    assert!(*inner == *outer && again.is_some());
                    let not_the_last = |n| if n > 1 { Some(n - 1) } else { None };
                    let order = Ordering::SeqCst;
                    while inside.fetch_update(order, order, not_the_last).is_err() {
                        assert_eq!(*lock.read(), *outer);
                        if shut.load(Ordering::Relaxed) || !runs() {
                            inside.fetch_sub(1, Ordering::SeqCst);
                            break;
                        }
                    }
                }
            });
        }
        for _ in 0..WRITES {
            until(|| inside.load(Ordering::SeqCst) > 1);
            let mut guard = lock.write();
            assert_eq!(inside.load(Ordering::SeqCst), 0);
            *guard += 1;
        }
        stop.store(true, Ordering::Relaxed);
    });
    // Each passer reserves the lock after so many passes, and one may be on its way in.
    let most = WRITES * (READERS + 1) * (LIMIT + 1);
    let passed = passed.into_inner();
    assert!(passed <= most, "{passed} reads went before a writer that waited, of {most}");
    assert_at_rest(&lock);
}
