//! How simulated figures are shown.

use super::study::Figures;
use crate::report::{Grid, figure, percent};

/// A lock's runs, one for each seed.
pub(super) type Cell = Vec<Figures>;

/// The titles of the columns behind the name.
const HEAD: [&str; 14] = [
    "kops/s",
    "±%",
    "writes\n%",
    "steps",
    "failed",
    "transfers",
    "far",
    "parks",
    "wakes",
    "clocks",
    "barriers",
    "idle\n%",
    "longest\nµs",
    "slowest\nthread",
];

/// A table of one number of threads.
pub(super) fn of(title: &str, cells: &[(String, Cell)]) -> String {
    let head: Vec<String> = [""].iter().chain(&HEAD).map(|&title| title.to_owned()).collect();
    let mut grid = Grid::of_numbers(&head);
    for (name, runs) in cells {
        grid.row(name, row(runs));
    }
    grid.titled(title)
}

fn row(runs: &[Figures]) -> Vec<String> {
    let each = |value: fn(&Figures) -> f64| median(runs.iter().map(value).collect());
    let count = |value: fn(&Figures) -> u64| {
        let per = runs.iter().map(|run| value(run) as f64 / run.done.max(1) as f64);
        short(median(per.collect()))
    };
    vec![
        figure(each(|run| run.rate / 1e3)),
        format!("{:.0}", 100.0 * spread(runs)),
        percent(each(|run| run.writes as f64 / (run.reads + run.writes).max(1) as f64)),
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
        figure(each(|run| run.least as f64)),
    ]
}

/// Half the range of the rates, as a share of their median.
pub(super) fn spread(runs: &[Figures]) -> f64 {
    let rates = || runs.iter().map(|run| run.rate);
    let range = rates().fold(0.0, f64::max) - rates().fold(f64::INFINITY, f64::min);
    range / 2.0 / median(rates().collect()).max(f64::MIN_POSITIVE)
}

/// The value in the middle.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A count an operation.
fn short(count: f64) -> String {
    if count == 0.0 {
        return "0".to_owned();
    }
    if count < 0.01 { format!("{count:.4}") } else { format!("{count:.2}") }
}
