//! How often in a row a thread has passed waiters by, and since when.
//!
//! One word of the thread's record: the number in its lower half; above it the time of the first, by
//! beats of 2^16 ns (a fifteenth of a millisecond) that begin anew after four seconds, which is longer than any
//! turn. Written by the thread itself alone; to others the number is a hint, so all accesses are Relaxed.

use super::Instant;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// So many passes are counted.
pub(crate) const MOST_PASSES: u32 = u16::MAX as u32;
const TIME: u32 = u16::BITS;
const BEAT: u32 = 16;

/// See the [module](self).
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Passes(AtomicU32);

impl Passes {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    /// One more; returns how many that makes, at most [`MOST_PASSES`]. The time is asked for at the first.
    #[inline]
    pub(crate) fn count(&self, now: impl FnOnce() -> Instant) -> u32 {
        let before = self.0.load(Ordering::Relaxed);
        let after = match before & MOST_PASSES {
            0 => beats(now()) << TIME | 1,
            MOST_PASSES => before,
            _ => before + 1,
        };
        self.0.store(after, Ordering::Relaxed);
        after & MOST_PASSES
    }

    /// How many.
    pub(crate) fn number(&self) -> u32 {
        self.0.load(Ordering::Relaxed) & MOST_PASSES
    }

    /// How many nanoseconds ago the first was, about.
    pub(crate) fn began_before(&self, now: Instant) -> u64 {
        let since = beats(now).wrapping_sub(self.0.load(Ordering::Relaxed) >> TIME);
        u64::from(since & u32::from(u16::MAX)) << BEAT
    }

    /// The number, to be compared with a later one. By any thread.
    pub(crate) fn see(&self) -> PassesSeen {
        PassesSeen(self.0.load(Ordering::Relaxed))
    }

    /// The thread waits its turn, or has made up for passing others by.
    pub(crate) fn forget(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// Number and time of a thread's passes at some moment.
#[derive(Clone, Copy)]
pub(crate) struct PassesSeen(u32);

impl PassesSeen {
    /// How many passes were made since then, if that can be told: there were some, not too many to be counted, and
    /// the thread has not stopped meanwhile.
    pub(crate) fn since(self, before: Self) -> Option<u32> {
        let number = |seen: Self| seen.0 & MOST_PASSES;
        let went_on = before.0 >> TIME == self.0 >> TIME || number(before) == 0;
        let counts = number(self) != MOST_PASSES && number(self) > number(before);
        (went_on && counts).then(|| number(self) - number(before))
    }
}

const fn beats(at: Instant) -> u32 {
    (at.as_nanos() >> BEAT) as u32
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn passes_are_counted_and_timed_from_the_first() {
        let passes = Passes::new();
        for begun in [0, 5 << BEAT, (u64::from(u32::MAX) - 3) << BEAT] {
            let at = |beats: u64| Instant::from_nanos(begun + (beats << BEAT));
            assert_eq!(passes.count(|| at(0)), 1);
            assert_eq!(passes.count(|| unreachable!("the time is known")), 2);
            assert_eq!((passes.number(), passes.began_before(at(7))), (2, 7 << BEAT));
            passes.forget();
            assert_eq!(passes.number(), 0);
        }
    }

    #[test]
    fn passes_are_compared_with_those_before() {
        let passes = Passes::new();
        let pass = |beats: u64| passes.count(|| Instant::from_nanos(beats << BEAT));
        let none = passes.see();
        pass(3);
        pass(3);
        let two = passes.see();
        pass(3);
        assert_eq!((two.since(none), passes.see().since(two)), (Some(2), Some(1)));
        assert_eq!(passes.see().since(passes.see()), None, "no more");
        passes.forget();
        (0..9).for_each(|_| _ = pass(4));
        assert_eq!(passes.see().since(two), None, "begun anew");
    }

    #[test]
    fn passes_beyond_the_most_leave_the_time_alone() {
        let passes = Passes::new();
        let at = |beats: u64| Instant::from_nanos(beats << BEAT);
        let last = (0..=MOST_PASSES).map(|_| passes.count(|| at(3))).last();
        assert_eq!((last, passes.number()), (Some(MOST_PASSES), MOST_PASSES));
        assert_eq!(passes.began_before(at(4)), 1 << BEAT);
    }
}
