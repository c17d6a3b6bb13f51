//! The uncontended experiment: tables and words.

use super::columns::{self, Cell, Column};
use super::numbers::{figure, times};
use super::standing;
use crate::stats::{Metric, Results, ratio};
use crate::subjects::Subject;

/// Both pairs, each with its ratio to the floor's pair and to the best peer's.
pub(crate) fn tables(results: &Results, published: bool) -> String {
    let title = "Uncontended: a pair (take and leave) in cycles of the counter; less is better";
    let mut out: Vec<String> =
        results.threads().into_iter().map(|threads| table(results, threads, title)).collect();
    if published {
        out.push("The sources have no figures for this table.".to_owned());
    }
    out.join("\n")
}

const COLUMNS: [Column; 6] = [
    ("read pair\ncycles ±%", Cell::Spread(Metric::ReadPair, figure)),
    ("×\nlimit", Cell::To(Subject::Limit, Metric::ReadPair, times)),
    ("×best\npeer", Cell::ToBestPeer(Metric::ReadPair)),
    ("write pair\ncycles ±%", Cell::Spread(Metric::WritePair, figure)),
    ("×\nlimit", Cell::To(Subject::Limit, Metric::WritePair, times)),
    ("×best\npeer", Cell::ToBestPeer(Metric::WritePair)),
];

fn table(results: &Results, threads: usize, title: &str) -> String {
    let each = if threads == 1 {
        String::new()
    } else {
        format!(" ({threads} threads, each with a lock of its own)")
    };
    let grid = columns::table(results, threads, &COLUMNS).grouped(3);
    grid.titled(&format!("{title}{each}"))
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
