//! A load that changes, beside its corners alone: tables and words.

use super::columns::{self, Cell as Shown, Column};
use super::grid::Grid;
use super::numbers::{self, NONE, figure, kops, or_none, times, with_spread};
use super::plane::time;
use super::{pressure as under_pressure, standing};
use crate::experiments::Cell;
use crate::stats::{Metric, Reading, Results, ratio};
use crate::subjects::{Role, Subject};

/// The results at one number of threads.
pub(crate) struct Measured {
    /// Each corner alone.
    pub(crate) alone: Vec<(Cell, Results)>,
    /// All corners in turn.
    pub(crate) changing: Results,
}

impl Measured {
    /// From all samples; compares the rates round by round.
    pub(crate) fn new(alone: Vec<(Cell, Results)>, mut changing: Results) -> Self {
        let totals = changing.series.iter().filter(|series| series.metric == Metric::Total);
        for series in totals.cloned().collect::<Vec<_>>() {
            for (round, &rate) in series.samples.iter().enumerate() {
                let rate_alone = |(_, results): &(Cell, Results)| {
                    let alone = results.get(series.subject, series.threads, Metric::Total)?;
                    alone.samples.get(round).copied()
                };
                let sum = alone.iter().map(rate_alone).sum::<Option<f64>>();
                let mean = sum.map(|sum| sum / alone.len() as f64);
                let kept = ratio(Some(rate), mean);
                let compared = [(Metric::MeanAlone, mean), (Metric::Kept, kept)];
                changing.add(series.subject, series.threads, &Reading::known(compared));
            }
        }
        Self { alone, changing }
    }

    /// The rate in this corner alone, and the share of it that is kept while the load changes.
    fn corner(&self, at: usize, subject: Subject, threads: usize) -> (Option<f64>, Option<f64>) {
        let alone = self.alone[at].1.median(subject, threads, Metric::Total);
        (alone, ratio(self.changing.median(subject, threads, Metric::AtCorner(at)), alone))
    }
}

const COLUMNS: [Column; 7] = [
    ("alone, mean\nkops/s ±%", Shown::Spread(Metric::MeanAlone, kops)),
    ("changing\nkops/s ±%", Shown::Spread(Metric::Total, kops)),
    ("kept\n±%", Shown::Spread(Metric::Kept, times)),
    ("×best\npeer", Shown::LockToBestPeer(Metric::Total)),
    columns::SLOWEST_THREAD,
    columns::LONGEST_WAIT,
    columns::CPU_TIME,
];

/// The table of the whole load, and the table of its corners.
pub(crate) fn tables(measured: &Measured) -> String {
    let changing = &measured.changing;
    let each = changing.threads().into_iter().map(|threads| {
        let many = numbers::threads(&[threads]);
        let all = columns::table(changing, threads, &COLUMNS);
        let all = all.titled(&format!("A load that changes, {many}: kept = changing / alone"));
        let corners = corners(measured, threads);
        let title = format!("Its corners, {many}: hold, pause, writes; kept = changing / alone");
        format!("{all}\n{}", corners.titled(&title))
    });
    each.collect::<Vec<_>>().join("\n")
}

fn corners(measured: &Measured, threads: usize) -> Grid {
    let subjects = measured.changing.subjects();
    let names = subjects
        .iter()
        .flat_map(|subject| [format!("{}\nalone kops/s ±%", subject.name()), "\nkept".to_owned()]);
    let head: Vec<String> = [String::new()].into_iter().chain(names).collect();
    let mut grid = Grid::of_numbers(&head).grouped(2);
    for (at, (corner, alone)) in measured.alone.iter().enumerate() {
        let cells = subjects.iter().flat_map(|&subject| {
            let alone = alone.get(subject, threads, Metric::Total);
            let rate = alone.map_or_else(|| NONE.to_owned(), |alone| with_spread(alone, kops));
            [rate, or_none(measured.corner(at, subject, threads).1, times)]
        });
        grid.row(&name(*corner), cells);
    }
    grid
}

/// How the threads fared under the load that changes, and what they cost.
pub(crate) fn pressure(measured: &Measured) -> String {
    under_pressure::tables(&measured.changing, "A load that changes", "sections", None)
}

/// The share that each lock keeps, where we stand, and the corner in which we keep least.
pub(crate) fn words(measured: &[Measured]) -> Vec<String> {
    let mut changing = Results::default();
    for one in measured {
        changing.extend(one.changing.clone());
    }
    let rate = standing::sentence("A load that changes, rate", &changing, Metric::Total);
    kept(&changing).into_iter().chain(rate).chain(least(measured)).collect()
}

