//! How often in a row a thread has passed waiters by, and since when; or since when it is the first
//! waiter itself.
//!
//! One word of the thread's record: the number in its lower half; above it the time of the first,
//! by beats of 2^14 ns (a sixtieth of a millisecond) that begin anew after a second, which is
//! longer than any turn. Written by the thread itself, or, while it waits, by who makes it the
//! first; to others the number is a hint, so all accesses are Relaxed.

use super::Instant;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// So many passes are counted.
pub(crate) const MOST_PASSES: u32 = u16::MAX as u32;
const TIME: u32 = u16::BITS;
const BEAT: u32 = 14;

/// So many times, at least, the clock is looked at while the number doubles: 2^3.
const LOOKS: u32 = 3;

/// Whether the clock is to be looked at, at a pass with this number. So a turn lasts an eighth too
/// long at most, and a short pass does not cost a look.
#[inline]
const fn is_timed(number: u32) -> bool {
    // The number of its significant bits, without a logarithm's panic.
    number.trailing_zeros() + LOOKS + 1 + number.leading_zeros() >= u32::BITS
        || number == MOST_PASSES
}

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

    /// One more; returns how many that makes, at most [`MOST_PASSES`].
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        let before = self.0.load(Ordering::Relaxed);
        let after = if before & MOST_PASSES == MOST_PASSES { before } else { before + 1 };
        self.0.store(after, Ordering::Relaxed);
        after & MOST_PASSES
    }

    /// One more, unless that would make a number at which the clock is to be looked at. Whether it
    /// was counted.
    #[inline]
    pub(crate) fn count_untimed(&self) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        let counts = !is_timed((before & MOST_PASSES) + 1);
        if counts {
            self.0.store(before + 1, Ordering::Relaxed);
        }
        counts
    }

    /// The last one counts as the first, at this time; or the thread has become the first waiter.
    pub(crate) fn begin(&self, now: Instant) {
        self.0.store(beats(now) << TIME | 1, Ordering::Relaxed);
    }

    /// How many nanoseconds ago the first was, at least; if there was one, and it has been
    /// [begun](Self::begin). By any thread.
    pub(crate) fn began_before(&self, now: Instant) -> Option<u64> {
        let word = self.0.load(Ordering::Relaxed);
        let since = beats(now).wrapping_sub(word >> TIME) & u32::from(u16::MAX);
        (word & MOST_PASSES != 0).then_some(u64::from(since.saturating_sub(1)) << BEAT)
    }

    /// Whether there was one, and no other since.
    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        self.0.load(Ordering::Relaxed) & MOST_PASSES == 1
    }

    /// The number, to be compared with a later one. By any thread.
    pub(crate) fn see(&self, now: Instant) -> PassesSeen {
        PassesSeen { word: self.0.load(Ordering::Relaxed), at: now }
    }

    /// The thread waits its turn, or has made up for passing others by.
    pub(crate) fn forget(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// Number and time of a thread's passes at some moment.
#[derive(Clone, Copy)]
pub(crate) struct PassesSeen {
    word: u32,
    at: Instant,
}

impl PassesSeen {
    /// Whether it was seen at least so many nanoseconds before `now`.
    pub(crate) fn is_older(self, now: Instant, nanos: u64) -> bool {
        now.nanos_since(self.at) >= nanos
    }

    /// Whether the passes since then took less than so many nanoseconds each, if that can be told:
    /// there were some, and not too many to be counted.
    pub(crate) fn are_quicker(self, before: Self, nanos: u64) -> Option<bool> {
        let number = |seen: Self| seen.word & MOST_PASSES;
        let went_on = before.word >> TIME == self.word >> TIME && number(before) != 0;
        let passes = number(self).saturating_sub(if went_on { number(before) } else { 0 });
        let quicker = self.at.nanos_since(before.at) < u64::from(passes) * nanos;
        // Of a turn that has begun meanwhile the passes before are not known, which makes it look
        // slower.
        let is_known = passes != 0 && number(self) != MOST_PASSES && (went_on || quicker);
        is_known.then_some(quicker)
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
            assert_eq!(passes.count(), 1);
            passes.begin(at(0));
            assert!(passes.is_one());
            assert_eq!(passes.count(), 2);
            assert_eq!(passes.began_before(at(7)), Some(6 << BEAT));
            passes.forget();
            assert_eq!((passes.began_before(at(8)), passes.is_one()), (None, false));
        }
    }

    #[test]
    fn passes_are_timed_at_the_first_and_then_ever_more_rarely() {
        let timed = |from: u32| (from..2 * from).filter(|&number| is_timed(number)).count();
        assert_eq!([1, 2, 4, 8].map(timed), [1, 2, 4, 8]);
        assert!((4..15).all(|power| timed(1 << power) == 8));
        assert!(is_timed(MOST_PASSES));
    }

    #[test]
    fn passes_are_counted_alike_with_a_look_at_the_clock_and_without() {
        let passes = Passes::new();
        for number in 1..=MOST_PASSES {
            let counted = passes.count_untimed() || passes.count() == number && is_timed(number);
            assert!(counted && passes.see(Instant::from_nanos(0)).word == number, "{number}");
        }
        assert!(!passes.count_untimed(), "no more are counted");
    }

    #[test]
    fn passes_are_compared_with_those_before() {
        let passes = Passes::new();
        let at = |beats: u64| Instant::from_nanos(beats << BEAT);
        let quicker = |now: PassesSeen, before, beats: u64| now.are_quicker(before, beats << BEAT);
        let none = passes.see(at(1));
        passes.begin(at(3));
        passes.count();
        let two = passes.see(at(5));
        assert_eq!(
            [2, 3].map(|beats| quicker(two, none, beats)),
            [None, Some(true)],
            "begun since"
        );
        assert_eq!(quicker(two, two, 9), None, "no more");
        passes.begin(at(7));
        let anew = passes.see(at(9));
        assert_eq!([4, 5].map(|beats| quicker(anew, two, beats)), [None, Some(true)]);
        passes.forget();
        assert_eq!(quicker(passes.see(at(9)), anew, 9), None, "none yet");
    }

    #[test]
    fn passes_beyond_the_most_leave_the_time_alone() {
        let passes = Passes::new();
        let at = |beats: u64| Instant::from_nanos(beats << BEAT);
        passes.begin(at(3));
        let last = (0..=MOST_PASSES).map(|_| passes.count()).last();
        assert_eq!((last, passes.began_before(at(5))), (Some(MOST_PASSES), Some(1 << BEAT)));
    }
}
