//! The file of results: machine, parameters, and every run.

use serde_json::{Map, Value, json};

use super::plan::Plan;
use super::setting::Setting;
use super::study::Figures;
use crate::cli::name_of;
use crate::error::Error;
use crate::report::program;

/// The runs so far.
#[derive(Default)]
pub(super) struct Rows(Vec<Value>);

impl Rows {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a run.
    pub(super) fn add(&mut self, lock: &str, threads: usize, seed: u64, run: &Figures) {
        let counts: Map<String, Value> =
            run.counts.all().map(|(name, count)| (name.to_owned(), count.into())).collect();
        self.0.push(json!({
            "lock": lock,
            "threads": threads,
            "seed": seed,
            "measured_ns": run.nanos,
            "operations": run.done,
            "operations_per_second": run.rate,
            "reads": run.reads,
            "reads_together": run.together,
            "writes": run.writes,
            "slowest_thread_operations": run.least,
            "longest_wait_ns": run.longest,
            "idle_share": run.idle,
            "counted_operations": run.begun,
            "counts": counts,
            "hash": format!("{:016x}", run.hash),
        }));
    }

    /// Everything about the runs, and why they ended early if they did.
    pub(super) fn document(self, setting: &Setting, plan: &Plan, error: Option<&Error>) -> Value {
        json!({
            "machine": setting.to_json(),
            "program": program(),
            "experiment": format!("simulate {}", name_of(&plan.experiment)),
            "params": plan.to_json(),
            "results": self.0,
            "error": error.map(ToString::to_string),
        })
    }
}
