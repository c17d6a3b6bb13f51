//! How often a thread has raised each class, in one number.
//!
//! Each class has a count, because raises of several guards end in any order: a saved level would
//! not suffice. Each class above Thread has a field of 21 bits, and a higher class has higher bits.
//! So a raise is one addition, its end is one subtraction, and "at class c or above" is one shift.

use crate::platform::Class;

const FIELD: u32 = 21;

const fn shift(class: Class) -> u32 {
    (class as u32 - 1) * FIELD
}

/// How often each class was raised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Raises(u64);

impl Raises {
    /// No raises.
    pub const NONE: Self = Self(0);

    /// The raises that [`bits`](Self::bits) has returned as a number.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The raises as a number.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// One raise to `class`; none for Thread.
    #[inline]
    #[must_use]
    pub const fn once(class: Class) -> Self {
        match class {
            Class::Thread => Self::NONE,
            _ => Self(1 << shift(class)),
        }
    }

    /// The sum of both.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// These raises without `other`, which are among them.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        debug_assert!(self.0 >= other.0, "what is taken back was raised, by this thread");
        Self(self.0.wrapping_sub(other.0))
    }

    /// Whether a thread with these raises stands at `class` or above.
    #[inline]
    #[must_use]
    pub const fn reach(self, class: Class) -> bool {
        matches!(class, Class::Thread) || self.0 >> shift(class) != 0
    }

    /// Whether `class` itself was raised, above Thread.
    #[inline]
    #[must_use]
    pub const fn has(self, class: Class) -> bool {
        !matches!(class, Class::Thread) && (self.0 >> shift(class)) & ((1 << FIELD) - 1) != 0
    }

    /// The level of a thread with these raises.
    #[inline]
    #[must_use]
    pub const fn level(self) -> Class {
        match self.0 {
            0 => Class::Thread,
            // Bit 63 belongs to the highest class too: 2²¹ leaked raises of it reach that bit.
            raises => match raises.ilog2() / FIELD {
                place @ ..2 => Class::HIGH[place as usize],
                _ => Class::Irq,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_is_the_highest_class_raised_in_whatever_order() {
        let (np, irq) = (Raises::once(Class::NonPreemptible), Raises::once(Class::Irq));
        assert_eq!(Raises::NONE.level(), Class::Thread);
        assert_eq!(np.and(irq).level(), Class::Irq);
        assert_eq!(np.and(irq).without(np).level(), Class::Irq);
        assert_eq!(np.and(irq).without(irq).level(), Class::NonPreemptible);
        assert_eq!(irq.and(irq).without(irq).level(), Class::Irq);
        assert_eq!(Raises::once(Class::SoftIrq).level(), Class::SoftIrq);
    }

    #[test]
    fn level_reaches_its_own_class_and_those_below() {
        for at in Class::HIGH {
            for class in [Class::Thread].into_iter().chain(Class::HIGH) {
                assert_eq!(Raises::once(at).reach(class), class <= at, "{class:?} from {at:?}");
            }
        }
        assert!(!Raises::NONE.reach(Class::NonPreemptible));
        let both = Raises::once(Class::NonPreemptible).and(Raises::once(Class::Irq));
        let has = Class::HIGH.map(|class| both.has(class));
        assert_eq!((has, both.has(Class::Thread)), ([true, false, true], false));
    }

    #[test]
    fn level_counts_to_the_end_of_its_field() {
        const FULL: u64 = (1 << FIELD) - 1;
        let full = Raises::from_bits(FULL * Raises::once(Class::NonPreemptible).bits());
        assert_eq!(full.level(), Class::NonPreemptible);
        assert!(FULL.checked_mul(Raises::once(Class::Irq).bits()).is_some());
        let leaked = Raises::from_bits((FULL + 1) * Raises::once(Class::Irq).bits());
        assert_eq!(leaked.level(), Class::Irq);
    }
}
