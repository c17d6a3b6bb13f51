//! Sleeping readers behind a writer: tables and words.

use super::columns::{self, Cell, Column};
use super::numbers::figure;
use super::standing;
use crate::stats::{Metric, Results};

/// A table for each number of readers.
pub(crate) fn tables(results: &Results) -> String {
    let each = results.threads().into_iter().map(|readers| table(results, readers));
    let note = "wake calls: system calls that wake, where a lock counts them (rwsem-calls is rwsem \
                on a platform that does); –: nobody counts those of this lock";
    each.chain([note.to_owned()]).collect::<Vec<_>>().join("\n")
}

const COLUMNS: [Column; 5] = [
    ("unlock\nµs ±%", Cell::Spread(Metric::WakerUnlock, figure)),
    ("last reader\nµs ±%", Cell::Spread(Metric::LastReader, figure)),
    ("×best\npeer", Cell::ToBestPeer(Metric::LastReader)),
    ("wake calls\na reader", Cell::Median(Metric::WakesPerReader, figure)),
    ("most of\none thread", Cell::Median(Metric::MostWakes, figure)),
];

fn table(results: &Results, readers: usize) -> String {
    let grid = columns::table(results, readers, &COLUMNS);
    let noun = if readers == 1 { "reader" } else { "readers" };
    grid.titled(&format!("A writer leaves; {readers} {noun} asleep behind it; less is better"))
}

/// Where we stand.
pub(crate) fn words(results: &Results) -> Vec<String> {
    let what = [
        ("Sleeping readers, the writer's unlock", Metric::WakerUnlock),
        ("Sleeping readers, until the last is in", Metric::LastReader),
    ];
    what.into_iter()
        .filter_map(|(what, metric)| standing::sentence(what, results, metric))
        .map(|sentence| sentence.replace(" threads", " readers").replace(" thread ", " reader "))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;
    use crate::subjects::Subject;

    fn results() -> Results {
        let mut results = Results::default();
        for (subject, unlock, last) in [(Subject::Rwsem, 2.0, 90.0), (Subject::Std, 20.0, 100.0)] {
            let values = [(Metric::WakerUnlock, Some(unlock)), (Metric::LastReader, Some(last))];
            results.add(subject, 16, &Reading::known(values));
        }
        results
    }

    #[test]
    fn wakeups_table_has_a_dash_for_calls_that_nobody_counts() {
        let table = tables(&results());
        let row = table.lines().find(|line| line.starts_with("rwsem ")).expect("our row");
        insta::assert_snapshot!(row.split_whitespace().collect::<Vec<_>>().join(" "), @"rwsem 2.00 90.0 0.90 – –");
        assert!(table.contains("16 readers asleep"));
    }

    #[test]
    fn wakeups_words_know_that_less_is_better() {
        insta::assert_snapshot!(words(&results()).join("\n"), @r"
        Sleeping readers, the writer's unlock: ahead of every peer at 16 readers (0.10 × std)
        Sleeping readers, until the last is in: ahead of every peer at 16 readers (0.90 × std)
        ");
    }
}
