//! All samples of one experiment, and how the subjects compare in them.

use super::metric::{Better, Metric, Reading};
use super::{extremes, median, spread};
use crate::subjects::{Role, Subject};

/// The samples of one metric of one subject at one number of threads.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) subject: Subject,
    pub(crate) threads: usize,
    pub(crate) metric: Metric,
    /// One for each round, in their order.
    pub(crate) samples: Vec<f64>,
}

impl Series {
    /// The middle of the samples.
    pub(crate) fn median(&self) -> Option<f64> {
        median(&self.samples)
    }

    /// How far the samples lie apart, as a share of the median.
    pub(crate) fn spread(&self) -> Option<f64> {
        spread(&self.samples)
    }
}

/// The results of an experiment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Results {
    pub(crate) series: Vec<Series>,
}

impl Results {
    /// Adds the readings of one sample.
    pub(crate) fn add(&mut self, subject: Subject, threads: usize, readings: &[Reading]) {
        for &Reading { metric, value } in readings {
            let known = self.series.iter_mut().find(|series| {
                (series.subject, series.threads, series.metric) == (subject, threads, metric)
            });
            match known {
                Some(series) => series.samples.push(value),
                None => {
                    self.series.push(Series { subject, threads, metric, samples: vec![value] });
                }
            }
        }
    }

    /// Adds the samples of other metrics of the same experiment.
    pub(crate) fn extend(&mut self, other: Self) {
        self.series.extend(other.series);
    }

    /// The samples of one metric of one subject at one number of threads.
    pub(crate) fn get(&self, subject: Subject, threads: usize, metric: Metric) -> Option<&Series> {
        self.series.iter().find(|series| {
            (series.subject, series.threads, series.metric) == (subject, threads, metric)
        })
    }

    /// The median of one metric of one subject at one number of threads.
    pub(crate) fn median(&self, subject: Subject, threads: usize, metric: Metric) -> Option<f64> {
        self.get(subject, threads, metric)?.median()
    }

    /// The share of one kind in a subject's sections.
    pub(crate) fn share(&self, subject: Subject, threads: usize, kind: Metric) -> Option<f64> {
        let total = self.median(subject, threads, Metric::Total).filter(|&total| total > 0.0)?;
        Some(self.median(subject, threads, kind)? / total)
    }

    /// The subjects that took part, in the order of the roster.
    pub(crate) fn subjects(&self) -> Vec<Subject> {
        let took_part = |subject: &Subject| self.series.iter().any(|one| one.subject == *subject);
        Subject::ALL.iter().copied().filter(took_part).collect()
    }

    /// The numbers of threads, in the order in which they were measured.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let mut threads = Vec::new();
        for series in &self.series {
            if !threads.contains(&series.threads) {
                threads.push(series.threads);
            }
        }
        threads
    }

    /// The peer that does best, and its median. Floors and our own locks do not count.
    pub(crate) fn best_peer(&self, threads: usize, metric: Metric) -> Option<(Subject, f64)> {
        let medians =
            self.peers().filter_map(|peer| Some((peer, self.median(peer, threads, metric)?)));
        let by_median = |one: &(Subject, f64), other: &(Subject, f64)| one.1.total_cmp(&other.1);
        match metric.better() {
            Better::Higher => medians.max_by(by_median),
            Better::Lower => medians.min_by(by_median),
        }
    }

    /// For each round, our value over the value of the peer that was best in that round. Empty
    /// where a round lacks a sample.
    pub(crate) fn rounds(&self, threads: usize, metric: Metric) -> Vec<f64> {
        let samples = |subject| self.get(subject, threads, metric).map(|one| &one.samples[..]);
        let ours = samples(Subject::Rwsem).unwrap_or_default();
        let peers: Vec<&[f64]> = self.peers().filter_map(samples).collect();
        if peers.iter().any(|peer| peer.len() != ours.len()) {
            return Vec::new();
        }
        let of_round = |(round, ours): (usize, &f64)| {
            let (least, greatest) =
                extremes(&peers.iter().map(|peer| peer[round]).collect::<Vec<_>>());
            ours / if metric.better() == Better::Higher { greatest } else { least }
        };
        ours.iter().enumerate().map(of_round).collect()
    }

    fn peers(&self) -> impl Iterator<Item = Subject> {
        self.subjects().into_iter().filter(|subject| subject.role() == Role::Peer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Results {
        let mut results = Results::default();
        let rates = [(Subject::Rwsem, 50.0), (Subject::Std, 30.0), (Subject::Usync, 40.0)];
        for (subject, rate) in rates.into_iter().chain([(Subject::Limit, 99.0)]) {
            for value in [rate, rate + 2.0] {
                results.add(subject, 4, &[Reading { metric: Metric::Total, value }]);
            }
            let reads = Reading { metric: Metric::Reads, value: rate / 2.0 };
            results.add(subject, 4, &[reads]);
        }
        results
    }

    #[test]
    fn results_keep_each_sample() {
        let series = results().get(Subject::Std, 4, Metric::Total).cloned();
        assert_eq!(series.expect("a series").samples, [30.0, 32.0]);
    }

    #[test]
    fn results_compare_with_peers_and_not_with_floors() {
        assert_eq!(results().best_peer(4, Metric::Total), Some((Subject::Usync, 41.0)));
        assert_eq!(results().best_peer(8, Metric::Total), None);
    }

    #[test]
    fn results_know_who_took_part() {
        let subjects = results().subjects();
        assert_eq!(subjects, [Subject::Rwsem, Subject::Std, Subject::Usync, Subject::Limit]);
        assert_eq!(results().threads(), [4]);
    }

    #[test]
    fn results_share_of_a_kind_is_of_the_total() {
        let share = results().share(Subject::Rwsem, 4, Metric::Reads).expect("a share");
        assert!((share - 25.0 / 51.0).abs() < 1e-12);
    }
}
