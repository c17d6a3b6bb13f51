//! Sections by their length: tables and words.

use super::columns::{self, Cell, Column};
use super::numbers::{self, figure, times};
use super::{mixed, standing};
use crate::stats::{Metric, Results, ratio};
use crate::subjects::{Role, Subject};

/// A lock collapses if its rate is less than this share of its rate with the fewest threads.
const COLLAPSES_BELOW: f64 = 0.5;

/// A table for each number of threads; `label` describes the sections.
pub(crate) fn tables(results: &Results, label: &str) -> String {
    let each = results.threads().into_iter().map(|threads| table(results, label, threads));
    each.collect::<Vec<_>>().join("\n")
}

const COLUMNS: [Column; 8] = [
    ("sections\n/s ±%", Cell::Spread(Metric::Total, figure)),
    ("×best\npeer", Cell::ToBestPeer(Metric::Total)),
    ("writes\n%", Cell::Share(Metric::Writes)),
    columns::SLOWEST_THREAD,
    columns::LONGEST_WAIT,
    columns::WAIT_P999,
    columns::SWITCHES,
    columns::CPU_TIME,
];

fn table(results: &Results, label: &str, threads: usize) -> String {
    let grid = columns::table(results, threads, &COLUMNS);
    grid.titled(&format!("{}: {label}", capital(&numbers::threads(&[threads]))))
}

/// Where we stand, which locks collapse, and which starve a kind of section.
pub(crate) fn words(results: &Results, label: &str) -> Vec<String> {
    let label = capital(label);
    let standings = [("rate", Metric::Total), ("longest wait", Metric::WaitMax)];
    let standings = standings.into_iter().filter_map(|(what, metric)| {
        standing::sentence(&format!("{label}, {what}"), results, metric)
    });
    let starved = match results.threads().iter().any(|&threads| both_kinds(results, threads)) {
        true => mixed::starvation(&label, results),
        false => None,
    };
    standings.chain(collapses(results, &label)).chain(starved).collect()
}

/// Whether there were reads and writes at all.
fn both_kinds(results: &Results, threads: usize) -> bool {
    let done = |metric| {
        let subjects = results.subjects().into_iter();
        subjects.filter_map(|one| results.median(one, threads, metric)).any(|rate| rate > 0.0)
    };
    done(Metric::Reads) && done(Metric::Writes)
}

/// Which locks do much less with many threads than with the fewest. A floor is no lock.
fn collapses(results: &Results, label: &str) -> Option<String> {
    let threads = results.threads();
    let &fewest = threads.iter().min()?;
    let kept = |subject, threads| {
        let rate = |threads| results.median(subject, threads, Metric::Total);
        ratio(rate(threads), rate(fewest))
    };
    let worst = |subject: Subject| {
        let more = threads.iter().filter(|&&number| number != fewest);
        let kept = more.filter_map(|&number| Some((kept(subject, number)?, number)));
        kept.min_by(|one, other| one.0.total_cmp(&other.0))
    };
    let locks = results.subjects().into_iter().filter(|one| one.role() != Role::Floor);
    let worst: Vec<_> = locks.filter_map(|lock| Some((lock, worst(lock)?))).collect();
    let told = |&(lock, (kept, threads)): &(Subject, (f64, usize))| {
        format!("{} ({} × at {threads})", lock.name(), times(kept))
    };
    let collapsed: Vec<_> =
        worst.iter().filter(|(_, (kept, _))| *kept < COLLAPSES_BELOW).map(told).collect();
    let of_fewest = format!("of its rate at {}", numbers::threads(&[fewest]));
    if worst.is_empty() {
        None
    } else if collapsed.is_empty() {
        Some(format!("{label}: no lock collapses (none falls below half {of_fewest})"))
    } else {
        Some(format!("{label}, collapse to less than half {of_fewest}: {}", collapsed.join(", ")))
    }
}

/// The text with a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;

    fn results(points: &[(Subject, usize, f64)]) -> Results {
        let mut results = Results::default();
        for &(subject, threads, rate) in points {
            let values = [(Metric::Total, Some(rate)), (Metric::Writes, Some(rate))];
            results.add(subject, threads, &Reading::known(values));
        }
        results
    }

    #[test]
    fn holds_words_name_who_collapses_and_where_it_is_worst() {
        let points = [
            (Subject::Rwsem, 2, 100.0),
            (Subject::Rwsem, 8, 90.0),
            (Subject::Spin, 2, 100.0),
            (Subject::Spin, 8, 30.0),
            (Subject::Spin, 32, 2.0),
        ];
        insta::assert_snapshot!(words(&results(&points), "holds of 10 µs").join("\n"), @r"
        Holds of 10 µs, rate: ahead of every peer at 8 threads (3.00 × spin); level with the best peer at 2 threads (1.00 × spin)
        Holds of 10 µs, collapse to less than half of its rate at 2 threads: spin (0.02 × at 32)
        ");
    }

    #[test]
    fn holds_words_say_so_where_nobody_collapses() {
        let points = [(Subject::Std, 2, 100.0), (Subject::Std, 8, 60.0)];
        let words = words(&results(&points), "holds of 1 µs").join("\n");
        assert_eq!(
            words,
            "Holds of 1 µs: no lock collapses (none falls below half of its rate at 2 threads)"
        );
    }

    #[test]
    fn holds_table_has_a_row_for_each_subject() {
        let table = tables(&results(&[(Subject::Rwsem, 2, 120.0), (Subject::Std, 2, 100.0)]), "x");
        let row = table.lines().find(|line| line.starts_with("rwsem ")).expect("our row");
        insta::assert_snapshot!(row.split_whitespace().collect::<Vec<_>>().join(" "), @"rwsem 120 1.20 100 – – – – –");
    }
}
