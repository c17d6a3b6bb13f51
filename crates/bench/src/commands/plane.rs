//! The plane of holds, pauses, threads and writes: cell by cell, shown as maps.

use std::time::Duration;

use serde_json::{Value, json};

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

const MICRO: Duration = Duration::from_micros(1);
const TEN: Duration = Duration::from_micros(10);
const HUNDRED: Duration = Duration::from_micros(100);
const HOLDS: [Duration; 4] = [Duration::from_nanos(50), MICRO, TEN, HUNDRED];
const PAUSES: [Duration; 4] = [Duration::ZERO, MICRO, TEN, HUNDRED];
/// Threads for each CPU.
const THREADS: [usize; 3] = [1, 2, 8];
/// Per cent.
const WRITES: [f64; 5] = [100.0, 50.0, 10.0, 1.0, 0.0];

const ROUNDS: usize = 3;
const WINDOW: Duration = Duration::from_millis(30);
const SHORT_ROUNDS: usize = 2;
const SHORT_WINDOW: Duration = Duration::from_millis(20);
/// More threads for each CPU than these have longer samples, so that each thread has a few turns.
const THREADS_IN_A_WINDOW: usize = 2;

/// Cells of the short form besides the corners: hold, pause, threads for each CPU, writes. Long
/// sections among many threads, and readers among some writes (README.md, where it is behind).
const LOSERS: [(Duration, Duration, usize, f64); 7] = [
    (MICRO, Duration::ZERO, 2, 10.0),
    (MICRO, MICRO, 2, 1.0),
    (TEN, Duration::ZERO, 2, 10.0),
    (TEN, Duration::ZERO, 8, 1.0),
    (TEN, TEN, 8, 10.0),
    (HUNDRED, Duration::ZERO, 8, 50.0),
    (HUNDRED, TEN, 2, 10.0),
];

/// The study with all its parameters.
#[derive(Clone, Debug)]
pub(super) struct PlaneStudy {
    /// In groups that are shown together: those of one number of threads.
    groups: Vec<Vec<Cell>>,
    /// All but the number of threads.
    plan: Plan,
    /// Whether all samples are as long as asked for.
    fixed: bool,
    cpus: usize,
    maps: bool,
    lists_all: bool,
}

/// Ours, and who is compared with it where nobody is named.
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

