//! Signals, and sets of them, as numbers.

/// A signal's number, 1 to 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signal(u8);

impl Signal {
    /// The greatest number.
    pub const MAX: u8 = 64;
    /// The first number of the real-time signals, which queue; lower ones merge.
    pub const FIRST_REAL_TIME: u8 = 32;

    /// The signal with this number, if it can be one.
    #[inline]
    #[must_use]
    pub const fn new(number: i32) -> Option<Self> {
        if 0 < number && number <= Self::MAX as i32 { Some(Self(number as u8)) } else { None }
    }

    /// Its number.
    #[inline]
    #[must_use]
    pub const fn number(self) -> i32 {
        self.0 as i32
    }

    /// Whether the signal is a real-time signal: one arrives for each that was sent.
    #[inline]
    #[must_use]
    pub const fn is_real_time(self) -> bool {
        self.0 >= Self::FIRST_REAL_TIME
    }
}

/// A set of signals; the bit of signal n is n − 1, as in the system's own sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signals(u64);

impl Signals {
    /// No signal.
    pub const NONE: Self = Self(0);

    /// The set with these bits.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of this signal alone.
    #[inline]
    #[must_use]
    pub const fn of(signal: Signal) -> Self {
        Self(1 << (signal.0 - 1))
    }

    /// The signals that are in either set.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The signals that are in both sets.
    #[inline]
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The signals of this set that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether `signal` is in the set.
    #[inline]
    #[must_use]
    pub const fn has(self, signal: Signal) -> bool {
        self.0 & Self::of(signal).0 != 0
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The signal with the lowest number.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Signal> {
        if self.0 == 0 { None } else { Some(Signal(self.0.trailing_zeros() as u8 + 1)) }
    }

    /// All signals of the set, the lowest number first.
    pub fn each(self) -> impl Iterator<Item = Signal> {
        let mut left = self;
        core::iter::from_fn(move || {
            let next = left.first()?;
            left = left.without(Self::of(next));
            Some(next)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signal_numbers_end_at_64() {
        assert_eq!([0, 65, -1, 300].map(Signal::new), [None; 4]);
        assert_eq!(Signal::new(64).map(Signal::number), Some(64));
        assert_eq!([31, 32].map(|n| Signal::new(n).unwrap().is_real_time()), [false, true]);
    }

    #[test]
    fn signals_of_a_set_come_lowest_first() {
        let both = [64, 1, 33].map(|n| Signals::of(Signal::new(n).unwrap()));
        let set = both[0].and(both[1]).and(both[2]);
        assert!(set.each().map(Signal::number).eq([1, 33, 64]));
        assert_eq!(set.without(both[1]).first().map(Signal::number), Some(33));
        assert!(set.within(both[0]).has(Signal::new(64).unwrap()));
        assert!(set.without(set).is_empty());
    }
}
