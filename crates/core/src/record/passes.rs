//! How often in a row a thread has passed waiters by, and since when; or since when the thread
//! itself is the first waiter.
//!
//! One word of the thread's record. The thread itself writes it, or, while it waits, the thread
//! that makes it the first. To others the number is a hint, so all accesses are Relaxed.
//!
//! | bits | content |
//! | --- | --- |
//! | 0–7 | how many passes are left until the thread looks about again |
//! | 8–15 | at how many passes it has done so |
//! | 16–31 | when the passes began, in beats of 2^14 ns (a sixtieth of a millisecond); 0: never |
//!
//! Past a beaten waiter the passes begin with the first, past another with the pass that makes them
//! many. The beats begin anew after a second, which is longer than any turn.
//!
//! A thread looks about at each of its first fifteen passes, from then on eight times while their
//! number doubles, and at every 256th at last. So where all passes take the same time, a turn's end
//! is seen at most an eighth too late. A short pass costs no look: it takes one from the passes
//! left.

use super::Instant;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// The most passes that are counted.
pub(crate) const MOST_PASSES: u32 = first_after(MOST_LOOKS);
const MOST_LOOKS: u32 = NUMBER >> LOOKS;

const LEFT: u32 = (1 << LOOKS) - 1;
const LOOKS: u32 = 8;
const NUMBER: u32 = (1 << TIME) - 1;
const TIME: u32 = 16;
const BEAT: u32 = 14;

/// The passes may have begun so many nanoseconds earlier than [`Passes::began_before`] says. A
/// model has too few passes for such a margin.
pub(crate) const MAY_BE_LONGER: u64 = if cfg!(siftlock_model) { 0 } else { 3 << BEAT };

/// The octave of a look. In each octave the number of passes doubles, with eight looks; in the next
/// the looks are twice as far apart. The last does not end.
const fn octave(look: u32) -> u32 {
    if look / 8 <= LOOKS { look / 8 } else { LOOKS + 1 }
}

/// How many passes without a look follow the `look`th look. In a model it is one, also before the
/// first look.
const fn left_after(look: u32) -> u32 {
    if cfg!(siftlock_model) {
        1
    } else if look < 8 {
        0
    } else {
        (1 << (octave(look) - 1)) - 1
    }
}

/// The number of the pass at which the thread looks about for the `look`th time.
const fn first_after(look: u32) -> u32 {
    if cfg!(siftlock_model) {
        2 * look
    } else if look < 8 {
        look
    } else {
        (8 + look - 8 * octave(look)) << (octave(look) - 1)
    }
}

/// How many passes a word tells of.
const fn number(word: u32) -> u32 {
    let look = (word & NUMBER) >> LOOKS;
    first_after(look) + left_after(look) - (word & LEFT)
}

/// A word with so many looks tells of 64 passes. A model has few passes.
const MANY: u32 = (if cfg!(siftlock_model) { 1 } else { 32 }) << LOOKS;

