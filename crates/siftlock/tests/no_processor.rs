//! A thread that waits for another without a processor sleeps soon. A counter is the clock here:
//! each look at it takes 100 ns. There are two processors.

#![cfg(target_os = "linux")]

mod support;

use siftlock_core::forward_platform;
use siftlock_core::platform::{Instant, Platform};
use siftlock_core::record::Record;
use siftlock_core::rwsem::policy;
use siftlock_core::sync::AtomicU32 as Word;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use support::{Linux, Lock, finishes, until};

struct Counted;

static NOW: AtomicU64 = AtomicU64::new(1);
/// When a thread went to sleep, or 0.
static SLEPT: AtomicU64 = AtomicU64::new(0);
static OWNER_RUNS: AtomicBool = AtomicBool::new(true);

static LOCK: Lock<(), Counted, policy::Counted> = Lock::new(());

// SAFETY: as `Linux`; a sleep may be long.
unsafe impl Platform for Counted {
    forward_platform!(Linux: records, wake, bias, masking, level);

    fn wait(record: &Record, word: &Word, seen: u32, _until: Option<Instant>) {
        SLEPT.store(NOW.load(Ordering::Relaxed), Ordering::Relaxed);
        Linux::wait(record, word, seen, None);
        // A sleep still costs much.
        NOW.fetch_add(60_000, Ordering::Relaxed);
    }

    fn now() -> Instant {
        Instant::from_nanos(NOW.fetch_add(100, Ordering::Relaxed))
    }

    fn yield_now() {
        Linux::yield_now();
    }

    fn may_spin() -> bool {
        true
    }

    fn processors() -> u32 {
        2
    }

    fn processor_time(_owner: &Record) -> Option<u64> {
        Some(if OWNER_RUNS.load(Ordering::Relaxed) { NOW.load(Ordering::Relaxed) } else { 5 })
    }
}

/// How long the thread that takes the lock by `takes` waits awake for the thread that holds it by
/// `holds`, in nanoseconds.
fn waits_awake<G>(holds: impl FnOnce() -> G, takes: fn()) -> u64 {
    SLEPT.store(0, Ordering::Relaxed);
    let holding = holds();
    let waiter = thread::spawn(move || {
        let began = NOW.load(Ordering::Relaxed);
        takes();
        began
    });
    until(|| SLEPT.load(Ordering::Relaxed) != 0);
    let slept = SLEPT.load(Ordering::Relaxed);
    drop(holding);
    slept - waiter.join().unwrap()
}

#[test]
fn rwsem_waiters_sleep_soon_where_the_holders_have_no_processor() {
    // One after the other, since they share the clock.
    finishes(|| {
        owner_that_has_stopped();
        more_readers_than_can_run();
        owners_that_never_run();
    });
}

fn owner_that_has_stopped() {
    for takes in [|| drop(LOCK.read()), || drop(LOCK.write())] {
        OWNER_RUNS.store(true, Ordering::Relaxed);
        let awake = waits_awake(|| LOCK.write(), takes);
        assert!(awake > 20_000, "an owner that runs: {awake}");
        OWNER_RUNS.store(false, Ordering::Relaxed);
        let awake = waits_awake(|| LOCK.write(), takes);
        assert!(awake < 5_000, "an owner that has stopped: {awake}");
    }
}

fn more_readers_than_can_run() {
    let awake = waits_awake(|| LOCK.read(), || drop(LOCK.write()));
    assert!(awake > 20_000, "one reader: {awake}");
    let awake = waits_awake(|| [LOCK.read(), LOCK.read()], || drop(LOCK.write()));
    assert!(awake < 5_000, "two: {awake}");
}

/// Each waiter has the record of the one before, and so knows what the earlier one has seen.
fn owners_that_never_run() {
    OWNER_RUNS.store(false, Ordering::Relaxed);
    let wait = || waits_awake(|| LOCK.write(), || drop(LOCK.write()));
    (0..8).for_each(|_| assert!(wait() < 5_000));
    let waits: Vec<u64> = (0..16).map(|_| wait()).collect();
    let at_once = waits.iter().filter(|&&awake| awake < 1_000).count();
    assert_eq!(at_once, 14, "seven of eight: {waits:?}");
}
