//! How long a call may wait: `std`'s times as the locks' deadlines.

use self::sealed::Deadline;
use siftlock_core::platform::{Instant, Platform};
use std::time::Duration;

/// How long a call may wait for a lock: for a [`Duration`], or until an
/// [`Instant`](std::time::Instant).
///
/// With a duration of 0, or an instant in the past, a call returns without waiting. A time too far
/// for the clock (584 years), such as [`Duration::MAX`], is no limit: the call waits for ever.
///
/// A call gives up before its time only if the lock has [too many
/// readers](crate::Refused::TooManyReaders) or, with a [`PsRwLock`](crate::PsRwLock), [too many
/// threads](crate::Refused::TooManyThreads); or if its policy limits the wait for readers in slots
/// ([`Policy::DRAIN_AT_MOST`](siftlock_core::rwsem::Policy::DRAIN_AT_MOST)). The system's scheduler
/// decides how long after its time a call gives up.
pub trait Limit: Deadline {}

impl Limit for Duration {}
impl Limit for std::time::Instant {}

mod sealed {
    use super::{Instant, Platform};

    pub trait Deadline {
        /// The moment on `P`'s clock after which a call gives up; `None`: never.
        fn deadline<P: Platform>(self) -> Option<Instant>;
    }
}

impl Deadline for Duration {
    fn deadline<P: Platform>(self) -> Option<Instant> {
        P::now().checked_add(self)
    }
}

impl Deadline for std::time::Instant {
    fn deadline<P: Platform>(self) -> Option<Instant> {
        // `std`'s clock is read before `P`'s. The time that passes in between makes the deadline
        // later, never earlier.
        self.saturating_duration_since(Self::now()).deadline::<P>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::{Native, Portable};

    const HOUR: Duration = Duration::from_secs(3600);

    fn limit_past_is_now<P: Platform>() {
        let before = P::now();
        let past = std::time::Instant::now().checked_sub(Duration::from_millis(1));
        let deadlines = [Duration::ZERO.deadline::<P>(), past.unwrap().deadline::<P>()];
        let after = P::now();
        for deadline in deadlines {
            assert!((before..=after).contains(&deadline.unwrap()));
        }
    }

    fn limit_by_duration_and_instant_is_never_early<P: Platform>() {
        for ahead in [Duration::from_nanos(1), HOUR, 1_000_000 * HOUR] {
            let due = P::now().checked_add(ahead).unwrap();
            assert!(ahead.deadline::<P>().unwrap() >= due);

            let instant = std::time::Instant::now() + ahead;
            let before = P::now();
            let deadline = instant.deadline::<P>().unwrap();
            // Read again, `std`'s clock says how much was left when the deadline was made.
            let left = instant.saturating_duration_since(std::time::Instant::now());
            assert!(deadline >= before.checked_add(left).unwrap());
        }
    }

    fn limit_beyond_the_clock_is_no_limit<P: Platform>() {
        assert_eq!(Duration::MAX.deadline::<P>(), None);
        assert_eq!(Duration::from_nanos(u64::MAX).deadline::<P>(), None);
        let mut far = std::time::Instant::now();
        let mut step = Duration::MAX;
        while !step.is_zero() {
            match far.checked_add(step) {
                Some(later) => far = later,
                None => step /= 2,
            }
        }
        assert_eq!(far.deadline::<P>(), None);
    }

    fn limit_works_on<P: Platform>() {
        limit_past_is_now::<P>();
        limit_by_duration_and_instant_is_never_early::<P>();
        limit_beyond_the_clock_is_no_limit::<P>();
    }

    #[test]
    fn limit_on_the_native_platform() {
        limit_works_on::<Native>();
    }

    #[test]
    fn limit_on_the_portable_platform() {
        limit_works_on::<Portable>();
    }
}
