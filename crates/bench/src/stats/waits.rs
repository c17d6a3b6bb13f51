//! How long threads waited, every acquisition kept.

use hdrhistogram::Histogram;

use super::Longest;
use crate::machine::Clock;

/// Two digits: a bucket is at most 1 % wide, and recording touches few lines.
const DIGITS: u8 = 2;
/// The longest wait that is told apart, in ticks: about an hour of the fastest counters.
const LONGEST: u64 = 1 << 44;

/// Waits in ticks of the processor's counter.
pub(crate) struct Waits(Histogram<u64>);

impl Waits {
    /// No waits yet.
    pub(crate) fn new() -> Self {
        let histogram = Histogram::new_with_bounds(1, LONGEST, DIGITS);
        Self(histogram.expect("constant bounds that the histogram allows"))
    }

    /// The waits of many threads together.
    pub(crate) fn of_all<'a>(threads: impl Iterator<Item = &'a Self>) -> Self {
        let mut all = Self::new();
        for waits in threads {
            all.0.add(&waits.0).expect("histograms of the same bounds");
        }
        all
    }

    /// Adds one wait.
    #[inline]
    pub(crate) fn add(&mut self, ticks: u64) {
        self.0.saturating_record(ticks);
    }

    /// Adds this many acquisitions that did not wait.
    pub(crate) fn add_none(&mut self, count: u64) {
        self.0.saturating_record_n(0, count);
    }

    /// The long waits, in µs.
    pub(crate) fn in_micros(&self, clock: &Clock) -> Longest {
        Longest { max: clock.micros(self.longest()), p999: clock.micros(self.p999()) }
    }

    /// The longest wait; 0 without waits.
    fn longest(&self) -> u64 {
        self.0.max()
    }

    /// The wait that one in a thousand exceeds; 0 without waits.
    fn p999(&self) -> u64 {
        self.0.value_at_quantile(0.999)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_of_many_threads_are_one_distribution() {
        let (mut one, mut other) = (Waits::new(), Waits::new());
        (0..9_990).for_each(|_| one.add(100));
        (0..10).for_each(|_| other.add(1_000_000));
        let all = Waits::of_all([&one, &other].into_iter());
        assert!((100..=101).contains(&all.p999()), "{}", all.p999());
        assert!((1_000_000..1_010_000).contains(&all.longest()), "{}", all.longest());
    }

    #[test]
    fn waits_that_were_none_count() {
        let mut waits = Waits::new();
        waits.add_none(1_999);
        waits.add(500);
        assert_eq!((waits.p999(), waits.longest()), (0, 501));
    }

    #[test]
    fn waits_of_nobody_are_nothing() {
        let none = Waits::of_all(std::iter::empty());
        assert_eq!((none.longest(), none.p999()), (0, 0));
    }

    #[test]
    fn waits_beyond_the_longest_do_not_get_lost() {
        let mut waits = Waits::new();
        waits.add(u64::MAX);
        assert!(waits.longest() >= LONGEST);
    }
}
