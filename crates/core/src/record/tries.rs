//! Whether something is worth a try, as the thread's own tries have shown, or the tries of a thread
//! that had the record before.
//!
//! A thread loses some time if it gives its processor up for nothing, waits awake for a thread that
//! does not run, or lets a thread go on that does not leave. After tries in vain it lets more and
//! more occasions go by until the next. After a try that was worth it the thread begins anew. So it
//! loses little where tries are in vain.

/// What a thread tries.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Try {
    /// To give way to a waiter that was called: it may come. In vain: one occasion goes by, then
    /// three.
    GiveWay,
    /// To wait awake for a writer: it may run. In vain three times in a row: three occasions go by,
    /// then seven. Fewer may be chance: any writer loses its processor now and then.
    WaitAwake,
    /// To let a writer go on that comes back at once: it may leave soon. In vain: three occasions
    /// go by, then seven, at most fifteen. Such a try takes longer than the waits that it is to
    /// save.
    BackOff,
}

/// One number for each kind of try. The place of its leading bit says how many tries in a row were
/// in vain, as far as is counted. The other bits say how many occasions go by until the next try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tries(u32);

/// The bits of a number, and where the numbers lie.
const BITS: [u32; 3] = [3, 4, 5];
const SHIFTS: [u32; 3] = [0, BITS[0], BITS[0] + BITS[1]];

impl Tries {
    /// The number of bits that the tries take.
    pub(super) const BITS: u32 = BITS[0] + BITS[1] + BITS[2];

    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits & ((1 << Self::BITS) - 1))
    }

    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    const fn most(kind: Try) -> u32 {
        (1 << BITS[kind as usize]) - 1
    }

    const fn number(self, kind: Try) -> u32 {
        self.0 >> SHIFTS[kind as usize] & Self::most(kind)
    }

    const fn with(self, kind: Try, number: u32) -> Self {
        let shift = SHIFTS[kind as usize];
        Self(self.0 & !(Self::most(kind) << shift) | number << shift)
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
        let in_vain = match (kind, self.number(kind)) {
            (Try::GiveWay, 0) => 0b11,
            (Try::GiveWay, _) => 0b111,
            (Try::WaitAwake, 0) => 0b10,
            (Try::WaitAwake, 0b10) => 0b100,
            (Try::WaitAwake, 0b100) => 0b1011,
            (Try::WaitAwake, _) => 0b1111,
            (Try::BackOff, 0) => 0b111,
            (Try::BackOff, 0b100) => 0b1111,
            (Try::BackOff, _) => 0b11111,
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
        let kinds = [
            (Try::GiveWay, [1, 3, 3, 3]),
            (Try::WaitAwake, [0, 0, 3, 7]),
            (Try::BackOff, [3, 7, 15, 15]),
        ];
        for (kind, gaps) in kinds {
            for others in [0, (1 << Tries::BITS) - 1] {
                let new = Tries::from_bits(others).after_try(kind, true);
                let (mut occasions, mut tries) = go_by(new, kind);
                assert_eq!(occasions, 0, "at first");
                for gap in gaps {
                    (occasions, tries) = go_by(tries.after_try(kind, false), kind);
                    assert_eq!(occasions, gap, "{kind:?}");
                    assert_eq!(Tries::from_bits(tries.bits()), tries);
                }
                assert_eq!(tries.after_try(kind, true), new, "the others stay");
            }
        }
    }
}
