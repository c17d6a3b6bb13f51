//! Whether it is worth it to give way to a waiter that was called, as the thread's own tries have shown.
//!
//! A thread that gives its processor up for nothing has lost a system call. After such a try it lets one occasion go
//! by, after the next three, then seven, at last fifteen. After a try upon which the waiter came it begins anew. So a
//! thread loses little where the waiter has another processor.

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

    /// The thread has tried, and the waiter came or not.
    pub(super) const fn tried(self, has_come: bool) -> Self {
        let before = self.0 >> TRIES;
        let in_vain = match has_come {
            true => 0,
            false if before < MOST_TRIES => before + 1,
            false => MOST_TRIES,
        };
        Self(in_vain << TRIES | ((1 << in_vain) - 1))
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
        let (mut occasions, mut way) = goes_by(Way::from_bits(0));
        assert_eq!(occasions, 0, "at first");
        for expected in [1, 3, 7, 15, 15] {
            (occasions, way) = goes_by(way.tried(false));
            assert_eq!(occasions, expected);
            assert_eq!(Way::from_bits(way.bits()), way);
        }
        assert_eq!(way.tried(true), Way::from_bits(0));
    }
}
