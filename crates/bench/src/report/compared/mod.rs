//! Two files of results of one machine and one experiment, cell by cell.

mod alike;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::grid::Grid;
use super::numbers::{figure, or_none};
use super::plane;
use crate::error::Error;
use crate::machine::Machine;
use crate::stats::{Better, Metric, extremes, median};

/// The metrics that are compared; other figures only explain them.
const METRICS: [Metric; 6] = [
    Metric::Total,
    Metric::Kept,
    Metric::ReadPair,
    Metric::WritePair,
    Metric::WakerUnlock,
    Metric::LastReader,
];

/// The fields of a row that are measured. All other fields say where it was measured.
const MEASURED: [&str; 3] = ["samples", "median", "unit"];

/// An earlier run's file.
pub(crate) struct Earlier {
    path: PathBuf,
    document: Value,
}

/// One figure.
struct Figure {
    median: f64,
    samples: Vec<f64>,
    better: Better,
}

/// How the later of two figures stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Each sample is better than all earlier ones.
    Better,
    Worse,
    /// The samples overlap.
    Level,
    /// One of the two has a single sample.
    Untold,
}

impl Earlier {
    /// Reads a file that an earlier run has written.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let wrong = |why: String| Error::NotResults { path: path.to_owned(), why };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let document: Value =
            serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if !(document["experiment"].is_string() && document["results"].is_array()) {
            return Err(wrong("it has no results that can be compared".to_owned()));
        }
        Ok(Self { path: path.to_owned(), document })
    }

    /// Refuses a file of another experiment, or of another load. `parts` are the names and the
    /// parameters of the experiments of this run.
    pub(crate) fn check_load(
        &self,
        experiment: &str,
        parts: &[(&'static str, Value)],
    ) -> Result<(), Error> {
        let path = self.path.clone();
        let differ = |(theirs, ours)| Err(Error::OtherLoad { path, theirs, ours });
        alike::difference(&self.document, experiment, parts).map_or(Ok(()), differ)
    }

    /// Refuses a file of another machine.
    pub(crate) fn check_machine(&self, machine: &Machine) -> Result<(), Error> {
        let here = serde_json::to_value(machine).expect("plain data is JSON");
        let [theirs, ours] = [&self.document["machine"], &here].map(alike::machine);
        if theirs == ours {
            return Ok(());
        }
        Err(Error::OtherMachine { path: self.path.clone(), theirs, ours })
    }

    /// Each cell that both runs have: the earlier figure beside this run's.
    pub(crate) fn beside(&self, now: &Value) -> String {
        let (before, now) = (figures(&self.document), figures(now));
        let mut grid =
            Grid::of_numbers(&["", "before", "now", "now/before", ""].map(str::to_owned));
        let (mut counts, mut by_chance) = ([0; 4], 0.0);
        let mut ratios = Vec::new();
        for (cell, now) in &now {
            let Some(before) = before.get(cell) else { continue };
            let (verdict, ratio) = (now.against(before), now.median / before.median);
            counts[verdict as usize] += 1;
            by_chance += now.marks_by_chance(before);
            ratios.push(ratio);
            let mark = ["+", "-", "", "?"][verdict as usize].to_owned();
            grid.row(
                cell,
                [figure(before.median), figure(now.median), format!("{ratio:.2}"), mark],
            );
        }
        let path = self.path.display();
        if ratios.is_empty() {
            return format!(
                "\nNo cell of this run is in {path} as well: measure the same subjects at the same \
                 numbers of threads."
            );
        }
        let [better, worse, level, untold] = counts;
        let middle = or_none(median(&ratios), |ratio| format!("{ratio:.2}"));
        let machine = &self.document["machine"];
        let text = |key: &str| machine[key].as_str().unwrap_or("unknown").to_owned();
        let title = format!("Beside {path} ({}, {})", text("commit"), text("date"));
        format!(
            "{}\n+ each sample is better than all before, - each is worse, ? a single sample. \
             {better} better, {worse} worse, {level} level, {untold} of a single sample; the median \
             of now/before is {middle}. If nothing had changed, {by_chance:.1} of these cells would \
             be marked by chance.",
            grid.titled(&title),
        )
    }
}

impl Figure {
    /// The chance of a mark where both runs measure the same: all samples of the one are ahead of
    /// all samples of the other, in one of two ways.
    fn marks_by_chance(&self, before: &Self) -> f64 {
        let (now, before) = (self.samples.len(), before.samples.len());
        if now.min(before) < 2 { 0.0 } else { 2.0 / choices(now + before, now) }
    }

    fn against(&self, before: &Self) -> Verdict {
        if self.samples.len().min(before.samples.len()) < 2 {
            return Verdict::Untold;
        }
        let [now, before] = [self, before].map(|figure| extremes(&figure.samples));
        match (now.0 > before.1, now.1 < before.0, self.better) {
            (true, _, Better::Higher) | (_, true, Better::Lower) => Verdict::Better,
            (false, false, _) => Verdict::Level,
            _ => Verdict::Worse,
        }
    }
}

/// How many ways there are to choose `few` of `all` things.
fn choices(all: usize, few: usize) -> f64 {
    (0..few).map(|at| (all - at) as f64 / (at + 1) as f64).product()
}

/// The figures of a file, by where they were measured.
fn figures(document: &Value) -> BTreeMap<String, Figure> {
    let rows = document["results"].as_array().map_or(&[][..], Vec::as_slice);
    rows.iter().filter_map(|row| Some((cell(row)?, of_row(row)?))).collect()
}

/// The figure of a row, if that is compared.
fn of_row(row: &Value) -> Option<Figure> {
    let metric = METRICS.iter().find(|metric| row["metric"] == metric.name())?;
    let samples = row["samples"].as_array()?.iter().filter_map(Value::as_f64).collect();
    Some(Figure { median: row["median"].as_f64()?, samples, better: metric.better() })
}

/// Where a row was measured, in words.
fn cell(row: &Value) -> Option<String> {
    let said = |(key, value): (&String, &Value)| match (key.as_str(), value) {
        (key, _) if MEASURED.contains(&key) => None,
        ("subject", Value::String(text)) => Some(format!("{text}:")),
        ("metric" | "experiment" | "case", Value::String(text)) => Some(text.clone()),
        ("hold" | "pause", value) => Some(format!(
            "{key} {}",
            plane::time(Duration::try_from_secs_f64(value.as_f64()?).ok()?)
        )),
        _ => Some(format!("{key} {value}")),
    };
    let mut words: Vec<String> = row.as_object()?.iter().filter_map(said).collect();
    // The subject's name comes first.
    words.sort_by_key(|word| !word.ends_with(':'));
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(rates: [[f64; 2]; 3], commit: &str) -> Value {
        let row = |threads: usize, samples: [f64; 2]| {
            json!({
                "subject": "rwsem", "threads": threads, "hold": 1e-6, "metric": "total", "unit": "operations/s",
                "samples": samples, "median": (samples[0] + samples[1]) / 2.0,
            })
        };
        let rows: Vec<Value> =
            (1..).zip(rates).map(|(threads, rates)| row(threads, rates)).collect();
        json!({ "machine": { "commit": commit, "date": "today" }, "results": rows })
    }

    #[test]
    fn compared_cells_are_better_worse_or_level() {
        let document_before = document([[10.0, 12.0], [10.0, 12.0], [10.0, 12.0]], "before");
        let earlier = Earlier { path: "old.json".into(), document: document_before };
        let now = document([[20.0, 24.0], [5.0, 6.0], [11.0, 13.0]], "now");
        insta::assert_snapshot!(earlier.beside(&now), @r"

        Beside old.json (before, today)
        ─────────────────────────────────────────────────────────────
                                          before   now  now/before
        ─────────────────────────────────────────────────────────────
        rwsem: hold 1 µs total threads 1    11.0  22.0        2.00  +
        rwsem: hold 1 µs total threads 2    11.0  5.50        0.50  -
        rwsem: hold 1 µs total threads 3    11.0  12.0        1.09
        ─────────────────────────────────────────────────────────────
        + each sample is better than all before, - each is worse, ? a single sample. 1 better, 1 worse, 1 level, 0 of a single sample; the median of now/before is 1.09. If nothing had changed, 1.0 of these cells would be marked by chance.
        ");
    }

    #[test]
    fn compared_marks_by_chance_are_rarer_with_more_rounds() {
        let of = |rounds| Figure { median: 1.0, samples: vec![1.0; rounds], better: Better::Lower };
        let chances = [1, 2, 3, 4].map(|rounds| of(rounds).marks_by_chance(&of(rounds)));
        for (chance, expected) in chances.into_iter().zip([0.0, 1.0 / 3.0, 0.1, 1.0 / 35.0]) {
            assert!((chance - expected).abs() < 1e-12, "{chances:?}");
        }
    }

    #[test]
    fn compared_file_without_a_cell_of_this_run_says_so() {
        let document = document([[1.0; 2]; 3], "before");
        let earlier = Earlier { path: "old.json".into(), document };
        assert!(earlier.beside(&json!({ "results": [] })).contains("No cell"));
    }

    #[test]
    fn compared_costs_are_better_if_lower() {
        let cost =
            |cost: f64| Figure { median: cost, samples: vec![cost; 2], better: Better::Lower };
        assert!(cost(2.0).against(&cost(3.0)) == Verdict::Better);
        assert!(cost(3.0).against(&cost(2.0)) == Verdict::Worse);
        assert!(cost(2.0).against(&cost(2.0)) == Verdict::Level);
        let single = Figure { samples: vec![9.0], ..cost(9.0) };
        assert!(single.against(&cost(2.0)) == Verdict::Untold);
    }
}
