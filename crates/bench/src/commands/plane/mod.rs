//! The plane of holds, pauses, threads and writes: cell by cell, shown as maps.

mod cells;

use std::time::Duration;

use serde_json::{Value, json};

use self::cells::short;
pub(super) use self::cells::whole;
use super::inquiry::Outcome;
use crate::cli::{Cli, PlaneArgs};
use crate::error::Error;
use crate::experiments::{Cell, Experiment, Plane};
use crate::machine::{Machine, Pinning};
use crate::report::plane::{self as report, Measured};
use crate::report::{self as reports, Extras, Progress};
use crate::run::{self, Plan};
use crate::stats::Results;
use crate::subjects::Subject;

const ROUNDS: usize = 3;
const WINDOW: Duration = Duration::from_millis(30);
const SHORT_ROUNDS: usize = 2;
const SHORT_WINDOW: Duration = Duration::from_millis(20);
/// With more threads for each CPU than this, samples are longer, so that each thread has a few
/// turns.
const THREADS_IN_A_WINDOW: usize = 2;

/// The study with all its parameters.
#[derive(Clone, Debug)]
pub(super) struct PlaneStudy {
    /// The cells, in groups that are shown together.
    groups: Vec<Vec<Cell>>,
    /// The plan without its number of threads.
    plan: Plan,
    /// Whether all samples are as long as asked for.
    fixed: bool,
    cpus: usize,
    maps: bool,
    lists_all: bool,
}

/// The subjects where none is named: our lock, and the peers that it is compared with.
const SUBJECTS: [&str; 9] = [
    "rwsem",
    "std",
    "std-mutex",
    "parking_lot-0.12",
    "parking_lot-mutex",
    "pthread",
    "rblock",
    "sharded",
    "usync",
];

/// The subjects that were named, or else these, in the order of the roster.
pub(super) fn named_or(cli: &Cli, names: &[&str]) -> Vec<Subject> {
    let taken = |subject: &Subject| match cli.subjects.as_slice() {
        [] => names.contains(&subject.name()),
        named => named.contains(subject),
    };
    Subject::ALL.iter().copied().filter(taken).collect()
}

impl PlaneStudy {
    /// The study that the command line asks for.
    pub(super) fn new(args: &PlaneArgs, cli: &Cli, pinning: &Pinning) -> Self {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let (rounds, window) =
            if args.short { (SHORT_ROUNDS, SHORT_WINDOW) } else { (ROUNDS, WINDOW) };
        Self {
            groups: if args.short { short(cpus) } else { whole(args, cpus) },
            plan: Plan {
                subjects: named_or(cli, &SUBJECTS),
                threads: Vec::new(),
                rounds: args.rounds.unwrap_or(rounds),
                window: args.seconds.unwrap_or(window),
                pinning: pinning.clone(),
            },
            fixed: args.seconds.is_some(),
            cpus,
            maps: !args.short,
            lists_all: args.short || args.cells,
        }
    }

    /// A part of the quick comparison.
    pub(super) fn quick(cli: &Cli, pinning: &Pinning) -> Self {
        Self::new(&PlaneArgs { short: true, ..PlaneArgs::default() }, cli, pinning)
    }