fn kept(changing: &Results) -> Option<String> {
    let threads = changing.threads();
    let locks = changing.subjects().into_iter().filter(|one| one.role() != Role::Floor);
    let told: Vec<String> = locks
        .map(|lock| {
            let kept = |&number| or_none(changing.median(lock, number, Metric::Kept), times);
            format!("{} {}", lock.name(), threads.iter().map(kept).collect::<Vec<_>>().join(", "))
        })
        .collect();
    let head = "A load that changes, rate over the mean of the corners alone";
    let at = numbers::threads(&threads);
    (!told.is_empty()).then(|| format!("{head}, at {at}: {}", told.join("; ")))
}

/// The corner in which our lock falls furthest behind its rate alone.
fn least(measured: &[Measured]) -> Option<String> {
    let each = measured.iter().flat_map(|one| {
        one.alone.iter().enumerate().filter_map(move |(at, (corner, _))| {
            let (alone, kept) = one.corner(at, Subject::Rwsem, corner.threads);
            Some((corner, alone?, kept?))
        })
    });
    let (corner, alone, kept) = each.min_by(|one, other| one.2.total_cmp(&other.2))?;
    Some(format!(
        "A load that changes, least kept by rwsem in a corner: {} × its {} sections/s alone \
         ({}, {})",
        times(kept),
        figure(alone),
        in_words(*corner),
        numbers::threads(&[corner.threads]),
    ))
}

fn in_words(Cell { hold, pause, writes, .. }: Cell) -> String {
    format!("{} holds, pauses of {}, {writes} % writes", time(hold), time(pause))
}

/// A corner's name in the table.
fn name(Cell { hold, pause, writes, .. }: Cell) -> String {
    format!("{}, {}, {writes} %", time(hold), time(pause))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Two corners alone, with these rates in two rounds, and both in turn.
    fn measured() -> Measured {
        let results = |metrics: &[Metric], rounds: [&[f64]; 2]| {
            let mut results = Results::default();
            for (subject, times) in [(Subject::Rwsem, 1.0), (Subject::Std, 0.5)] {
                for values in rounds {
                    let values = values.iter().map(|value| Some(value * times));
                    let readings = Reading::known(metrics.iter().copied().zip(values));
                    results.add(subject, 4, &readings);
                }
            }
            results
        };
        let corner = |hold, writes| {
            let hold = Duration::from_nanos(hold);
            Cell { hold, pause: Duration::ZERO, threads: 4, writes }
        };
        let alone = |rounds| results(&[Metric::Total], rounds);
        let in_turn = [Metric::Total, Metric::AtCorner(0), Metric::AtCorner(1)];
        Measured::new(
            vec![
                (corner(50, 100.0), alone([&[9e6], &[20e6]])),
                (corner(10_000, 1.0), alone([&[1e6], &[2e6]])),
            ],
            results(&in_turn, [&[4e6, 4e6, 4e6], &[8.8e6, 8.8e6, 8.8e6]]),
        )
    }

    #[test]
    fn changes_keep_a_share_of_the_mean_of_each_round() {
        let measured = measured();
        let samples = |metric| {
            let series = measured.changing.get(Subject::Rwsem, 4, metric);
            series.expect("a series").samples.clone()
        };
        assert_eq!(samples(Metric::MeanAlone), [5e6, 11e6]);
        assert_eq!(samples(Metric::Kept), [0.8, 0.8]);
    }

    #[test]
    fn changes_are_told_with_the_corner_that_loses_most() {
        insta::assert_snapshot!(words(&[measured()]).join("\n"), @r"
        A load that changes, rate over the mean of the corners alone, at 4 threads: rwsem 0.80; std 0.80
        A load that changes, rate: ahead of every peer at 4 threads (2.00 × std)
        A load that changes, least kept by rwsem in a corner: 0.44 × its 14,500,000 sections/s alone (50 ns holds, pauses of 0, 100 % writes, 4 threads)
        ");
    }

    #[test]
    fn changes_have_a_row_for_each_corner() {
        let tables = tables(&measured());
        let row = tables.lines().find(|line| line.starts_with("10 µs, 0, 1 %")).expect("a row");
        insta::assert_snapshot!(row.split_whitespace().collect::<Vec<_>>().join(" "), @"10 µs, 0, 1 % 1,500 ±33 4.27 750 ±33 4.27");
    }
}
