//! One experiment of any kind, from its parameters to its tables and its rows in the file.

use std::time::Duration;

use serde_json::Value;

use super::changes::ChangesStudy;
use super::plane::PlaneStudy;
use super::readers::ReadersStudy;
#[cfg(target_os = "linux")]
use super::scenes::SceneStudy;
use super::study::Study;
use crate::error::Error;
use crate::machine::Machine;
use crate::report::{self, Extras, Progress};

/// An experiment that is to be carried out.
#[derive(Clone, Debug)]
pub(super) enum Inquiry {
    /// One figure for each metric and number of threads.
    Study(Study),
    /// Readers that scale.
    Readers(ReadersStudy),
    /// The plane of holds, pauses, threads and writes.
    Plane(PlaneStudy),
    /// A load that changes.
    Changes(ChangesStudy),
    /// The tests of the 2008 lock.
    #[cfg(target_os = "linux")]
    Scenes(SceneStudy),
}

/// The results of an inquiry.
pub(super) struct Outcome {
    /// Tables, and the settings of the measurement.
    pub(super) shown: String,
    /// Sentences that say where our lock is ahead and where it is behind.
    pub(super) words: Vec<String>,
    /// The parameters, for the file of results.
    pub(super) params: Value,
    /// The samples, for the file of results.
    pub(super) rows: Vec<Value>,
}

impl Inquiry {
    /// Its name in commands and files.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Study(study) => study.name(),
            Self::Readers(study) => study.name(),
            Self::Plane(study) => study.name(),
            Self::Changes(study) => study.name(),
            #[cfg(target_os = "linux")]
            Self::Scenes(study) => study.name(),
        }
    }

    /// Refuses an inquiry that cannot be carried out.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self {
            Self::Study(_) | Self::Readers(_) | Self::Plane(_) | Self::Changes(_) => Ok(()),
            #[cfg(target_os = "linux")]
            Self::Scenes(study) => study.check(),
        }
    }

    /// How many samples it takes.
    pub(super) fn samples(&self) -> usize {
        match self {
            Self::Study(study) => study.samples(),
            Self::Readers(study) => study.samples(),
            Self::Plane(study) => study.samples(),
            Self::Changes(study) => study.samples(),
            #[cfg(target_os = "linux")]
            Self::Scenes(study) => study.plan.samples(),
        }
    }

    /// How long it measures.
    pub(super) fn takes(&self) -> Duration {
        match self {
            Self::Study(study) => study.takes(),
            Self::Readers(study) => study.takes(),
            Self::Plane(study) => study.takes(),
            Self::Changes(study) => study.takes(),
            #[cfg(target_os = "linux")]
            Self::Scenes(study) => study.plan.takes(),
        }
    }

    /// Its parameters, as the file of results has them.
    pub(super) fn params(&self) -> Value {
        match self {
            Self::Study(study) => plain(study.params()),
            Self::Readers(study) => study.params(),
            Self::Plane(study) => study.params(),
            Self::Changes(study) => study.params(),
            #[cfg(target_os = "linux")]
            Self::Scenes(study) => plain(study.params()),
        }
    }

    /// Measures, and shows the results.
    pub(super) fn carry_out(
        &self,
        machine: &Machine,
        progress: &Progress,
        extras: Extras,
    ) -> Result<Outcome, Error> {
        match self {
            Self::Study(study) => {
                let results = study.carry_out(machine, progress)?;
                let tables = study.tables(&results, extras.published);
                let pressure = match extras.pressure {
                    true => format!("\n{}", study.pressure(&results)),
                    false => String::new(),
                };
                Ok(Outcome {
                    shown: format!("{tables}{pressure}\n{}", study.settings()),
                    words: study
                        .words(&results)
                        .into_iter()
                        .chain(study.together(&results))
                        .collect(),
                    params: self.params(),
                    rows: report::rows(&results),
                })
            }
            Self::Readers(study) => study.carry_out(machine, progress, extras),
            Self::Plane(study) => study.carry_out(machine, progress, extras),
            Self::Changes(study) => study.carry_out(machine, progress, extras),
            #[cfg(target_os = "linux")]
            Self::Scenes(study) => study.carry_out(machine, progress, extras),
        }
    }
}

/// Plain data as JSON.
pub(super) fn plain(data: impl serde::Serialize) -> Value {
    serde_json::to_value(data).expect("plain data has a form in JSON")
}
