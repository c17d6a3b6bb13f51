//! E2: tables and words.

use super::columns::{self, Cell, Column};
use super::numbers::{self, kops, percent, times};
use super::rates;
use super::{Detail, published, standing};
use crate::stats::{Metric, Results};
use crate::subjects::{Role, Subject};

/// A kind of section that gets less than this share starves.
const STARVES_BELOW: f64 = 0.05;

const BESIDE_WRITERS: [Column; 2] = [
    ("×best\npeer", Cell::LockToBestPeer(Metric::Total)),
    ("writes\n%", Cell::Share(Metric::Writes)),
];

/// The rates, and in full a table for each number of threads.
pub(crate) fn tables(results: &Results, published: bool, detail: Detail) -> String {
    let title = "E2: readers and writers on one lock; more is better (floors do not exclude: upper \
                 bounds, nothing to be reached)";
    let published = published.then_some(&published::MIXED);
    let mut out = vec![rates::tables(title, results, &BESIDE_WRITERS, published)];
    if detail == Detail::Full {
        out.extend(results.threads().into_iter().map(|threads| point(results, threads)));
    }
    out.join("\n")
}

/// The columns for one number of threads.
const POINT: [Column; 8] = [
    ("reads\nkops/s", Cell::Median(Metric::Reads, kops)),
    ("writes\nkops/s", Cell::Median(Metric::Writes, kops)),
    columns::SLOWEST_THREAD,
    ("thread\nmax/mean", Cell::Median(Metric::ThreadMaxOverMean, times)),
    columns::LONGEST_WAIT,
    columns::WAIT_P999,
    columns::SWITCHES,
    columns::CPU_TIME,
];

fn point(results: &Results, threads: usize) -> String {
    let grid = columns::table(results, threads, &POINT);
    grid.titled(&format!("E2 at {}", numbers::threads(&[threads])))
}

/// Where we stand, which locks starve a kind of section, and the effect of the whole-queue patch.
pub(crate) fn words(results: &Results) -> Vec<String> {
    let standings = [
        ("E2, total rate", Metric::Total),
        ("E2, longest wait", Metric::WaitMax),
        ("E2, processor time for an operation", Metric::CpuSecondsPerMop),
    ];
    let changes = [
        (
            "E2, the whole-queue patch, lock as it stood then",
            Subject::RwsemPatch10Before,
            Subject::RwsemPatch10After,
        ),
        ("E2, the whole-queue patch, our lock", Subject::RwsemFirstWriter, Subject::Rwsem),
    ];
    let mut out: Vec<String> = standings
        .into_iter()
        .filter_map(|(what, metric)| standing::sentence(what, results, metric))
        .collect();
    out.extend(smallest_share(results));
    out.extend(starvation("E2", results));
    out.extend(
        changes
            .into_iter()
            .filter_map(|(what, before, after)| standing::change(what, results, before, after)),
    );
    out
}

/// The share that the rarer kind of section got with our lock.
fn smallest_share(results: &Results) -> Option<String> {
    let shares: Vec<String> = results
        .threads()
        .into_iter()
        .filter_map(|threads| {
            let (_, share) = rarer_kind(results, Subject::Rwsem, threads)?;
            Some(format!("{} % at {threads}", percent(share)))
        })
        .collect();
    (!shares.is_empty())
        .then(|| format!("E2, our rarer kind of section had {} threads", shares.join(", ")))
}

/// Which locks let one kind of section starve.
pub(super) fn starvation(what: &str, results: &Results) -> Option<String> {
    let starving: Vec<String> = results
        .subjects()
        .into_iter()
        .filter(|subject| subject.role() != Role::Floor)
        .filter_map(|subject| {
            let threads = results.threads().into_iter();
            let worst = threads.filter_map(|threads| {
                let (kind, share) = rarer_kind(results, subject, threads)?;
                Some((kind, share, threads))
            });
            let (kind, share, threads) = worst.min_by(|a, b| a.1.total_cmp(&b.1))?;
            (share < STARVES_BELOW).then(|| {
                let (name, share) = (subject.name(), percent(share));
                format!("{name} ({kind} {share} % at {threads} threads)")
            })
        })
        .collect();
    (!starving.is_empty()).then(|| format!("{what}, one kind starves with {}", starving.join(", ")))
}

/// The kind that got less, and its share. A mutex's readers are writers under another name, but
/// they can starve all the same.
fn rarer_kind(results: &Results, subject: Subject, threads: usize) -> Option<(&'static str, f64)> {
    let reads = results.share(subject, threads, Metric::Reads)?;
    let writes = results.share(subject, threads, Metric::Writes)?;
    // One thread alone is of one kind.
    (threads > 1).then_some(if reads < writes { ("reads", reads) } else { ("writes", writes) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;

    fn results(points: &[(Subject, f64, f64)]) -> Results {
        let mut results = Results::default();
        for &(subject, reads, writes) in points {
            let values = [
                (Metric::Total, Some(reads + writes)),
                (Metric::Reads, Some(reads)),
                (Metric::Writes, Some(writes)),
            ];
            results.add(subject, 4, &Reading::known(values));
        }
        results
    }

    #[test]
    fn mixed_words_name_who_starves() {
        let points = [(Subject::Rwsem, 6e6, 4e6), (Subject::Std, 9.9e6, 0.1e6)];
        let words = words(&results(&points)).join("\n");
        insta::assert_snapshot!(words, @r"
        E2, total rate: level with the best peer at 4 threads (1.00 × std)
        E2, our rarer kind of section had 40 % at 4 threads
        E2, one kind starves with std (writes 1 % at 4 threads)
        ");
    }

    #[test]
    fn mixed_table_compares_floors_with_nothing() {
        let points =
            [(Subject::Rwsem, 6e6, 4e6), (Subject::Std, 5e6, 3e6), (Subject::Limit, 5e7, 5e7)];
        let table = tables(&results(&points), true, Detail::Brief);
        insta::assert_snapshot!(table.trim_start(), @r"
        E2: readers and writers on one lock; more is better (floors do not exclude: upper bounds, nothing to be reached)
        ─────────────────────────────────────────
                         4 threads  ×best  writes
                         kops/s ±%   peer       %
        ─────────────────────────────────────────
        rwsem               10,000   1.25      40
        std                  8,000   1.00      38
        limit              100,000      –      50
        kernel before        1,641
        kernel after         1,674
        ─────────────────────────────────────────
        the whole-queue patch: the kernel's rwsem on 8 sockets; before: batches of readers end at the first writer, after: from the whole queue
        ");
    }
}