    /// Its name in commands and files.
    pub(super) fn name(&self) -> &'static str {
        Plane::NAME
    }

    /// How many samples it takes. In each cell a subject has one more than the rounds, which counts
    /// readers.
    pub(super) fn samples(&self) -> usize {
        let cells: usize = self.groups.iter().map(Vec::len).sum();
        cells * self.plan.subjects.len() * (self.plan.rounds + 1)
    }

    /// How long it measures.
    pub(super) fn takes(&self) -> Duration {
        let times = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (rounds, subjects) = (times(self.plan.rounds), times(self.plan.subjects.len()));
        let each = |cell: &Cell| {
            let figures = self.window(cell.threads).saturating_mul(rounds);
            figures.saturating_add(self.plan.window).saturating_mul(subjects)
        };
        self.groups.iter().flatten().map(each).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// The length of a sample of the figures: in proportion to the threads where they are many.
    fn window(&self, threads: usize) -> Duration {
        let turns = threads.div_ceil(THREADS_IN_A_WINDOW * self.cpus);
        match self.fixed {
            true => self.plan.window,
            false => self.plan.window.saturating_mul(u32::try_from(turns).unwrap_or(u32::MAX)),
        }
    }

    /// Measures, and shows the results.
    pub(super) fn carry_out(
        &self,
        machine: &Machine,
        progress: &Progress,
        extras: Extras,
    ) -> Result<Outcome, Error> {
        let (mut measured, mut rows) = (Vec::new(), Vec::new());
        for group in &self.groups {
            let first = measured.len();
            for &cell in group {
                let results = self.cell(cell, machine, progress)?;
                rows.extend(tagged(&results, cell));
                let window = self.window(cell.threads);
                measured.push(Measured::new(cell, &results, window, self.cpus));
            }
            if self.maps {
                progress.say(&report::maps(&measured[first..], self.cpus));
            }
        }
        let Plan { rounds, window, .. } = &self.plan;
        let seconds = window.as_secs_f64();
        let list = report::list(&measured, self.lists_all || extras.pressure);
        let longer = if self.fixed { "" } else { ", longer where threads are many" };
        let settings = format!(
            "{rounds} rounds of {seconds} s{longer}, and one that counts readers; the time and the \
             look at exclusion inside"
        );
        Ok(Outcome {
            shown: format!("{}{list}\n{settings}", if self.maps { report::LEGEND } else { "" }),
            words: report::words(&measured, self.cpus),
            params: self.params(),
            rows,
        })
    }

    /// Measures one cell: the figures, then the share of reads that begin beside another reader.
    fn cell(&self, cell: Cell, machine: &Machine, progress: &Progress) -> Result<Results, Error> {
        let counting = Plan { threads: vec![cell.threads], rounds: 1, ..self.plan.clone() };
        let window = self.window(cell.threads);
        let figures = Plan { rounds: self.plan.rounds, window, ..counting.clone() };
        let plane = |together| Plane { cell, clock: machine.clock.clone(), together };
        let mut results = run::session(&plane(false), &figures, progress)?;
        results.extend(run::session(&plane(true), &counting, progress)?);
        Ok(results)
    }

    /// The parameters, for the file of results.
    pub(super) fn params(&self) -> Value {
        let Plan { subjects, rounds, window, .. } = &self.plan;
        json!({
            "subjects": subjects.iter().map(|subject| subject.name()).collect::<Vec<_>>(),
            "seconds": window.as_secs_f64(),
            "rounds": rounds,
            "cells": self.groups.iter().flatten().map(param).collect::<Vec<_>>(),
        })
    }
}

/// A cell among the parameters.
fn param(cell: &Cell) -> Value {
    let mut param = json!({ "threads": cell.threads });
    tag(&mut param, *cell);
    param
}

/// The rows of results, each with its cell.
pub(super) fn tagged(results: &Results, cell: Cell) -> Vec<Value> {
    let mut rows = reports::rows(results);
    rows.iter_mut().for_each(|row| tag(row, cell));
    rows
}

/// Adds the cell's place to an object.
pub(super) fn tag(object: &mut Value, cell: Cell) {
    object["hold"] = json!(cell.hold.as_secs_f64());
    object["pause"] = json!(cell.pause.as_secs_f64());
    object["writes"] = json!(cell.writes);
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Command;

    #[test]
    fn plane_takes_some_minutes_and_in_short_some_seconds() {
        let seconds = |line: &[&str]| {
            let cli = Cli::try_parse_from([&["siftlock-bench", "plane"], line].concat());
            let cli = cli.expect("a good line");
            let Some(Command::Plane { plane }) = &cli.command else { panic!("not plane") };
            PlaneStudy::new(plane, &cli, &Pinning::Off).takes().as_secs_f64()
        };
        assert!((300.0..540.0).contains(&seconds(&[])), "{}", seconds(&[]));
        assert!((10.0..18.0).contains(&seconds(&["--short"])), "{}", seconds(&["--short"]));
        let fixed = seconds(&["--holds=1us", "--pauses=1us", "--writes=1", "--seconds=1"]);
        assert_eq!(fixed, 3.0 * 9.0 * 4.0);
    }
}
