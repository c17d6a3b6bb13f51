//! Whether others gain if the thread gives its processor up, as its own tries have shown.
//!
//! A thread that gives up a processor for which nobody waits has it again at once, and has lost a system call. After
//! such a try it lets one occasion go by, after the next three, then seven, at last fifteen. After a try that somebody
//! gained by it begins anew. So a thread with a processor to itself loses little.

use super::{Instant, LEAST_SLEEP};

/// How many occasions go by until the next try, and above that, how many tries in a row were in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way(u32);

const OCCASION: u32 = 1;
const OCCASIONS: u32 = (1 << MOST_TRIES) - 1;
const TRIES: u32 = MOST_TRIES;
const MOST_TRIES: u32 = 4;

impl Way {
    /// The bits that it takes.
    pub(super) const BITS: u32 = TRIES + 3;

    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << Self::BITS) - 1))
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    /// An occasion has come: what is left without it, or nothing if the thread is to try.
    pub(super) const fn without_occasion(self) -> Option<Self> {
        if self.0 & OCCASIONS == 0 { None } else { Some(Self(self.0 - OCCASION)) }
    }

    /// The thread has tried, and went on so much later.
    pub(super) const fn tried(self, gave: Instant, went_on: Instant) -> Self {
        // Two changes of threads take longer.
        let in_vain = went_on.nanos_since(gave) < LEAST_SLEEP;
        let before = self.0 >> TRIES;
        let tries = match in_vain {
            false => 0,
            true if before < MOST_TRIES => before + 1,
            true => MOST_TRIES,
        };
        Self(tries << TRIES | ((1 << tries) - 1))
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    /// How many occasions go by until the next try, and what is left then.
    fn goes_by(mut way: Way) -> (u32, Way) {
        let mut occasions = 0;
        while let Some(left) = way.without_occasion() {
            (way, occasions) = (left, occasions + 1);
        }
        (occasions, way)
    }

    #[test]
    fn way_that_nobody_takes_is_given_more_and_more_rarely() {
        let at = Instant::from_nanos;
        let (mut occasions, mut way) = goes_by(Way::from_bits(0));
        assert_eq!(occasions, 0, "at first");
        for expected in [1, 3, 7, 15, 15] {
            (occasions, way) = goes_by(way.tried(at(5_000), at(5_000 + LEAST_SLEEP - 1)));
            assert_eq!(occasions, expected);
            assert_eq!(Way::from_bits(way.bits()), way);
        }
        let taken = way.tried(at(5_000), at(5_000 + LEAST_SLEEP));
        assert_eq!(taken, Way::from_bits(0), "somebody ran meanwhile");
    }
}
