//! Readers that scale: tables and words.

use super::columns::{self, Cell, Column};
use super::grid::Grid;
use super::numbers::{self, NONE, figure, or_none, times, with_spread};
use super::standing;
use crate::machine::{Facts, Machine};
use crate::stats::{Metric, Results, median, ratio};
use crate::subjects::Subject;

/// Numbers of threads side by side; more go into a table below.
const ABREAST: usize = 4;

/// A load on which the lock was measured without biases and with them.
pub(crate) struct Case {
    pub(crate) label: String,
    pub(crate) threads: usize,
    pub(crate) results: Results,
}

/// The machine's costs that matter to readers that scale, in nanoseconds and cycles.
pub(crate) fn facts(facts: &Facts, machine: &Machine) -> String {
    let cycles = |ns: f64| figure(ns * machine.clock.ticks_per_second / 1e9);
    let ways = machine.lines.ways.iter();
    let ways: Vec<String> = ways
        .map(|way| format!("{}–{} {:.0} ns = {} cycles", way.from, way.to, way.ns, cycles(way.ns)))
        .collect();
    let ways = if ways.is_empty() { NONE.to_owned() } else { ways.join(", ") };
    format!("lines    one way from CPU to CPU: {ways}\nfence    {}", fence(facts, cycles))
}

#[cfg(target_os = "linux")]
fn fence(facts: &Facts, cycles: impl Fn(f64) -> String) -> String {
    let Some(membarrier) = facts.membarrier else {
        return "membarrier is refused here: our lock is read by swaps at best".to_owned();
    };
    let cost = |ns: f64| format!("{} ns = {} cycles", figure(ns), cycles(ns));
    let busy = or_none(membarrier.busy_ns, cost);
    let idle = cost(membarrier.idle_ns);
    format!("membarrier: {idle} with the process idle, {busy} with another thread running")
}

#[cfg(not(target_os = "linux"))]
fn fence(_facts: &Facts, _cycles: impl Fn(f64) -> String) -> String {
    "no membarrier on this system: our lock is read by swaps at best".to_owned()
}

/// The tables of one share of writes: the rates, and their cost.
pub(crate) fn tables(writes: f64, results: &Results) -> String {
    let mut out = Vec::new();
    for abreast in results.threads().chunks(ABREAST) {
        let title = format!("Readers, {writes} % writes: sections; more is better");
        out.push(columns::abreast(results, abreast, &RATES).titled(&title));
        let costs = if cfg!(feature = "events") { &COSTS[..] } else { &COSTS[..3] };
        let title = format!("Readers, {writes} % writes: each thread, and what a section costs");
        out.push(columns::abreast(results, abreast, costs).titled(&title));
    }
    out.join("\n")
}

const RATES: [Column; 3] = [
    ("total\nMops/s ±%", Cell::Spread(Metric::Total, mops)),
    ("×best\npeer", Cell::ToBestPeer(Metric::Total)),
    (
        "×limit-\nprivate",
        Cell::To(Subject::LimitPrivate, Metric::Total, |over| format!("{over:.3}")),
    ),
];

const COSTS: [Column; 4] = [
    ("Mops/s\nof each", Cell::OfEach(Metric::Total, mops)),
    ("writes\n%", Cell::Share(Metric::Writes)),
    ("user+sys\ns/Mop", Cell::Median(Metric::CpuSecondsPerMop, |s| format!("{s:.4}"))),
    // Counted where the feature is on.
    ("revoked\n/Mop", Cell::Median(Metric::Revocations, figure)),
];

fn mops(rate: f64) -> String {
    figure(rate / 1e6)
}

/// Where we stand at each share of writes, and how readers alone scale.
pub(crate) fn words(swept: &[(f64, Results)]) -> Vec<String> {
    let standings = swept.iter().filter_map(|(writes, results)| {
        standing::sentence(&format!("Readers, {writes} % writes"), results, Metric::Total)
    });
    let mut out: Vec<String> = standings.collect();
    let alone = swept.iter().find(|(writes, _)| *writes <= 0.0);
    out.extend(alone.and_then(|(_, results)| scaling(results)));
    out
}

/// The growth of rates from the fewest threads to the next number, beside the growth that the
/// machine allows.
fn scaling(results: &Results) -> Option<String> {
    let threads = results.threads();
    let (&few, &more) = (threads.first()?, threads.get(1)?);
    let growth = |subject| {
        let rate = |threads| results.median(subject, threads, Metric::Total);
        ratio(rate(more), rate(few))
    };
    let (ours, allowed) = (growth(Subject::Rwsem)?, growth(Subject::LimitPrivate)?);
    Some(format!(
        "Readers alone, from {few} to {more} threads: our rate becomes {} ×, private lines {} × \
         ({} of that)",
        times(ours),
        times(allowed),
        times(ours / allowed),
    ))
}

