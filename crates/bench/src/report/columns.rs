//! A table as a list of columns: subjects down, and the columns once for each number of threads.

use super::grid::Grid;
use super::numbers::{self, figure, or_none, percent, times, with_spread};
use crate::stats::{Metric, Results, ratio};
use crate::subjects::{Role, Subject};

/// A column: its title and its cells.
pub(super) type Column = (&'static str, Cell);

/// A number as people read it.
type Text = fn(f64) -> String;

pub(super) const SLOWEST_THREAD: Column =
    ("thread\nmin/mean", Cell::Median(Metric::ThreadMinOverMean, times));
pub(super) const LONGEST_WAIT: Column = ("wait µs\nlongest", Cell::Median(Metric::WaitMax, figure));
pub(super) const WAIT_P999: Column = ("wait µs\n99.9 %", Cell::Median(Metric::WaitP999, figure));
pub(super) const SWITCHES: Column =
    ("context\nswitches/s", Cell::Median(Metric::ContextSwitches, figure));
pub(super) const CPU_TIME: Column =
    ("user+sys\ns/Mop", Cell::Median(Metric::CpuSecondsPerMop, figure));

/// A column's cell for one subject at one number of threads.
#[derive(Clone, Copy)]
pub(super) enum Cell {
    /// The median and the spread.
    Spread(Metric, Text),
    /// The median.
    Median(Metric, Text),
    /// The median for each thread.
    OfEach(Metric, Text),
    /// The median over the best peer's.
    ToBestPeer(Metric),
    /// The median over the best peer's. A floor lets sections overlap, and is compared with
    /// nothing.
    LockToBestPeer(Metric),
    /// The median over this subject's.
    To(Subject, Metric, Text),
    /// The share of all sections, in percent.
    Share(Metric),
}

/// A table of one number of threads.
pub(super) fn table(results: &Results, threads: usize, columns: &[Column]) -> Grid {
    let titles = columns.iter().map(|(title, _)| (*title).to_owned());
    filled(results, &[threads], columns, titles.collect())
}

/// A table of several numbers of threads, each of them above its first column.
pub(super) fn abreast(results: &Results, threads: &[usize], columns: &[Column]) -> Grid {
    let lines = |title: &str| title.lines().count();
    let height = columns.iter().map(|(title, _)| lines(title)).max().unwrap_or(0);
    let height = columns.first().map_or(0, |(title, _)| height.max(lines(title) + 1));
    let titles = threads.iter().flat_map(|&threads| {
        columns.iter().enumerate().map(move |(at, (title, _))| {
            let over = if at == 0 { numbers::threads(&[threads]) } else { String::new() };
            format!("{over}{}{title}", "\n".repeat(height - lines(title)))
        })
    });
    filled(results, threads, columns, titles.collect()).grouped(columns.len())
}

fn filled(results: &Results, threads: &[usize], columns: &[Column], titles: Vec<String>) -> Grid {
    let head: Vec<String> = [String::new()].into_iter().chain(titles).collect();
    let mut grid = Grid::of_numbers(&head);
    for subject in results.subjects() {
        let each = threads.iter().flat_map(|&threads| columns.iter().map(move |it| (it, threads)));
        grid.row(
            subject.name(),
            each.map(|((_, cell), threads)| cell.of(results, subject, threads)),
        );
    }
    grid
}

impl Cell {
    fn of(self, results: &Results, subject: Subject, threads: usize) -> String {
        let median = |subject, metric| results.median(subject, threads, metric);
        let to_best = |metric| {
            let best = results.best_peer(threads, metric).map(|(_, best)| best);
            ratio(median(subject, metric), best)
        };
        match self {
            Self::Spread(metric, text) => match results.get(subject, threads, metric) {
                Some(series) => with_spread(series, text),
                None => numbers::NONE.to_owned(),
            },
            Self::Median(metric, text) => or_none(median(subject, metric), text),
            Self::OfEach(metric, text) => {
                or_none(median(subject, metric).map(|all| all / threads as f64), text)
            }
            Self::ToBestPeer(metric) => or_none(to_best(metric), times),
            Self::LockToBestPeer(metric) => {
                or_none(to_best(metric).filter(|_| subject.role() != Role::Floor), times)
            }
            Self::To(base, metric, text) => {
                or_none(ratio(median(subject, metric), median(base, metric)), text)
            }
            Self::Share(metric) => or_none(results.share(subject, threads, metric), percent),
        }
    }
}
