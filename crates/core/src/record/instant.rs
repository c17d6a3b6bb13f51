//! Monotonic time in nanoseconds.

use core::time::Duration;

/// A moment of the platform's monotonic clock, in nanoseconds from an origin of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(u64);

impl Instant {
    /// The moment `nanos` nanoseconds after the clock's origin.
    #[inline]
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the clock's origin.
    #[inline]
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// The moment `nanos` nanoseconds later, or the last moment there is (584 years on).
    #[inline]
    #[must_use]
    pub const fn after(self, nanos: u64) -> Self {
        Self(self.0.saturating_add(nanos))
    }

    /// The moment `duration` later, or `None`, which a lock takes as "wait for ever", if the clock
    /// ends before.
    #[inline]
    #[must_use]
    pub fn checked_add(self, duration: Duration) -> Option<Self> {
        let nanos = u64::try_from(duration.as_nanos()).ok()?;
        self.0.checked_add(nanos).map(Self)
    }

    /// This moment, or the deadline if that comes first.
    #[inline]
    pub(crate) fn at_most(self, deadline: Option<Self>) -> Self {
        deadline.map_or(self, |deadline| deadline.min(self))
    }

    /// Nanoseconds from `earlier` to this moment, 0 if it is not earlier.
    #[inline]
    #[must_use]
    pub const fn nanos_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instant_saturates_instead_of_wrapping() {
        let late = Instant::from_nanos(u64::MAX - 1);
        assert_eq!(late.after(5).as_nanos(), u64::MAX);
        assert_eq!(late.checked_add(Duration::from_nanos(5)), None);
        assert_eq!(Instant::from_nanos(3).nanos_since(late), 0);
    }

    #[test]
    fn instant_goes_on_by_a_duration() {
        let at = Instant::from_nanos(3);
        let nanos = |then: Option<Instant>| then.map(Instant::as_nanos);
        assert_eq!(nanos(at.checked_add(Duration::new(2, 5))), Some(2_000_000_008));
        assert_eq!(nanos(at.checked_add(Duration::from_nanos(u64::MAX - 3))), Some(u64::MAX));
    }

    #[test]
    fn instant_takes_the_longest_duration() {
        assert_eq!(Instant::from_nanos(0).checked_add(Duration::MAX), None);
    }
}