impl PlaneStudy {
    /// As the command line says.
    pub(super) fn new(args: &PlaneArgs, cli: &Cli, pinning: &Pinning) -> Self {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let named = |subject: &Subject| match cli.subjects.as_slice() {
            [] => SUBJECTS.contains(&subject.name()),
            named => named.contains(subject),
        };
        let (rounds, window) =
            if args.short { (SHORT_ROUNDS, SHORT_WINDOW) } else { (ROUNDS, WINDOW) };
        Self {
            groups: if args.short { short(cpus) } else { whole(args, cpus) },
            plan: Plan {
                subjects: Subject::ALL.iter().copied().filter(named).collect(),
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

    /// How many samples it takes: one more than the rounds for the count of readers.
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

    /// How long a sample of the figures is: in proportion to the threads where they are many.
    fn window(&self, threads: usize) -> Duration {
        let turns = threads.div_ceil(THREADS_IN_A_WINDOW * self.cpus);
        match self.fixed {
            true => self.plan.window,
            false => self.plan.window.saturating_mul(u32::try_from(turns).unwrap_or(u32::MAX)),
        }
    }

    /// Measures, and shows what came of it.
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

    /// One cell: the figures, then which reads begin beside another.
    fn cell(&self, cell: Cell, machine: &Machine, progress: &Progress) -> Result<Results, Error> {
        let counting = Plan { threads: vec![cell.threads], rounds: 1, ..self.plan.clone() };
        let window = self.window(cell.threads);
        let figures = Plan { rounds: self.plan.rounds, window, ..counting.clone() };
        let plane = |together| Plane { cell, clock: machine.clock.clone(), together };
        let mut results = run::session(&plane(false), &figures, progress)?;
        results.extend(run::session(&plane(true), &counting, progress)?);
        Ok(results)
    }

    fn params(&self) -> Value {
        let Plan { subjects, rounds, window, .. } = &self.plan;
        let cell = |cell: &Cell| {
            let (hold, pause) = (cell.hold.as_secs_f64(), cell.pause.as_secs_f64());
            json!({ "hold": hold, "pause": pause, "threads": cell.threads, "writes": cell.writes })
        };
        json!({
            "subjects": subjects.iter().map(|subject| subject.name()).collect::<Vec<_>>(),
            "seconds": window.as_secs_f64(),
            "rounds": rounds,
            "cells": self.groups.iter().flatten().map(cell).collect::<Vec<_>>(),
        })
    }
}

/// All cells of the axes, or of the parts that were asked for.
fn whole(args: &PlaneArgs, cpus: usize) -> Vec<Vec<Cell>> {
    let threads = axis(&args.threads, &THREADS.map(|each| each * cpus));
    let (holds, pauses) = (axis(&args.holds, &HOLDS), axis(&args.pauses, &PAUSES));
    let writes = axis(&args.writes, &WRITES);
    let group = |&threads: &usize| {
        let mut cells = Vec::new();
        for &writes in &writes {
            for &hold in &holds {
                cells.extend(pauses.iter().map(|&pause| Cell { hold, pause, threads, writes }));
            }
        }
        cells
    };
    threads.iter().map(group).collect()
}

/// What was asked for, each once, or the default.
fn axis<T: Copy + PartialEq>(asked: &[T], default: &[T]) -> Vec<T> {
    let mut out = Vec::new();
    for &value in if asked.is_empty() { default } else { asked } {
        if !out.contains(&value) {
            out.push(value);
        }
    }
    out
}

/// The corners, and cells in which we were behind.
fn short(cpus: usize) -> Vec<Vec<Cell>> {
    let ends = PlaneArgs {
        holds: vec![HOLDS[0], HOLDS[3]],
        pauses: vec![PAUSES[0], PAUSES[3]],
        threads: vec![cpus, 8 * cpus],
        writes: vec![100.0, 0.0],
        ..PlaneArgs::default()
    };
    let mut groups = whole(&ends, cpus);
    for group in &mut groups {
        // Threads that are nearly always outside do not meet.
        group.retain(|cell| (cell.hold, cell.pause) != (HOLDS[0], PAUSES[3]));
    }
    let cell = |(hold, pause, each, writes)| Cell { hold, pause, threads: each * cpus, writes };
    groups.push(LOSERS.map(cell).to_vec());
    groups
}

/// The rows of results, each with its cell.
fn tagged(results: &Results, cell: Cell) -> Vec<Value> {
    let mut rows = reports::rows(results);
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.insert("hold".to_owned(), json!(cell.hold.as_secs_f64()));
        row.insert("pause".to_owned(), json!(cell.pause.as_secs_f64()));
        row.insert("writes".to_owned(), json!(cell.writes));
    }
    rows
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Command;

    #[test]
    fn plane_is_every_hold_pause_number_of_threads_and_share_of_writes() {
        let groups = whole(&PlaneArgs::default(), 2);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [80, 80, 80]);
        assert_eq!(groups[2][0].threads, 16);
        let part = PlaneArgs { threads: vec![4, 3, 4], writes: vec![1.0], ..PlaneArgs::default() };
        let part = whole(&part, 2);
        assert_eq!((part.len(), part[0].len(), part[1][0].threads), (2, 16, 3));
    }

    #[test]
    fn plane_takes_some_minutes_and_in_short_some_seconds() {
        let seconds = |line: &[&str]| {
            let cli = Cli::try_parse_from([&["siftlock-bench", "plane"], line].concat());
            let cli = cli.expect("a good line");
            let Some(Command::Plane { plane }) = &cli.command else { panic!("not plane") };
            PlaneStudy::new(plane, &cli, &Pinning::Off).takes().as_secs_f64()
        };
        assert!((300.0..540.0).contains(&seconds(&[])), "{}", seconds(&[]));
        assert!((10.0..21.0).contains(&seconds(&["--short"])), "{}", seconds(&["--short"]));
        let fixed = seconds(&["--holds=1us", "--pauses=1us", "--writes=1", "--seconds=1"]);
        assert_eq!(fixed, 3.0 * 9.0 * 4.0);
    }

    #[test]
    fn plane_in_short_is_the_corners_and_a_few_cells_more() {
        let cells = short(2).concat();
        assert_eq!(cells.len(), 12 + LOSERS.len());
        assert!(cells.iter().all(|cell| cell.threads <= 16));
    }
}
