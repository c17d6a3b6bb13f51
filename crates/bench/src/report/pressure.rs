//! Under pressure: one table for every experiment, shown where `--pressure` is given.

use super::grid::Grid;
use super::numbers::{self, figure, or_none};
use crate::stats::{Metric, Results};
use crate::subjects::Subject;

/// Title, metric.
const COLUMNS: [(&str, Metric); 8] = [
    ("thread\nleast/s", Metric::ThreadMin),
    ("thread\nmean/s", Metric::ThreadMean),
    ("thread\nmost/s", Metric::ThreadMax),
    ("wait µs\nlongest", Metric::WaitMax),
    ("wait µs\n99.9 %", Metric::WaitP999),
    ("context\nswitches/s", Metric::ContextSwitches),
    ("user\ns/Mop", Metric::UserSecondsPerMop),
    ("system\ns/Mop", Metric::SystemSecondsPerMop),
];

/// A table for each number of threads. `counts` names the operations that a thread's rates count.
/// `dash` says why a column is empty, if one is.
pub(crate) fn tables(results: &Results, name: &str, counts: &str, dash: Option<&str>) -> String {
    let each = results.threads().into_iter().map(|threads| {
        let title = format!("{name} under pressure, {}: {counts}", numbers::threads(&[threads]));
        let median = |subject, metric| results.median(subject, threads, metric);
        table(&title, &results.subjects(), median)
    });
    let dash = dash.map(|why| format!("{}: {why}", numbers::NONE));
    each.chain(dash).collect::<Vec<_>>().join("\n")
}

/// One table.
pub(super) fn table(
    title: &str,
    subjects: &[Subject],
    median: impl Fn(Subject, Metric) -> Option<f64>,
) -> String {
    let titles = COLUMNS.iter().map(|(title, _)| (*title).to_owned());
    let mut grid = Grid::of_numbers(&[String::new()].into_iter().chain(titles).collect::<Vec<_>>());
    for &subject in subjects {
        let cells = COLUMNS.iter().map(|&(_, metric)| or_none(median(subject, metric), figure));
        grid.row(subject.name(), cells);
    }
    grid.titled(title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;

    #[test]
    fn pressure_table_has_a_dash_for_what_was_not_taken_and_says_why() {
        let mut results = Results::default();
        let values = [(Metric::ThreadMin, Some(1_000.0)), (Metric::UserSecondsPerMop, Some(0.25))];
        results.add(Subject::Rwsem, 2, &Reading::known(values));
        let shown = tables(&results, "E1", "tries that succeeded", Some("nobody waits"));
        let row = shown.lines().find(|line| line.starts_with("rwsem ")).expect("our row");
        insta::assert_snapshot!(row.split_whitespace().collect::<Vec<_>>().join(" "), @"rwsem 1,000 – – – – – 0.25 –");
        assert!(shown.contains("E1 under pressure, 2 threads: tries that succeeded"));
        assert!(shown.ends_with("–: nobody waits"));
    }
}
