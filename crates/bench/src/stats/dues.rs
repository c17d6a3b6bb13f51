//! Whether a lock gives every thread and each kind of section its due.

use std::time::Duration;

/// The sections of one lock in one cell, and the share of writes that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dues {
    /// Sections of a thread in a sample, on average.
    pub(crate) each: f64,
    /// Sections of the thread that had the fewest, over that mean.
    pub(crate) least: f64,
    pub(crate) threads: usize,
    /// How long each thread could run in a sample: its part of the processors' time.
    pub(crate) running: Duration,
    /// The share of the sections that were to write, 0 to 1.
    pub(crate) asked: f64,
    /// The share of the sections that wrote.
    pub(crate) done: f64,
}

impl Dues {
    /// A thread with less than this share of the mean starves.
    const LEAST_OF_MEAN: f64 = 0.1;
    /// Some time slices. Where a thread can run for less, the scheduler decides which thread has a
    /// turn.
    const TELLING_TIME: Duration = Duration::from_millis(10);
    /// Where a thread has fewer sections on average, some have none by chance.
    const TELLING_OF_THREAD: f64 = 10.0;
    /// A kind with less than this share of what was asked starves.
    const LEAST_OF_ASKED: f64 = 0.5;
    /// Where fewer sections of a kind were to be expected, chance decides.
    const TELLING_OF_KIND: f64 = 20.0;

    /// Whether no thread and no kind starves, as far as so few sections can tell.
    pub(crate) fn are_given(self) -> bool {
        self.threads_are_alike() && self.kinds_are_as_asked()
    }

    fn threads_are_alike(self) -> bool {
        let telling = self.each >= Self::TELLING_OF_THREAD && self.running >= Self::TELLING_TIME;
        !telling || self.least >= Self::LEAST_OF_MEAN
    }

    fn kinds_are_as_asked(self) -> bool {
        let sections = self.each * self.threads as f64;
        let kinds = [(self.asked, self.done), (1.0 - self.asked, 1.0 - self.done)];
        kinds.iter().all(|&(asked, done)| {
            sections * asked < Self::TELLING_OF_KIND || done >= Self::LEAST_OF_ASKED * asked
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLI: Duration = Duration::from_millis(1);
    const GIVEN: Dues = Dues {
        each: 1_000.0,
        least: 0.8,
        threads: 4,
        running: Duration::from_millis(20),
        asked: 0.1,
        done: 0.1,
    };

    #[test]
    fn dues_are_a_tenth_of_the_mean_for_each_thread() {
        assert!(GIVEN.are_given());
        assert!(Dues { least: 0.1, ..GIVEN }.are_given());
        assert!(!Dues { least: 0.09, ..GIVEN }.are_given());
    }

    #[test]
    fn dues_of_a_thread_cannot_be_told_from_a_few_sections() {
        assert!(Dues { each: 9.0, least: 0.0, ..GIVEN }.are_given());
        assert!(!Dues { each: 10.0, least: 0.0, ..GIVEN }.are_given());
    }

    #[test]
    fn dues_of_a_thread_cannot_be_told_within_a_time_slice() {
        assert!(Dues { running: 5 * MILLI, least: 0.0, ..GIVEN }.are_given());
        assert!(!Dues { running: 10 * MILLI, least: 0.0, ..GIVEN }.are_given());
    }

    #[test]
    fn dues_are_half_of_what_was_asked_for_each_kind() {
        assert!(Dues { done: 0.05, ..GIVEN }.are_given());
        assert!(!Dues { done: 0.04, ..GIVEN }.are_given());
        assert!(!Dues { done: 0.6, ..GIVEN }.are_given(), "reads starve");
        assert!(Dues { asked: 0.0, done: 0.0, ..GIVEN }.are_given());
        assert!(Dues { asked: 1.0, done: 1.0, ..GIVEN }.are_given());
    }

    #[test]
    fn dues_of_a_kind_cannot_be_told_from_a_few_sections() {
        let few = Dues { each: 100.0, asked: 0.01, done: 0.0, ..GIVEN };
        assert!(few.are_given(), "4 writes to be expected");
        assert!(!Dues { each: 1_000.0, ..few }.are_given(), "40");
    }
}