/// No pass yet; and one pass, at a look.
const NONE: u32 = left_after(0);
const ONE: u32 = 1 << LOOKS | left_after(1);

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

    /// Counts so many more passes, but not beyond those left until the thread looks about again.
    /// False: the thread looks about at this pass.
    #[inline]
    pub(crate) fn count_unlooked(&self, passes: u32) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        let left = before & LEFT;
        if left != 0 {
            self.0.store(before - passes.min(left), Ordering::Relaxed);
        }
        left != 0
    }

    /// Whether there are so many passes that their time is kept, also past a waiter that is not
    /// beaten.
    #[inline]
    pub(crate) fn are_many(&self) -> bool {
        self.0.load(Ordering::Relaxed) & NUMBER >= MANY
    }

    /// Counts one more pass. Returns their number; once that is too great to count, [`MOST_PASSES`]
    /// or more.
    pub(crate) fn count(&self) -> u32 {
        let before = self.0.load(Ordering::Relaxed);
        let after = if before & LEFT != 0 {
            before - 1
        } else {
            let look = (((before & NUMBER) >> LOOKS) + 1).min(MOST_LOOKS);
            before & !NUMBER | look << LOOKS | left_after(look)
        };
        self.0.store(after, Ordering::Relaxed);
        number(after)
    }

    /// The passes begin: the last pass counts as the first whose time is known. Or the thread has
    /// become the first waiter.
    pub(crate) fn begin(&self, now: Instant) {
        self.0.store(beats(now) << TIME | ONE, Ordering::Relaxed);
    }

    /// At least how many nanoseconds before `now` the passes, or the thread's time as first waiter,
    /// began; `None` if neither did. Any thread may ask.
    pub(crate) fn began_before(&self, now: Instant) -> Option<u64> {
        let began = self.0.load(Ordering::Relaxed) >> TIME;
        let since = beats(now).wrapping_sub(began) & u32::from(u16::MAX);
        (began != 0).then_some(u64::from(since.saturating_sub(1)) << BEAT)
    }

    /// Whether the passes have [begun](Self::begin), with no other pass since.
    #[inline]
    pub(crate) fn has_just_begun(&self) -> bool {
        let word = self.0.load(Ordering::Relaxed);
        word & NUMBER == ONE && word >> TIME != 0
    }

    /// The number of passes, to be compared with a later one. Any thread may ask.
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

    /// Whether the passes since `before` took less than so many nanoseconds each, if that can be
    /// told: there were some, and not too many to be counted.
    pub(crate) fn are_quicker(self, before: Self, nanos: u64) -> Option<bool> {
        let (now, then) = (number(self.word), number(before.word));
        let went_on = before.word >> TIME == self.word >> TIME && then != 0;
        let passes = now.saturating_sub(if went_on { then } else { 0 });
        let quicker = self.at.nanos_since(before.at) < u64::from(passes) * nanos;
        // If the passes began anew meanwhile, those before are not known, so the rest look slower.
        let is_known = passes != 0 && now < MOST_PASSES && (went_on || quicker);
        is_known.then_some(quicker)
    }
}

/// The time in beats, never 0.
const fn beats(at: Instant) -> u32 {
    match (at.as_nanos() >> BEAT) as u16 {
        0 => 1,
        beats => beats as u32,
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn passes_are_counted_and_timed_from_the_first() {
        let passes = Passes::new();
        for begun in [1 << BEAT, 5 << BEAT, (u64::from(u32::MAX) - 3) << BEAT] {
            let at = |beats: u64| Instant::from_nanos(begun + (beats << BEAT));
            assert_eq!(passes.count(), 1);
            passes.begin(at(0));
            assert!(passes.has_just_begun());
            assert_eq!(passes.count(), 2);
            assert_eq!(passes.began_before(at(7)), Some(6 << BEAT));
            passes.forget();
            assert_eq!((passes.began_before(at(8)), passes.has_just_begun()), (None, false));
        }
    }

    #[test]
    fn passes_look_about_at_the_first_and_then_ever_more_rarely() {
        let passes = Passes::new();
        let mut looks = [0; 16];
        for number in 1..MOST_PASSES {
            if !passes.count_unlooked(1) {
                assert_eq!(passes.count(), number);
                looks[number.ilog2() as usize] += 1;
            }
            assert_eq!(self::number(passes.0.load(Ordering::Relaxed)), number);
        }
        assert_eq!(looks[..12], [1, 2, 4, 8, 8, 8, 8, 8, 8, 8, 8, 8]);
        let every_256th = (MOST_PASSES - (1 << 15)) / 256;
        assert_eq!(looks[12..], [16, 32, 64, every_256th]);
        assert!(
            (0..300).filter(|_| !passes.count_unlooked(1)).all(|_| passes.count() == MOST_PASSES)
        );
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
        assert!(last >= Some(MOST_PASSES));
        assert_eq!(passes.began_before(at(5)), Some(1 << BEAT));
    }
}
