//! Where readers stay for long, a writer has the lock reserved for it before its time is over.

use crate::support::{Lock, Platform, assert_at_rest, on_each_platform};
use siftlock_core::rwsem::Policy;
use siftlock_core::rwsem::policy::{ReadBias, Sendable};
use std::thread;
use std::time::{Duration, Instant};

on_each_platform!(rwsem_writer_reserves_the_lock_behind_long_reads);

/// Nobody's time is ever over, and nobody passes too often.
struct Late;

impl Policy for Late {
    type Guards = Sendable;
    const READ_BIAS: ReadBias = ReadBias::Off;
    const HANDOFF_AFTER: u64 = 3_600_000_000_000;
    const MAX_PASSES: u32 = u32::MAX;
}

fn rwsem_writer_reserves_the_lock_behind_long_reads<P: Platform>() {
    const MOST: usize = 100_000;
    let lock = Lock::<_, P, Late>::new(());
    thread::scope(|s| {
        let mut guard = lock.read();
        s.spawn(|| drop(lock.write()));
        // Each read begins before the one before has ended.
        let mut reads = 0;
        while let Some(next) = lock.try_read() {
            drop(guard);
            guard = next;
            stay_awake(Duration::from_micros(50));
            reads += 1;
            assert!(reads < MOST, "the writer waits for its time to be over");
        }
        drop(guard);
    });
    assert_at_rest(&lock);
}

fn stay_awake(time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}
