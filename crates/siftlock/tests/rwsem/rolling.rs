//! Readers that always overlap. None leaves before the next has come, so the lock is never free,
//! unless it shuts readers out for a writer.

use crate::policies::with_each_policy;
use crate::support::{Lock, Platform, assert_at_rest, on_each_platform, until};
use siftlock::Policy;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

on_each_platform!(rwsem_rolling_readers_let_a_writer_in);

const READERS: usize = 3;
const WRITES: usize = 10;

fn rwsem_rolling_readers_let_a_writer_in<P: Platform>() {
    with_each_policy!(roll::<P>);
}

fn roll<P: Platform, L: Policy>() {
    if L::HANDOFF_AFTER == u64::MAX {
        return; // promises nothing to a writer
    }
    if L::NOTE_READS {
        return; // a reader does not see that others are shut out: see tests/noted/stream.rs
    }
    let lock = Lock::<_, P, L>::new(());
    let (inside, stop) = (AtomicU32::new(0), AtomicBool::new(false));
    thread::scope(|s| {
        for _ in 0..READERS {
            s.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let guard = lock.read();
                    inside.fetch_add(1, Ordering::SeqCst);
                    leave_when_another_has_come(&lock, &inside, &stop);
                    drop(guard);
                }
            });
        }
        for _ in 0..WRITES {
            until(|| inside.load(Ordering::SeqCst) > 1);
            let guard = lock.write();
            assert_eq!(inside.load(Ordering::SeqCst), 0);
            drop(guard);
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_at_rest(&lock);
}

/// Leaves when another reader has come, or when none will: a thread waits, so the lock lets no
/// reader in.
fn leave_when_another_has_come<P: Platform, L: Policy>(
    lock: &Lock<(), P, L>,
    inside: &AtomicU32,
    stop: &AtomicBool,
) {
    let not_the_last = |n| if n > 1 { Some(n - 1) } else { None };
    while inside.fetch_update(Ordering::SeqCst, Ordering::SeqCst, not_the_last).is_err() {
        if lock.try_read().is_none() || stop.load(Ordering::Relaxed) {
            inside.fetch_sub(1, Ordering::SeqCst);
            return;
        }
        thread::yield_now();
    }
}
