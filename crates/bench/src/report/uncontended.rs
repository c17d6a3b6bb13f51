//! The uncontended experiment, shown and told.

use super::grid::Grid;
use super::numbers::{NONE, figure, or_none, times, with_spread};
use super::standing;
use crate::stats::{Metric, Results, ratio};
use crate::subjects::Subject;

/// Both pairs, with what each is to the floor and to the best peer.
pub(crate) fn tables(results: &Results, published: bool) -> String {
    let title = "Uncontended: a pair (take and leave) in cycles of the counter; less is better";
    let mut out: Vec<String> =
        results.threads().into_iter().map(|threads| table(results, threads, title)).collect();
    if published {
        out.push("The sources have no figures for this table.".to_owned());
    }
    out.join("\n")
}

fn table(results: &Results, threads: usize, title: &str) -> String {
    let head = ["", "read pair\ncycles ±%", "×\nlimit", "×best\npeer"];
    let head = head.into_iter().chain(["write pair\ncycles ±%", "×\nlimit", "×best\npeer"]);
    let mut grid = Grid::of_numbers(&head.map(str::to_owned).collect::<Vec<_>>()).grouped(3);
    for subject in results.subjects() {
        let pairs = [Metric::ReadPair, Metric::WritePair];
        let cells = pairs.into_iter().flat_map(|pair| cells(results, subject, threads, pair));
        grid.row(subject.name(), cells);
    }
    let each = if threads == 1 {
        String::new()
    } else {
        format!(" ({threads} threads, each with a lock of its own)")
    };
    grid.titled(&format!("{title}{each}"))
}

fn cells(results: &Results, subject: Subject, threads: usize, pair: Metric) -> [String; 3] {
    let Some(series) = results.get(subject, threads, pair) else {
        return [NONE, NONE, NONE].map(str::to_owned);
    };
    let limit = results.median(Subject::Limit, threads, pair);
    let best = results.best_peer(threads, pair).map(|(_, cycles)| cycles);
    let times = |base| or_none(ratio(series.median(), base), times);
    [with_spread(series, figure), times(limit), times(best)]
}

/// Where we stand.
pub(crate) fn words(results: &Results) -> Vec<String> {
    let pairs = [
        ("Uncontended read pair, cycles", Metric::ReadPair),
        ("Uncontended write pair, cycles", Metric::WritePair),
    ];
    pairs
        .into_iter()
        .filter_map(|(what, pair)| {
            let sentence = standing::sentence(what, results, pair)?;
            let threads = *results.threads().first()?;
            let cost = |subject| results.median(subject, threads, pair);
            let floor = ratio(cost(Subject::Rwsem), cost(Subject::Limit));
            Some(match floor {
                Some(floor) => format!("{sentence}, and {} × limit", times(floor)),
                None => sentence,
            })
        })
        .collect()
}
