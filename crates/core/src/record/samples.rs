//! When a thread looks at the clock, to measure what the choice of a bias depends on.

use super::Instant;
use crate::sync::{AtomicU32, AtomicU64, Ordering, const_fn};

/// A thread measures once in so many times, at the last of them. The clock takes as long as a short
/// look through the slots, and a thread's first look finds no line in its caches.
const EVERY: u32 = 8;

/// Only the thread and its handlers use it, so all accesses are Relaxed. In a model nothing is
/// measured.
#[derive(Debug)]
pub(crate) struct Samples {
    /// How many looks through the slots the thread has made.
    looks: AtomicU32,
    /// How often the thread has asked whether a bias would pay.
    askings: AtomicU32,
    /// When it last looked at the clock as it asked, in nanoseconds; 0: never.
    asked_at: AtomicU64,
}

impl Samples {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self {
                looks: AtomicU32::new(0),
                askings: AtomicU32::new(0),
                asked_at: AtomicU64::new(0),
            }
        }
    }

    /// The thread looks through the slots. Returns whether it is to time that look.
    pub(crate) fn is_look_timed(&self) -> bool {
        is_one_of(&self.looks)
    }

    /// The thread has made so many counted reads since it last asked. Now and then, returns at what
    /// intervals they followed each other, in nanoseconds on average.
    pub(crate) fn pass_took(&self, reads: u32, now: impl FnOnce() -> Instant) -> Option<u64> {
        if !is_one_of(&self.askings) {
            return None;
        }
        let before = self.asked_at.load(Ordering::Relaxed);
        let now = now();
        self.asked_at.store(now.as_nanos(), Ordering::Relaxed);
        let took = now.nanos_since(Instant::from_nanos(before));
        (before != 0).then_some(took / u64::from(EVERY.saturating_mul(reads).max(1)))
    }
}

/// Counts one more. Returns whether the thread looks at the clock for this one.
fn is_one_of(times: &AtomicU32) -> bool {
    if cfg!(siftlock_model) {
        return false;
    }
    let now = times.load(Ordering::Relaxed).wrapping_add(1);
    times.store(now, Ordering::Relaxed);
    now.is_multiple_of(EVERY)
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn samples_look_at_the_clock_once_in_eight_times() {
        let samples = Samples::new();
        assert_eq!((0..17).filter(|_| samples.is_look_timed()).count(), 2);
    }

    #[test]
    fn samples_tell_what_a_pass_took() {
        let samples = Samples::new();
        let told = [(); 17].map(|()| {
            let at = samples.askings.load(Ordering::Relaxed) + 1;
            samples.pass_took(32, || Instant::from_nanos(u64::from(at) * 32 * 7))
        });
        assert_eq!((told[7], told[15]), (None, Some(7)), "the first tells nothing");
        assert_eq!(told.iter().flatten().count(), 1);
    }
}
