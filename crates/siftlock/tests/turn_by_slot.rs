//! A turn also ends where only readers by slot pass the first waiter.

#![cfg(all(target_os = "linux", target_endian = "little"))]

mod support;

use siftlock_core::forward_platform;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::record::Record;
use siftlock_core::sync::AtomicU32 as Word;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use support::{
    EagerSymmetric, Linux, Lock, clock_by_hand, finishes, is_beaten, is_reserved, until,
};

/// Its clock is set by hand, and ends no sleep.
struct ByHand;

static NOW: AtomicU64 = AtomicU64::new(1_000_000);

// SAFETY: as `Linux`; a sleep may be long.
unsafe impl Platform for ByHand {
    forward_platform!(Linux: records, wake, bias, masking, level);
    clock_by_hand!(NOW);

    fn wait(record: &Record, word: &Word, seen: u32, _until: Option<Instant>) {
        Linux::wait(record, word, seen, None);
    }

    /// The first waiter reserves nothing.
    fn handoff_after(_usual: u64) -> u64 {
        u64::MAX
    }
}

static LOCK: Lock<(), ByHand, EagerSymmetric> = Lock::new(());

/// So many that not every pass looks at the clock.
const PASSES: u32 = 40;

#[test]
fn rwsem_readers_by_slot_reserve_the_lock_after_their_turn() {
    finishes(|| {
        let counted = LOCK.read();
        let writer = thread::spawn(|| drop(LOCK.write()));
        until(|| is_beaten(&LOCK));
        let passes = || (0..PASSES).filter(|_| !is_reserved(&LOCK)).for_each(|_| drop(LOCK.read()));
        // The thread reads nothing else.
        thread::spawn(move || {
            passes();
            assert!(!is_reserved(&LOCK), "no time has gone by");
            NOW.fetch_add(500_000_000, Ordering::Relaxed);
            passes();
            assert!(is_reserved(&LOCK), "the turn is long over");
        })
        .join()
        .unwrap();
        drop(counted);
        writer.join().unwrap();
    });
}
