//! What a sleep costs, as a thread's sleeps have shown: the time from the call until the thread
//! runs again.
//!
//! A thread that waits awake for as long as a sleep costs, and then sleeps, loses at most twice
//! what it would lose if it knew the length of the wait (*rent or buy*). The cost is some
//! microseconds on one machine and fifty on another, where an idle processor is taken from a guest.
//! So it is measured where it happens: the caller of a sleeper notes the time, and the sleeper
//! looks at the clock when it runs.

use super::Instant;
use crate::sync::{AtomicU32, Ordering};

/// A sleep is taken to cost no more, in nanoseconds. A sleeper whose processor is busy takes far
/// longer: there another thread has the time meanwhile.
const MOST: u64 = 50_000;

const COST_BEAT: u32 = 4;
const STAMP_BEAT: u32 = 10;
const COST: u32 = (1 << 12) - 1;

const _: () = assert!(MOST >> COST_BEAT <= COST as u64);

/// See the [module](self). A hint.
#[derive(Debug)]
pub(crate) struct SleepCost {
    /// The cost, in beats of 2^4 ns; and in the upper half, when the thread was called, in beats of
    /// 2^10 ns, or 0.
    word: AtomicU32,
}

impl SleepCost {
    /// As long as nothing is known sleeps are taken to be dear.
    pub(super) const fn new() -> Self {
        Self { word: AtomicU32::new((MOST >> COST_BEAT) as u32) }
    }

    /// Another thread is about to call this thread, which sleeps.
    pub(crate) fn called(&self, now: impl FnOnce() -> Instant) {
        // Relaxed, all: numbers, which publish nothing. One thread calls at a time. If the sleep
        // times out at this very moment, the sleeper may take its next sleep for a long one.
        let cost = self.word.load(Ordering::Relaxed) & COST;
        self.word.store(stamp(now()) << u16::BITS | cost, Ordering::Relaxed);
    }

    /// The thread runs again. If it was called, it learns how long that took.
    pub(crate) fn runs(&self, now: impl FnOnce() -> Instant) {
        let word = self.word.load(Ordering::Relaxed);
        if word >> u16::BITS != 0 {
            let took = stamp(now()).wrapping_sub(word >> u16::BITS) & u32::from(u16::MAX);
            let nanos = (u64::from(took) << STAMP_BEAT).min(MOST);
            let cost = (word & COST) * 3 + (nanos >> COST_BEAT) as u32;
            self.word.store(cost / 4, Ordering::Relaxed);
        }
    }

    /// What a sleep costs, in nanoseconds.
    pub(super) fn nanos(&self) -> u64 {
        u64::from(self.word.load(Ordering::Relaxed) & COST) << COST_BEAT
    }
}

/// The lower half of a moment's beats, never 0.
fn stamp(at: Instant) -> u32 {
    (at.as_nanos() >> STAMP_BEAT) as u32 & u32::from(u16::MAX) | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    /// What sleeps cost after many that took so many nanoseconds each, from call to run.
    fn costs(took: u64) -> u64 {
        let cost = SleepCost::new();
        for sleep in 0..100 {
            let called = 1_000_000_007 * sleep;
            cost.called(|| at(called));
            cost.runs(|| at(called + took));
        }
        cost.nanos()
    }

    #[test]
    fn sleep_cost_follows_the_sleeps() {
        assert_eq!(SleepCost::new().nanos(), MOST >> COST_BEAT << COST_BEAT, "before the first");
        for (took, cost) in [(0, 0), (4_000, 4_000), (30_000, 30_000), (9_000_000, MOST)] {
            assert!(costs(took).abs_diff(cost) <= 2_048, "{took}: {}", costs(took));
        }
    }

    #[test]
    fn sleep_cost_heeds_no_sleep_that_nobody_ended() {
        let cost = SleepCost::new();
        let before = cost.nanos();
        cost.runs(|| unreachable!("no call"));
        cost.called(|| at(0));
        cost.runs(|| at(1));
        cost.runs(|| unreachable!("no second call"));
        assert!(cost.nanos() < before);
    }
}
