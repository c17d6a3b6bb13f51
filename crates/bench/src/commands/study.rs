//! One experiment with all its parameters, and the tables and sentences of its results.

use std::time::Duration;

use serde::Serialize;

use crate::error::Error;
use crate::experiments::{
    Experiment, Hold, Holds, Mail, Mix, Mixed, TryLock, Uncontended, Wakeups,
};
use crate::machine::Machine;
use crate::report::{self, Detail, Progress};
use crate::run::{self, Plan};
use crate::stats::Results;
use crate::subjects::Subject;

/// Which experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Uncontended,
    TryLock,
    Mixed(Mix),
    Mail,
    Holds(Hold),
    Wakeups,
}

/// An experiment that is to be carried out.
#[derive(Clone, Debug)]
pub(super) struct Study {
    pub(super) what: What,
    pub(super) plan: Plan,
    /// Pauses in each critical section.
    pub(super) load: u32,
    pub(super) detail: Detail,
    /// Whether one sample more of each subject counts which reads begin beside another reader.
    pub(super) together: bool,
}

/// The parameters of a study, as results carry them.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Params {
    subjects: Vec<&'static str>,
    threads: Vec<usize>,
    seconds: f64,
    rounds: usize,
    load: u32,
    /// How long a section stays inside besides, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    hold: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mix: Option<Mix>,
}

impl Study {
    /// The experiment's name in commands and files.
    pub(super) fn name(&self) -> &'static str {
        match self.what {
            What::Uncontended => Uncontended::NAME,
            What::TryLock => TryLock::NAME,
            What::Mixed(_) => Mixed::NAME,
            What::Mail => Mail::NAME,
            What::Holds(hold) => hold.name(),
            What::Wakeups => Wakeups::NAME,
        }
    }

    /// How many samples it takes.
    pub(super) fn samples(&self) -> usize {
        self.plan.samples() + if self.together { self.counting().samples() } else { 0 }
    }

    /// How long it measures.
    pub(super) fn takes(&self) -> Duration {
        let counts = if self.together { self.counting().takes() } else { Duration::ZERO };
        self.plan.takes() + counts
    }

    /// The samples that count readers.
    fn counting(&self) -> Plan {
        Plan { rounds: 1, ..self.plan.clone() }
    }

    /// Measures.
    pub(super) fn carry_out(
        &self,
        machine: &Machine,
        progress: &Progress,
    ) -> Result<Results, Error> {
        let mut results = self.session(&self.plan, false, machine, progress)?;
        if self.together {
            results.extend(self.session(&self.counting(), true, machine, progress)?);
        }
        Ok(results)
    }

    fn session(
        &self,
        plan: &Plan,
        together: bool,
        machine: &Machine,
        progress: &Progress,
    ) -> Result<Results, Error> {
        let (load, clock) = (self.load, machine.clock.clone());
        match self.what {
            What::Uncontended => run::session(&Uncontended { load, clock }, plan, progress),
            What::TryLock => run::session(&TryLock { load, clock }, plan, progress),
            What::Mixed(mix) => run::session(&Mixed { load, mix, clock, together }, plan, progress),
            What::Mail => {
                let processors = machine.host.processors();
                run::session(&Mail { load, clock, processors }, plan, progress)
            }
            What::Holds(hold) => {
                run::session(&Holds { hold, load, clock, together }, plan, progress)
            }
            What::Wakeups => run::session(&Wakeups { clock }, plan, progress),
        }
    }

    /// The results as tables.
    pub(super) fn tables(&self, results: &Results, published: bool) -> String {
        match self.what {
            What::Uncontended => report::uncontended::tables(results, published),
            What::TryLock => report::trylock::tables(results, published),
            What::Mixed(_) => report::mixed::tables(results, published, self.detail),
            What::Mail => report::mail::tables(results, published),
            What::Holds(hold) => report::holds::tables(results, hold.label()),
            What::Wakeups => report::wakeups::tables(results),
        }
    }

    /// How the threads fared and what they cost, by the same figures for every experiment.
    pub(super) fn pressure(&self, results: &Results) -> String {
        let (name, counts, dash) = match self.what {
            What::Uncontended => {
                ("Uncontended", "pairs", Some("each thread has a lock of its own and never waits"))
            }
            What::TryLock => ("E1", "tries that succeeded", None),
            What::Mixed(_) => ("E2", "sections", None),
            What::Mail => ("E3", "messages (waits: of each section)", None),
            What::Holds(hold) => (hold.label(), "sections", None),
            What::Wakeups => ("Readers", "sections (waits: since the writer's unlock)", None),
        };
        report::pressure::tables(results, name, counts, dash)
    }

    /// The settings of the measurement, as a line below the tables.
    pub(super) fn settings(&self) -> String {
        let Plan { rounds, window, .. } = &self.plan;
        let (seconds, load) = (window.as_secs_f64(), self.load);
        let sections = match self.what {
            What::Uncontended => "nothing else inside",
            What::TryLock => "the look at exclusion inside",
            What::Mixed(Mix::Dedicated) => {
                "the look at exclusion inside, each thread reads or writes"
            }
            What::Mixed(Mix::Writers) | What::Holds(Hold::Sleep) => {
                "the look at exclusion inside, each thread writes"
            }
            What::Wakeups => "the look at exclusion inside; medians of each sample's rounds",
            What::Holds(_) => "the time and the look at exclusion inside",
            What::Mail => "an interval tree and the look at exclusion inside",
            What::Mixed(Mix::Each) => "the look at exclusion inside, each thread reads and writes",
        };
        format!("{rounds} rounds of {seconds} s; sections of {load} pauses, {sections}")
    }

    /// Sentences that say where our lock is ahead and where it is behind.
    pub(super) fn words(&self, results: &Results) -> Vec<String> {
        match self.what {
            What::Uncontended => report::uncontended::words(results),
            What::TryLock => report::trylock::words(results),
            What::Mixed(_) => report::mixed::words(results),
            What::Mail => report::mail::words(results),
            What::Holds(hold) => report::holds::words(results, hold.label()),
            What::Wakeups => report::wakeups::words(results),
        }
    }

    /// Which locks have readers inside together, if that was counted.
    pub(super) fn together(&self, results: &Results) -> Option<String> {
        self.together.then(|| report::together(results)).flatten()
    }

    /// The parameters, for the file of results.
    pub(super) fn params(&self) -> Params {
        let Plan { subjects, threads, rounds, window, pinning: _ } = &self.plan;
        Params {
            subjects: subjects.iter().copied().map(Subject::name).collect(),
            threads: threads.clone(),
            seconds: window.as_secs_f64(),
            rounds: *rounds,
            load: self.load,
            hold: match self.what {
                What::Holds(hold) => Some(hold.time().as_secs_f64()),
                _ => None,
            },
            mix: match self.what {
                What::Mixed(mix) => Some(mix),
                What::Holds(hold) => Some(hold.mix()),
                What::Uncontended | What::TryLock | What::Mail | What::Wakeups => None,
            },
        }
    }
}
