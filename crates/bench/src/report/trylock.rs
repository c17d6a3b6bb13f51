//! E1: tables and words.

use super::columns::{Cell, Column};
use super::numbers::times;
use super::rates;
use super::{published, standing};
use crate::stats::{Metric, Results, ratio};
use crate::subjects::Subject;

const BESIDE_LIMIT: [Column; 2] = [
    ("×best\npeer", Cell::ToBestPeer(Metric::Total)),
    ("×\nlimit", Cell::To(Subject::Limit, Metric::Total, times)),
];

/// The rates.
pub(crate) fn tables(results: &Results, published: bool) -> String {
    let title = "E1: try-read and leave, nothing else; more is better";
    let published = published.then_some(&published::TRYLOCK);
    rates::tables(title, results, &BESIDE_LIMIT, published)
}

/// Where we stand, how we scale, and which form of try-read does better.
pub(crate) fn words(results: &Results) -> Vec<String> {
    let ours = standing::sentence("E1, rate of try-reads", results, Metric::Total);
    let forms = standing::change(
        "E1, our try-read with CAS first over load first",
        results,
        Subject::RwsemLoadFirst,
        Subject::RwsemCasFirst,
    );
    [ours, scaling(results), forms].into_iter().flatten().collect()
}

/// The growth of the rate from the fewest to the most threads, beside the growth that the machine
/// allows.
fn scaling(results: &Results) -> Option<String> {
    let threads = results.threads();
    let (&few, &many) = (threads.iter().min()?, threads.iter().max()?);
    let growth = |subject| {
        let rate = |threads| results.median(subject, threads, Metric::Total);
        ratio(rate(many), rate(few))
    };
    let (ours, allowed) = (growth(Subject::Rwsem)?, growth(Subject::LimitPrivate)?);
    let limit = growth(Subject::Limit).map(|limit| format!(", one shared word {} ×", times(limit)));
    (few != many).then(|| {
        let (ours, allowed, limit) = (times(ours), times(allowed), limit.unwrap_or_default());
        format!(
            "E1, from {few} to {many} threads: our rate becomes {ours} ×, private lines \
             {allowed} ×{limit}"
        )
    })
}