/// The cost of biases where they cannot pay.
pub(crate) fn price(cases: &[Case], [before, after]: [Subject; 2]) -> String {
    let head =
        ["", "threads", "unbiased\nMops/s ±%", "as it is\nMops/s ±%", "ratio", "quartiles\nof it"];
    let mut grid = Grid::of_numbers(&head.map(str::to_owned));
    for case in cases {
        let rate = |subject| {
            let series = case.results.get(subject, case.threads, Metric::Total);
            series.map_or_else(|| NONE.to_owned(), |series| with_spread(series, mops))
        };
        let ratios = case.ratios(before, after);
        let quartiles = ratios.quartiles().map(|(low, high)| format!("{low:.3}–{high:.3}"));
        grid.row(
            &case.label,
            [
                case.threads.to_string(),
                rate(before),
                rate(after),
                or_none(median(&ratios.0), |ratio| format!("{ratio:.3}")),
                quartiles.unwrap_or_else(|| NONE.to_owned()),
            ],
        );
    }
    let title = "What read biases cost where they cannot pay: our lock as it is over the same with \
                 all readers counted";
    grid.titled(title)
}

/// The dearest case.
pub(crate) fn price_words(cases: &[Case], [before, after]: [Subject; 2]) -> Vec<String> {
    let ratio = |case: &Case| median(&case.ratios(before, after).0);
    let known = cases.iter().filter_map(|case| Some((case, ratio(case)?)));
    let least = known.min_by(|one, other| one.1.total_cmp(&other.1));
    let told = least.map(|(case, ratio)| {
        let (label, threads) = (&case.label, numbers::threads(&[case.threads]));
        format!("Read biases, where they cannot pay, at worst: {ratio:.3} × ({label}, {threads})")
    });
    told.into_iter().collect()
}

/// Ratios of the samples of the same round.
struct Ratios(Vec<f64>);

impl Case {
    fn ratios(&self, before: Subject, after: Subject) -> Ratios {
        let samples = |subject| {
            let series = self.results.get(subject, self.threads, Metric::Total);
            series.map_or(&[][..], |series| &series.samples)
        };
        let pairs = samples(before).iter().zip(samples(after));
        Ratios(pairs.filter_map(|(&before, &after)| ratio(Some(after), Some(before))).collect())
    }
}

impl Ratios {
    /// The ratio that a quarter of them are below, and the ratio that a quarter are above.
    fn quartiles(&self) -> Option<(f64, f64)> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |quarter: usize| sorted.get((sorted.len().checked_sub(1)? * quarter + 2) / 4);
        Some((*at(1)?, *at(3)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Reading;

    fn results(points: &[(Subject, usize, f64)]) -> Results {
        let mut results = Results::default();
        for &(subject, threads, total) in points {
            let values = [(Metric::Total, Some(total)), (Metric::Writes, Some(total / 100.0))];
            results.add(subject, threads, &Reading::known(values));
        }
        results
    }

    #[test]
    fn readers_words_say_how_we_scale_beside_private_lines() {
        let points = [
            (Subject::Rwsem, 1, 100e6),
            (Subject::Rwsem, 2, 180e6),
            (Subject::Std, 1, 50e6),
            (Subject::Std, 2, 20e6),
            (Subject::LimitPrivate, 1, 200e6),
            (Subject::LimitPrivate, 2, 400e6),
        ];
        let words = words(&[(0.0, results(&points))]).join("\n");
        insta::assert_snapshot!(words, @r"
        Readers, 0 % writes: ahead of every peer at 1 and 2 threads (2.00 × std, 9.00 × std)
        Readers alone, from 1 to 2 threads: our rate becomes 1.80 ×, private lines 2.00 × (0.90 of that)
        ");
    }

    #[test]
    fn readers_price_is_the_median_of_the_rounds() {
        let mut results = Results::default();
        for (before, after) in [(10.0, 9.0), (20.0, 20.0), (10.0, 9.5), (10.0, 9.7), (10.0, 8.0)] {
            for (subject, value) in [(Subject::RwsemUnbiased, before), (Subject::Rwsem, after)] {
                let reading = Reading { metric: Metric::Total, value: value * 1e6 };
                results.add(subject, 1, &[reading]);
            }
        }
        let case = Case { label: "in turn".to_owned(), threads: 1, results };
        let pair = [Subject::RwsemUnbiased, Subject::Rwsem];
        let ratios = case.ratios(pair[0], pair[1]);
        assert_eq!(ratios.quartiles(), Some((0.9, 0.97)));
        let told = price_words(&[case], pair).concat();
        assert_eq!(
            told,
            "Read biases, where they cannot pay, at worst: 0.950 × (in turn, 1 thread)"
        );
    }
}
