//! One place of the plane: which locks are compared, and whether ours holds it.

use std::time::Duration;

use crate::experiments::Cell;
use crate::stats::{Dues, Metric, Results, ratio};
use crate::subjects::{Role, Subject};

/// A rate of at least this share of the best fair peer's rate is level with it.
const LEVEL: f64 = 0.95;
/// A rate of at least this share suffices where the processors are spared.
const NEARLY: f64 = 0.8;
/// Processors are spared if a section takes at most this share of the peer's processor time.
const SPARED: f64 = 0.75;

/// The figures of one lock at a place: medians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Figures {
    pub(super) rate: f64,
    /// User and system time of a section, in µs.
    pub(super) cpu: Option<f64>,
    /// Processors busy.
    pub(super) busy: Option<f64>,
    /// The longest wait, in µs.
    pub(super) wait: Option<f64>,
    /// The share of reads that begin beside another reader.
    pub(super) together: Option<f64>,
}

/// A place, and its figures.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(super) cell: Cell,
    /// Our lock, if it took part.
    pub(super) ours: Option<Figures>,
    /// Whether our lock gives every thread and each kind its due.
    pub(super) fair: bool,
    /// The best of the fair peers: they give every thread and each kind its due.
    pub(super) best: Option<(Subject, Figures)>,
    /// The peers that are not fair.
    pub(super) unfair: Vec<Subject>,
}

/// The verdict on our lock at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Level or ahead.
    Level,
    /// Nearly level, at less processor time.
    Sparing,
    /// Behind.
    Lost,
    /// Our lock starves a thread or a kind there, so its rate says nothing.
    Unfair,
}

impl Verdict {
    /// The rule: our rate and our processor time a section, over those of the best fair peer.
    pub(super) fn of(rate: f64, cpu: Option<f64>) -> Self {
        let spared = cpu.is_some_and(|cpu| cpu <= SPARED);
        if rate >= LEVEL {
            Self::Level
        } else if rate >= NEARLY && spared {
            Self::Sparing
        } else {
            Self::Lost
        }
    }

    pub(super) fn holds(self) -> bool {
        matches!(self, Self::Level | Self::Sparing)
    }
}

impl Measured {
    /// From all samples of one cell.
    pub(crate) fn new(cell: Cell, results: &Results, window: Duration, cpus: usize) -> Self {
        let dues = |subject| dues(cell, results, subject, window, cpus);
        let given = |subject| dues(subject).is_some_and(Dues::are_given);
        let is_peer = |subject: &Subject| subject.role() == Role::Peer;
        let (fair, unfair): (Vec<_>, Vec<_>) =
            results.subjects().into_iter().filter(is_peer).partition(|&peer| given(peer));
        let known = |peer| Some((peer, Figures::of(results, peer, cell.threads)?));
        let best = fair.into_iter().filter_map(known);
        Self {
            cell,
            ours: Figures::of(results, Subject::Rwsem, cell.threads),
            fair: given(Subject::Rwsem),
            best: best.max_by(|one, other| one.1.rate.total_cmp(&other.1.rate)),
            unfair,
        }
    }

    /// Our rate over the best fair peer's.
    pub(super) fn ratio(&self) -> Option<f64> {
        let (_, best) = self.best?;
        ratio(Some(self.ours?.rate), Some(best.rate))
    }

    /// Our processor time a section over the best fair peer's.
    pub(super) fn cpu_ratio(&self) -> Option<f64> {
        ratio(self.ours?.cpu, self.best?.1.cpu)
    }

    /// Whether we hold the place, where there is a fair peer to compare with.
    pub(super) fn verdict(&self) -> Option<Verdict> {
        let ratio = self.ratio()?;
        Some(if self.fair { Verdict::of(ratio, self.cpu_ratio()) } else { Verdict::Unfair })
    }
}

impl Figures {
    fn of(results: &Results, subject: Subject, threads: usize) -> Option<Self> {
        let median = |metric| results.median(subject, threads, metric);
        Some(Self {
            rate: median(Metric::Total)?,
            // Seconds for a million sections are µs for one.
            cpu: median(Metric::CpuSecondsPerMop),
            busy: median(Metric::ProcessorsBusy),
            wait: median(Metric::WaitMax),
            together: median(Metric::Together),
        })
    }
}

