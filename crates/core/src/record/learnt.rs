//! A time that threads measure now and then.

use crate::sync::{AtomicU32, Ordering, const_fn};

/// The parts that make a nanosecond; also, about how many measurements an average covers.
const PARTS: u32 = 16;

/// Nanoseconds: no measurement counts for more.
const MOST: u32 = 10_000_000;

/// Nanoseconds: what one measurement may add to an average of 0.
const FIRST_STEP: u32 = 100;

/// A time in [parts](PARTS) of a nanosecond. A hint, so all accesses are Relaxed, and concurrent
/// measurements may lose one.
#[derive(Debug)]
pub(super) struct Learnt(AtomicU32);

impl Learnt {
    const_fn! {
        /// Nothing is known.
        pub(super) const fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    pub(super) fn parts(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// The time in parts, or so many nanoseconds as long as nothing is known.
    pub(super) fn parts_or(&self, nanos: u32) -> u32 {
        match self.parts() {
            0 => nanos * PARTS,
            parts => parts,
        }
    }

    /// Learns an average. Preemption inflates a measurement, so a measurement counts for at most
    /// twice the average before.
    pub(super) fn learn_average(&self, nanos: u64) {
        let before = self.parts();
        let most = before / PARTS * 2 + FIRST_STEP;
        self.set(before, before - before / PARTS + saturated(nanos).min(most));
    }

    /// Takes the time for a little shorter, since no thread has measured it.
    pub(super) fn fade(&self) {
        let before = self.parts();
        self.set(before, before.saturating_sub(1));
    }

    /// Learns what the time is where nothing comes in between. A shorter measurement is believed
    /// soon, a longer one only after many. The first is believed as it is.
    pub(super) fn learn_least(&self, nanos: u64) {
        let before = self.parts();
        let now = saturated(nanos).saturating_mul(PARTS);
        let learnt = match before.checked_sub(now) {
            _ if before == 0 => now,
            Some(less) => before - less / 4,
            None => now.min(before + before / 64 + 1),
        };
        self.set(before, learnt);
    }

    /// Stores nothing where nothing changes: then the line stays where it is.
    fn set(&self, before: u32, learnt: u32) {
        if learnt != before {
            self.0.store(learnt, Ordering::Relaxed);
        }
    }
}

fn saturated(nanos: u64) -> u32 {
    u32::try_from(nanos).unwrap_or(MOST).min(MOST)
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    fn learnt(first: u32, learn: impl Fn(&Learnt), times: u32) -> u32 {
        let learnt = Learnt(AtomicU32::new(first * PARTS));
        (0..times).for_each(|_| learn(&learnt));
        learnt.parts() / PARTS
    }

    #[test]
    fn learnt_average_comes_near_what_is_measured() {
        for nanos in [0, 40, 225, 10_000] {
            let average = learnt(100, |time| time.learn_average(nanos), 200);
            assert!(u64::from(average).abs_diff(nanos) <= nanos / 50 + 2, "{nanos}: {average}");
        }
        assert!(learnt(100, |time| time.learn_average(u64::MAX), 1) <= 120, "one long one");
        assert!(learnt(100, |time| time.learn_average(u64::MAX), 10_000) <= MOST, "and no more");
    }

    #[test]
    fn learnt_least_believes_less_sooner_than_more() {
        assert_eq!(learnt(0, |time| time.learn_least(700), 1), 700, "the first");
        assert_eq!(learnt(1_000, |time| time.learn_least(8), 30), 8);
        assert_eq!(learnt(8, |time| time.learn_least(u64::MAX), 1), 8);
        assert_eq!(learnt(8, |time| time.learn_least(1_000), 400), 1_000);
        assert_eq!(learnt(8, |time| time.learn_least(u64::MAX), 10_000), MOST, "and no more");
    }
}
