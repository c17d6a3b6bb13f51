//! Lengths of time that a run measures, and those that its end cuts short.

/// Lengths of time, in cycles.
///
/// Some waits end only because the run does: the threads in the way stop then. Such a wait shows
/// only that it would have been longer. It is kept apart, as a lower bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Delay {
    /// Times that ended within the run: all figures but `cut` are theirs.
    pub(crate) number: u64,
    pub(crate) total: u64,
    pub(crate) least: u64,
    pub(crate) longest: u64,
    /// The longest of the times that the run's end cut short, up to that end. 0: it cut none.
    pub(crate) cut: u64,
}

impl Delay {
    /// Adds a time from `begun` to `ended`, in a run that ends at `end`. A time that began after
    /// the run's end is left out.
    pub(super) fn add(&mut self, begun: u64, ended: u64, end: u64) {
        if ended < end {
            let cycles = ended - begun;
            self.merge(Self { number: 1, total: cycles, least: cycles, longest: cycles, cut: 0 });
        } else {
            self.cut = self.cut.max(end.saturating_sub(begun));
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.cut = self.cut.max(other.cut);
        if other.number > 0 {
            let is_first = self.number == 0;
            self.least = if is_first { other.least } else { self.least.min(other.least) };
            self.longest = self.longest.max(other.longest);
            self.number += other.number;
            self.total += other.total;
        }
    }

    /// Cycles on average, of the times that ended.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.number > 0).then(|| self.total as f64 / self.number as f64)
    }

    /// Whether the longest cut time would raise the mean by more than a hundredth.
    pub(crate) fn mean_is_bound(&self) -> bool {
        let with_cut = (self.total + self.cut) as f64 / (self.number + 1) as f64;
        self.mean().is_none_or(|mean| with_cut > mean * 1.01)
    }

    /// The longest of all times, or a lower bound of it.
    pub(crate) fn longest_at_least(&self) -> u64 {
        self.longest.max(self.cut)
    }

    /// Whether the longest of all times was cut short.
    pub(crate) fn longest_is_bound(&self) -> bool {
        self.cut > self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[(u64, u64)]) -> Delay {
        let mut delay = Delay::default();
        times.iter().for_each(|&(begun, ended)| delay.add(begun, ended, 1_000));
        delay
    }

    #[test]
    fn delay_leaves_a_cut_time_out_of_the_mean() {
        let delay = of(&[(0, 10), (100, 130), (600, 1_200)]);
        assert_eq!((delay.number, delay.mean(), delay.least), (2, Some(20.0), 10));
        assert_eq!((delay.longest, delay.longest_at_least()), (30, 400));
        assert!(delay.mean_is_bound() && delay.longest_is_bound());
    }

    #[test]
    fn delay_of_times_that_ended_is_no_bound() {
        let delay = of(&[(0, 500), (999, 1_001), (1_000, 1_900)]);
        assert_eq!((delay.number, delay.cut, delay.longest_at_least()), (1, 1, 500));
        assert!(!delay.mean_is_bound() && !delay.longest_is_bound());
    }

    #[test]
    fn delay_of_many_times_has_a_mean_that_one_cut_time_hardly_changes() {
        let mut delay = Delay { number: 1_000, total: 10_000, ..Delay::default() };
        delay.add(900, 1_001, 1_000);
        assert!(!delay.mean_is_bound());
        delay.add(800, 1_001, 1_000);
        assert!(delay.mean_is_bound());
    }

    #[test]
    fn delay_without_a_time_that_ended_has_no_mean() {
        assert_eq!(of(&[(1, 1_000)]).mean(), None);
        assert!(of(&[(1, 1_000)]).mean_is_bound());
    }

    #[test]
    fn delay_merges_into_an_empty_one_and_back() {
        let (mut none, some) = (Delay::default(), of(&[(3, 7), (900, 1_000)]));
        none.merge(some);
        assert_eq!(none, some);
        none.merge(Delay::default());
        assert_eq!(none, some);
    }
}