/// The input of the rule of fairness; `None` for a lock under which nothing was done.
fn dues(
    cell: Cell,
    results: &Results,
    subject: Subject,
    window: Duration,
    cpus: usize,
) -> Option<Dues> {
    let threads = cell.threads;
    let each = results.median(subject, threads, Metric::ThreadMean)? * window.as_secs_f64();
    Some(Dues {
        each,
        running: running(window, cpus, threads),
        least: results.median(subject, threads, Metric::ThreadMinOverMean)?,
        threads,
        asked: cell.writes / 100.0,
        done: results.share(subject, threads, Metric::Writes)?,
    })
}

/// How long each thread can run in a sample. In whole nanoseconds: the least time that tells is
/// compared with it, and is often met exactly.
fn running(window: Duration, cpus: usize, threads: usize) -> Duration {
    let times = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    window.saturating_mul(times(cpus.min(threads))) / times(threads.max(1))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stats::Reading;

    /// A place where our rate is `ratio` times the rate of `std`.
    pub(in super::super) fn place(hold: u64, pause: u64, threads: usize, ratio: f64) -> Measured {
        let (hold, pause) = (Duration::from_micros(hold), Duration::from_micros(pause));
        let cell = Cell { hold, pause, threads, writes: 10.0 };
        let busy = Some(1.1);
        let ours = Figures { rate: 1e6 * ratio, busy, ..Figures::default() };
        let best = Figures { rate: 1e6, busy: Some(2.0), ..Figures::default() };
        let best = Some((Subject::Std, best));
        Measured { cell, ours: Some(ours), fair: true, best, unfair: Vec::new() }
    }

    #[test]
    fn cell_holds_if_level_or_nearly_so_and_sparing() {
        let rule = |rate, cpu| Verdict::of(rate, Some(cpu));
        assert_eq!(rule(0.95, 2.0), Verdict::Level);
        assert_eq!(rule(0.94, 0.76), Verdict::Lost);
        assert_eq!(rule(0.94, 0.75), Verdict::Sparing);
        assert_eq!(rule(0.8, 0.5), Verdict::Sparing);
        assert_eq!(rule(0.79, 0.1), Verdict::Lost);
        assert_eq!(Verdict::of(0.9, None), Verdict::Lost);
        assert!(Verdict::Sparing.holds() && Verdict::Level.holds() && !Verdict::Lost.holds());
    }

    #[test]
    fn cell_is_compared_with_the_best_peer_that_starves_nobody() {
        let cell = place(1, 0, 2, 1.0).cell;
        let mut results = Results::default();
        let rows = [(Subject::Rwsem, 90.0, 0.9), (Subject::Std, 100.0, 0.8)];
        for (subject, total, least) in rows.into_iter().chain([(Subject::Usync, 500.0, 0.01)]) {
            let values = [
                (Metric::Total, Some(total * 1e3)),
                (Metric::Writes, Some(total * 1e2)),
                (Metric::ThreadMean, Some(total * 5e2)),
                (Metric::ThreadMinOverMean, Some(least)),
                (Metric::CpuSecondsPerMop, Some(1.0)),
            ];
            results.add(subject, 2, &Reading::known(values));
        }
        let measured = Measured::new(cell, &results, Duration::from_millis(40), 2);
        assert_eq!(measured.best.map(|(peer, _)| peer), Some(Subject::Std));
        assert_eq!(measured.unfair, [Subject::Usync]);
        assert_eq!((measured.ratio(), measured.cpu_ratio()), (Some(0.9), Some(1.0)));
        assert_eq!((measured.verdict(), measured.fair), (Some(Verdict::Lost), true));
    }

    #[test]
    fn cell_does_not_hold_where_ours_starves_somebody() {
        let unfair = Measured { fair: false, ..place(1, 0, 2, 2.0) };
        assert_eq!(unfair.verdict(), Some(Verdict::Unfair));
        assert!(!Verdict::Unfair.holds());
    }

    #[test]
    fn cell_gives_each_thread_half_of_a_processor_whatever_their_number() {
        let window = Duration::from_millis(20);
        for cpus in 1..=256 {
            assert_eq!(running(window, cpus, 2 * cpus), window / 2, "{cpus}");
        }
    }

    #[test]
    fn cell_without_a_fair_peer_is_not_judged() {
        let alone = Measured { best: None, ..place(1, 0, 2, 1.0) };
        assert_eq!((alone.ratio(), alone.verdict()), (None, None));
    }
}
