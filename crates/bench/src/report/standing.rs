//! Where we stand against the peers, in words made from the results.

use super::numbers;
use crate::stats::{Better, Metric, Results, extremes, ratio};
use crate::subjects::Subject;

/// Medians that differ by at most this share are level: samples of one lock differ as much.
const LEVEL_WITHIN: f64 = 0.05;

/// Our lock against the best peer at one number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Ahead,
    Level,
    Behind,
    /// The medians are not level, but not all rounds agree.
    Unclear,
}

impl Standing {
    fn of(point: &Point, better: Better) -> Self {
        let gain = match better {
            Better::Higher => point.ratio - 1.0,
            Better::Lower => 1.0 - point.ratio,
        };
        match gain {
            _ if gain.abs() <= LEVEL_WITHIN => Self::Level,
            _ if !point.is_clear => Self::Unclear,
            0.0.. => Self::Ahead,
            _ => Self::Behind,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Ahead => "ahead of every peer",
            Self::Level => "level with the best peer",
            Self::Behind => "behind",
            Self::Unclear => "not clear from these rounds",
        }
    }
}

/// Our median over the best peer's at one number of threads.
struct Point {
    threads: usize,
    peer: Subject,
    ratio: f64,
    /// Whether we were ahead of every peer in each round, or in none. False where a round lacks a
    /// sample.
    is_clear: bool,
}

/// One sentence: at which numbers of threads we are ahead, level, behind, and by how much. `None`
/// where we or all peers took no part.
pub(super) fn sentence(what: &str, results: &Results, metric: Metric) -> Option<String> {
    let points: Vec<Point> = results
        .threads()
        .into_iter()
        .filter_map(|threads| {
            let (peer, best) = results.best_peer(threads, metric)?;
            let ours = results.median(Subject::Rwsem, threads, metric);
            let rounds = results.rounds(threads, metric);
            let (least, greatest) = extremes(&rounds);
            let is_clear = !rounds.is_empty() && (least >= 1.0 || greatest <= 1.0);
            Some(Point { threads, peer, ratio: ratio(ours, Some(best))?, is_clear })
        })
        .collect();
    let standings =
        [Standing::Ahead, Standing::Level, Standing::Behind, Standing::Unclear].into_iter();
    let clauses = standings.filter_map(|standing| {
        let here = |point: &&Point| Standing::of(point, metric.better()) == standing;
        clause(standing, &points.iter().filter(here).collect::<Vec<_>>())
    });
    let clauses: Vec<String> = clauses.collect();
    (!clauses.is_empty()).then(|| format!("{what}: {}", clauses.join("; ")))
}

/// All points of one standing.
fn clause(standing: Standing, points: &[&Point]) -> Option<String> {
    if points.is_empty() {
        return None;
    }
    let threads: Vec<usize> = points.iter().map(|point| point.threads).collect();
    let each = |point: &&Point| format!("{} × {}", numbers::times(point.ratio), point.peer.name());
    let ratios: Vec<String> = points.iter().map(each).collect();
    let (words, threads) = (standing.words(), numbers::threads(&threads));
    Some(format!("{words} at {threads} ({})", ratios.join(", ")))
}

/// One sentence: a change of policy, as the ratio of the rates after and before it.
pub(super) fn change(
    what: &str,
    results: &Results,
    before: Subject,
    after: Subject,
) -> Option<String> {
    let gains: Vec<String> = results
        .threads()
        .into_iter()
        .filter_map(|threads| {
            let rate = |subject| results.median(subject, threads, Metric::Total);
            let gain = ratio(rate(after), rate(before))?;
            Some(format!("{} × at {threads}", numbers::times(gain)))
        })
        .collect();
    (!gains.is_empty()).then(|| format!("{what}: {} threads", gains.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;

    /// Adds a round: our value, and the values of one or two peers.
    fn add_round(results: &mut Results, metric: Metric, threads: usize, values: &[f64]) {
        let subjects = [Subject::Rwsem, Subject::Usync, Subject::Std];
        for (subject, &value) in subjects.into_iter().zip(values) {
            results.add(subject, threads, &[Reading { metric, value }]);
        }
    }

    fn results(metric: Metric, points: &[(usize, f64, f64)]) -> Results {
        let mut results = Results::default();
        for &(threads, ours, peer) in points {
            add_round(&mut results, metric, threads, &[ours, peer]);
        }
        results
    }

    #[test]
    fn standing_is_told_by_number_of_threads() {
        let results = results(Metric::Total, &[(2, 12.0, 10.0), (4, 10.1, 10.0), (8, 5.0, 10.0)]);
        let told = sentence("Rate", &results, Metric::Total).expect("a sentence");
        insta::assert_snapshot!(told, @"Rate: ahead of every peer at 2 threads (1.20 × usync); level with the best peer at 4 threads (1.01 × usync); behind at 8 threads (0.50 × usync)");
    }

    #[test]
    fn standing_knows_that_fewer_cycles_are_better() {
        let results = results(Metric::ReadPair, &[(1, 30.0, 40.0)]);
        let told = sentence("Cost", &results, Metric::ReadPair).expect("a sentence");
        insta::assert_snapshot!(told, @"Cost: ahead of every peer at 1 thread (0.75 × usync)");
    }

    #[test]
    fn standing_is_not_told_where_rounds_differ() {
        let mut results = Results::default();
        add_round(&mut results, Metric::Total, 2, &[4.0, 10.0]);
        add_round(&mut results, Metric::Total, 2, &[13.0, 12.0]);
        let told = sentence("Rate", &results, Metric::Total).expect("a sentence");
        insta::assert_snapshot!(told, @"Rate: not clear from these rounds at 2 threads (0.77 × usync)");
    }

    /// The best by its median is not the best in each round.
    #[test]
    fn standing_ahead_of_every_peer_is_so_in_each_round() {
        let mut results = Results::default();
        for std in [8.0, 8.0, 20.0] {
            add_round(&mut results, Metric::Total, 2, &[10.0, 9.0, std]);
        }
        let told = sentence("Rate", &results, Metric::Total).expect("a sentence");
        insta::assert_snapshot!(told, @"Rate: not clear from these rounds at 2 threads (1.11 × usync)");
    }

    #[test]
    fn standing_is_not_told_where_somebody_is_missing() {
        let mut alone = Results::default();
        alone.add(Subject::Rwsem, 2, &[Reading { metric: Metric::Total, value: 1.0 }]);
        assert_eq!(sentence("Rate", &alone, Metric::Total), None);
    }

    #[test]
    fn standing_of_a_change_is_after_over_before() {
        let results = results(Metric::Total, &[(4, 10.0, 15.0), (8, 10.0, 30.0)]);
        let told = change("Gain", &results, Subject::Rwsem, Subject::Usync).expect("a sentence");
        insta::assert_snapshot!(told, @"Gain: 1.50 × at 4, 3.00 × at 8 threads");
    }
}
