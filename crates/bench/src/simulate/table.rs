//! The tables of simulated figures.

use super::study::Figures;
use crate::report::{Grid, figure, or_none, percent};
use crate::stats;

/// A thread with fewer operations says little about its lock.
const FEW: u64 = 20;

/// A lock's runs, one for each seed.
pub(super) type Cell = Vec<Figures>;

/// The titles of the columns behind the name.
const HEAD: [&str; 15] = [
    "kops/s",
    "±%",
    "writes\n%",
    "together\n%",
    "steps",
    "failed",
    "transfers",
    "far",
    "parks",
    "wakes",
    "clocks",
    "barriers",
    "idle\n%",
    "longest\nwait µs",
    "slowest\nthread",
];

/// A table of one number of threads.
pub(super) fn of(title: &str, cells: &[(String, Cell)]) -> String {
    let head: Vec<String> = [""].iter().chain(&HEAD).map(|&title| title.to_owned()).collect();
    let mut grid = Grid::of_numbers(&head);
    for (name, runs) in cells {
        grid.row(name, row(runs));
    }
    grid.titled(title) + &warning(cells)
}

/// A line about threads that did too little, if there are any.
fn warning(cells: &[(String, Cell)]) -> String {
    let few = |runs: &Cell| runs.iter().filter(|run| run.least < FEW).count();
    let concerned = cells.iter().filter(|(_, runs)| few(runs) > 0);
    let names: Vec<&str> = concerned.map(|(name, _)| name.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    let number: usize = cells.iter().map(|(_, runs)| few(runs)).sum();
    let all: usize = cells.iter().map(|(_, runs)| runs.len()).sum();
    format!(
        "\nIn {number} of {all} runs a thread made fewer than {FEW} operations ({}): use a longer \
         --ms.",
        names.join(", ")
    )
}

fn row(runs: &[Figures]) -> Vec<String> {
    let each = |value: fn(&Figures) -> f64| median(runs, value);
    let count = |value: fn(&Figures) -> u64| {
        short(median(runs, |run| value(run) as f64 / run.begun.max(1) as f64))
    };
    vec![
        figure(each(|run| run.rate / 1e3)),
        spread(runs),
        percent(each(|run| run.writes as f64 / (run.reads + run.writes).max(1) as f64)),
        percent(each(|run| run.together as f64 / run.reads.max(1) as f64)),
        count(|run| run.counts.steps),
        count(|run| run.counts.failed),
        count(|run| run.counts.transfers),
        count(|run| run.counts.far),
        count(|run| run.counts.parks),
        count(|run| run.counts.wakes),
        count(|run| run.counts.clocks),
        count(|run| run.counts.barriers),
        percent(each(|run| run.idle)),
        figure(each(|run| run.longest as f64 / 1e3)),
        whole(each(|run| run.least as f64)),
    ]
}

/// How far the rates lie apart, in percent of their median; a dash where there is one rate.
pub(super) fn spread(runs: &[Figures]) -> String {
    let rates: Vec<f64> = runs.iter().map(|run| run.rate).collect();
    or_none(stats::spread(&rates), |spread| format!("{:.0}", 100.0 * spread))
}

/// The median of a value over the runs.
pub(super) fn median(runs: &[Figures], value: impl Fn(&Figures) -> f64) -> f64 {
    let values: Vec<f64> = runs.iter().map(value).collect();
    stats::median(&values).unwrap_or(f64::NAN)
}

/// A number without digits behind the point.
fn whole(value: f64) -> String {
    if value < 100.0 { format!("{value:.0}") } else { figure(value) }
}

/// A count per operation.
fn short(count: f64) -> String {
    if count == 0.0 {
        return "0".to_owned();
    }
    if count < 0.01 { format!("{count:.4}") } else { format!("{count:.2}") }
}
