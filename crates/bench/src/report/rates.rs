//! The table of total rates, subjects down and numbers of threads across.

use super::grid::Grid;
use super::numbers::{self, NONE, kops, or_none, percent, times, with_spread};
use super::published::Published;
use crate::stats::{Metric, Results, Series, ratio};
use crate::subjects::{Role, Subject};

/// Numbers of threads side by side; more go into a table below.
const ABREAST: usize = 4;

/// What stands beside a rate and its ratio to the best peer's.
#[derive(Clone, Copy)]
pub(super) enum Beside {
    /// The ratio to the floor on one word.
    Limit,
    /// The share of writers, where a floor's rate is nothing to be reached.
    Writers,
}

/// The table, in as many parts as it needs, and the source's rows with it where they are wanted.
pub(super) fn tables(
    title: &str,
    results: &Results,
    beside: Beside,
    published: Option<&Published>,
) -> String {
    let threads = results.threads();
    let parts = threads.chunks(ABREAST).map(|abreast| part(results, abreast, beside, published));
    let parts: Vec<String> = parts.map(|grid| grid.titled(title)).collect();
    let note = published.map_or_else(String::new, |published| format!("\n{}", published.note));
    format!("{}{note}", parts.join("\n"))
}

fn part(
    results: &Results,
    abreast: &[usize],
    beside: Beside,
    published: Option<&Published>,
) -> Grid {
    let mut head = vec![String::new()];
    for &threads in abreast {
        head.push(format!("{}\nkops/s ±%", numbers::threads(&[threads])));
        head.extend(["×best\npeer", beside.title()].map(str::to_owned));
    }
    let mut grid = Grid::of_numbers(&head).grouped(3);
    for subject in results.subjects() {
        let cells = abreast.iter().flat_map(|&threads| cells(results, subject, threads, beside));
        grid.row(subject.name(), cells);
    }
    for row in published.map_or(&[][..], |published| published.rows) {
        let cells = abreast
            .iter()
            .flat_map(|&threads| [or_none(row.at(threads), kops), String::new(), String::new()]);
        grid.row(row.label, cells);
    }
    grid
}

/// One subject at one number of threads.
fn cells(results: &Results, subject: Subject, threads: usize, beside: Beside) -> [String; 3] {
    let Some(total) = results.get(subject, threads, Metric::Total) else {
        return [NONE, NONE, NONE].map(str::to_owned);
    };
    let best = results.best_peer(threads, Metric::Total).map(|(_, rate)| rate);
    // Where sections exclude each other, a floor that lets them overlap is compared with nothing.
    let compared = !(subject.role() == Role::Floor && matches!(beside, Beside::Writers));
    let to_best = ratio(total.median(), best).filter(|_| compared);
    [with_spread(total, kops), or_none(to_best, times), beside.cell(results, total)]
}

impl Beside {
    fn title(self) -> &'static str {
        match self {
            Self::Limit => "×\nlimit",
            Self::Writers => "writes\n%",
        }
    }

    fn cell(self, results: &Results, total: &Series) -> String {
        let (subject, threads) = (total.subject, total.threads);
        match self {
            Self::Limit => {
                let limit = results.median(Subject::Limit, threads, Metric::Total);
                or_none(ratio(total.median(), limit), times)
            }
            Self::Writers => or_none(results.share(subject, threads, Metric::Writes), percent),
        }
    }
}
