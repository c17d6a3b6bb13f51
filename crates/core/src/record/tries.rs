//! Whether something is worth a try, as the thread's own tries have shown, or the tries of a thread
//! that had the record before.
//!
//! A thread loses some time if it gives its processor up for nothing, waits awake for a thread that
//! does not run, or lets a thread go on that does not leave. Once or twice that may be chance.
//! After three tries in vain in a row three occasions go by until the next try, and then seven each
//! time. After a try that was worth it the thread begins anew. So a thread loses little where tries
//! are in vain.

/// What a thread tries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Try {
    /// To give way to a waiter that was called: it may come.
    GiveWay,
    /// To wait awake for a writer: it may run.
    WaitAwake,
    /// To let a writer go on that comes back at once: it may leave soon.
    BackOff,
}

/// One number for each kind of try. The place of its leading bit says how many tries in a row were
/// in vain, as far as is counted. The other bits say how many occasions go by until the next try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tries(u32);

/// The number of bits that a number takes, and the number in which all are set.
const WIDTH: u32 = 4;
const NUMBER: u32 = (1 << WIDTH) - 1;

impl Tries {
    /// The number of bits that the tries take.
    pub(super) const BITS: u32 = 3 * WIDTH;

    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << Self::BITS) - 1))
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    const fn shift(kind: Try) -> u32 {
        kind as u32 * WIDTH
    }

    const fn number(self, kind: Try) -> u32 {
        self.0 >> Self::shift(kind) & NUMBER
    }

    const fn with(self, kind: Try, number: u32) -> Self {
        let shift = Self::shift(kind);
        Self(self.0 & !(NUMBER << shift) | number << shift)
    }

    /// The tries after an occasion that goes by; `None` if none has to: the thread is to try.
    pub(super) const fn without_occasion(self, kind: Try) -> Option<Self> {
        let number = self.number(kind);
        if number == 0 || number.is_power_of_two() {
            None
        } else {
            Some(self.with(kind, number - 1))
        }
    }

    /// The tries after the thread was to try, and did so, and it was worth it or not.
    pub(super) const fn after_try(self, kind: Try, was_worth_it: bool) -> Self {
        let in_vain = match self.number(kind) {
            0 => 0b10,
            0b10 => 0b100,
            0b100 => 0b1011,
            _ => 0b1111,
        };
        self.with(kind, if was_worth_it { 0 } else { in_vain })
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    /// How many occasions go by until the next try, and what is left then.
    fn go_by(mut tries: Tries, kind: Try) -> (u32, Tries) {
        let mut occasions = 0;
        while let Some(left) = tries.without_occasion(kind) {
            (tries, occasions) = (left, occasions + 1);
        }
        (occasions, tries)
    }

    #[test]
    fn tries_in_vain_become_more_and_more_rare() {
        for kind in [Try::GiveWay, Try::WaitAwake, Try::BackOff] {
            for others in [0, (1 << Tries::BITS) - 1] {
                let new = Tries::from_bits(others).after_try(kind, true);
                let (mut occasions, mut tries) = go_by(new, kind);
                assert_eq!(occasions, 0, "at first");
                for gap in [0, 0, 3, 7, 7] {
                    (occasions, tries) = go_by(tries.after_try(kind, false), kind);
                    assert_eq!(occasions, gap, "{kind:?}");
                    assert_eq!(Tries::from_bits(tries.bits()), tries);
                }
                assert_eq!(tries.after_try(kind, true), new, "the others stay");
            }
        }
    }
}
