//! How often in a row a thread has passed waiters by, and since when; or since when it is the first
//! waiter itself.
//!
//! One word of the thread's record. Written by the thread itself, or, while it waits, by who makes
//! it the first; to others the number is a hint, so all accesses are Relaxed.
//!
//! | bits | content |
//! | --- | --- |
//! | 0–10 | how many passes are left until the thread looks about again |
//! | 11–17 | at how many it has done so |
//! | 18–31 | the time of the first, by beats of 2^14 ns (a sixtieth of a millisecond) that begin anew after a quarter of a second, which is longer than any turn |
//!
//! A thread looks about at each of its first fifteen passes, and from then on eight times while
//! their number doubles. So it sees a turn's end an eighth too late at most, and a short pass costs
//! no look: it takes one from what is left.

use super::Instant;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// So many passes are counted.
pub(crate) const MOST_PASSES: u32 = first_after(MOST_LOOKS) + LEFT;
/// The last look with so many passes behind it that they fill their bits.
const MOST_LOOKS: u32 = 8 * 12 + 7;

const LEFT: u32 = (1 << LOOKS) - 1;
const LOOKS: u32 = 11;
const LOOK: u32 = 1 << LOOKS;
const NUMBER: u32 = (1 << TIME) - 1;
/// No pass, and the first at which the thread looks about.
const NONE: u32 = left_after(0);
const ONE: u32 = LOOK | left_after(1);
const TIME: u32 = 18;
const BEAT: u32 = 14;

/// How many passes follow the `look`th look without another. In a model the first pass needs none,
/// and then every second.
const fn left_after(look: u32) -> u32 {
    if cfg!(siftlock_model) {
        1
    } else if look < 8 {
        0
    } else {
        (1 << (look / 8 - 1)) - 1
    }
}

/// The number of the pass at which the thread looks about for the `look`th time.
const fn first_after(look: u32) -> u32 {
    if cfg!(siftlock_model) {
        2 * look
    } else if look < 8 {
        look
    } else {
        (8 + look % 8) << (look / 8 - 1)
    }
}

/// How many passes a word tells of.
const fn number(word: u32) -> u32 {
    let look = (word & NUMBER) >> LOOKS;
    first_after(look) + left_after(look) - (word & LEFT)
}

/// See the [module](self).
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Passes(AtomicU32);

impl Passes {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self(AtomicU32::new(NONE))
        }
    }

    /// One more, unless that is one at which the thread looks about. Whether it was counted.
    #[inline]
    pub(crate) fn count_unlooked(&self) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        let counts = before & LEFT != 0;
        if counts {
            self.0.store(before - 1, Ordering::Relaxed);
        }
        counts
    }

    /// One more; returns how many that makes, at most [`MOST_PASSES`].
    pub(crate) fn count(&self) -> u32 {
        if !self.count_unlooked() {
            let before = self.0.load(Ordering::Relaxed);
            let look = ((before & NUMBER) >> LOOKS) + 1;
            if look > MOST_LOOKS {
                return MOST_PASSES;
            }
            self.0.store(before & !NUMBER | look << LOOKS | left_after(look), Ordering::Relaxed);
        }
        number(self.0.load(Ordering::Relaxed))
    }

    /// The last one counts as the first, at this time; or the thread has become the first waiter.
    pub(crate) fn begin(&self, now: Instant) {
        self.0.store(beats(now) << TIME | ONE, Ordering::Relaxed);
    }

    /// How many nanoseconds ago the first was, at least; if there was one, and it has been
    /// [begun](Self::begin). By any thread.
    pub(crate) fn began_before(&self, now: Instant) -> Option<u64> {
        let word = self.0.load(Ordering::Relaxed);
        let since = beats(now).wrapping_sub(word >> TIME) & (u32::MAX >> TIME);
        (number(word) != 0).then_some(u64::from(since.saturating_sub(1)) << BEAT)
    }

    /// Whether there was one, and no other since.
    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        self.0.load(Ordering::Relaxed) & NUMBER == ONE
    }

    /// The number, to be compared with a later one. By any thread.
    pub(crate) fn see(&self, now: Instant) -> PassesSeen {
        PassesSeen { word: self.0.load(Ordering::Relaxed), at: now }
    }

    /// The thread waits its turn, or has made up for passing others by.
    pub(crate) fn forget(&self) {
        self.0.store(NONE, Ordering::Relaxed);
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
        let (now, then) = (number(self.word), number(before.word));
        let went_on = before.word >> TIME == self.word >> TIME && then != 0;
        let passes = now.saturating_sub(if went_on { then } else { 0 });
        let quicker = self.at.nanos_since(before.at) < u64::from(passes) * nanos;
        // Of a turn that has begun meanwhile the passes before are not known, which makes it look
        // slower.
        let is_known = passes != 0 && now != MOST_PASSES && (went_on || quicker);
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
    fn passes_look_about_at_the_first_and_then_ever_more_rarely() {
        let passes = Passes::new();
        let mut looks = [0; 15];
        for number in 1..=MOST_PASSES {
            if !passes.count_unlooked() {
                assert_eq!(passes.count(), number);
                looks[number.ilog2() as usize] += 1;
            }
            assert_eq!(self::number(passes.0.load(Ordering::Relaxed)), number);
        }
        assert_eq!(looks, [1, 2, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8]);
        assert_eq!(passes.count(), MOST_PASSES, "no more are counted");
        assert!(!passes.count_unlooked());
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
