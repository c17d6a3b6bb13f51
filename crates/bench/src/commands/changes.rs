//! A load that changes, beside each of its corners alone.

use std::time::Duration;

use serde_json::{Value, json};

use super::inquiry::Outcome;
use super::plane::{named_or, tag, tagged, whole};
use crate::cli::{ChangesArgs, Cli, PlaneArgs};
use crate::error::Error;
use crate::experiments::{Cell, Changes, Experiment};
use crate::machine::{Machine, Pinning};
use crate::report::changes::{self as report, Measured};
use crate::report::{self as reports, Extras, Progress};
use crate::run::{self, Plan};
use crate::stats::Metric;

const EVERY: Duration = Duration::from_millis(100);
const ROUNDS: usize = 3;
/// Passes: as many as there are corners, so that each change is met.
const PASSES: u32 = 8;

/// The subjects where none is named: our lock, and the peers that it is compared with.
const SUBJECTS: [&str; 5] = ["rwsem", "std", "parking_lot-0.12", "parking_lot-mutex", "usync"];

/// The study with all its parameters.
#[derive(Clone, Debug)]
pub(super) struct ChangesStudy {
    /// The corners, once for each number of threads.
    groups: Vec<Vec<Cell>>,
    every: Duration,
    /// The plan without its number of threads. The window is the time of each corner.
    plan: Plan,
}

impl ChangesStudy {
    /// The study that the command line asks for.
    pub(super) fn new(args: &ChangesArgs, cli: &Cli, pinning: &Pinning) -> Self {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let every = args.every.unwrap_or(EVERY);
        let passes = args.seconds.map_or(PASSES, |time| passes(time, every));
        let corners = PlaneArgs {
            holds: vec![Duration::from_nanos(50), Duration::from_micros(10)],
            pauses: vec![Duration::ZERO, Duration::from_micros(10)],
            threads: args.threads.clone(),
            writes: vec![100.0, 1.0],
            ..PlaneArgs::default()
        };
        Self {
            groups: whole(&corners, cpus),
            every,
            plan: Plan {
                subjects: named_or(cli, &SUBJECTS),
                threads: Vec::new(),
                rounds: args.rounds.unwrap_or(ROUNDS),
                window: every.saturating_mul(passes),
                pinning: pinning.clone(),
            },
        }
    }

    /// Its name in commands and files.
    pub(super) fn name(&self) -> &'static str {
        Changes::NAME
    }

    /// How many samples it takes: one of each corner, and one of all in turn.
    pub(super) fn samples(&self) -> usize {
        let each: usize = self.groups.iter().map(|corners| corners.len() + 1).sum();
        each * self.plan.subjects.len() * self.plan.rounds
    }

    /// How long it measures: each corner alone, and once more among the others.
    pub(super) fn takes(&self) -> Duration {
        let corners: usize = self.groups.iter().map(Vec::len).sum();
        let parts = 2 * corners * self.plan.subjects.len() * self.plan.rounds;
        self.plan.window.saturating_mul(u32::try_from(parts).unwrap_or(u32::MAX))
    }

    /// Measures, and shows the results.
    pub(super) fn carry_out(
        &self,
        machine: &Machine,
        progress: &Progress,
        extras: Extras,
    ) -> Result<Outcome, Error> {
        let (mut measured, mut rows) = (Vec::new(), Vec::new());
        for corners in &self.groups {
            let one = self.measure(corners, machine, progress)?;
            progress.say(&report::tables(&one));
            if extras.pressure {
                progress.say(&report::pressure(&one));
            }
            rows.extend(in_file(&one));
            measured.push(one);
        }
        let Plan { rounds, window, .. } = &self.plan;
        let (seconds, every) = (window.as_secs_f64(), humantime::format_duration(self.every));
        Ok(Outcome {
            shown: format!(
                "\n{rounds} rounds of {seconds} s a corner, alone and again in turns of {every}; \
                 the time and the look at exclusion inside"
            ),
            words: report::words(&measured),
            params: self.params(),
            rows,
        })
    }

    /// Measures one number of threads.
    fn measure(
        &self,
        corners: &[Cell],
        machine: &Machine,
        progress: &Progress,
    ) -> Result<Measured, Error> {
        let load = |corners: &[Cell]| {
            let (corners, every) = (corners.to_vec(), self.every);
            Changes { corners, every, clock: machine.clock.clone() }
        };
        let mut loads: Vec<Changes> = corners.chunks(1).map(load).collect();
        loads.push(load(corners));
        let threads = corners.iter().map(|corner| corner.threads).take(1).collect();
        let plan = Plan { threads, ..self.plan.clone() };
        let mut results = run::sessions(&loads, &plan, progress)?;
        let changing = results.pop().unwrap_or_default();
        Ok(Measured::new(corners.iter().copied().zip(results).collect(), changing))
    }

    /// The parameters, for the file of results.
    pub(super) fn params(&self) -> Value {
        let Plan { subjects, rounds, window, .. } = &self.plan;
        json!({
            "subjects": subjects.iter().map(|subject| subject.name()).collect::<Vec<_>>(),
            "threads": self.groups.iter().map(|corners| corners[0].threads).collect::<Vec<_>>(),
            "every": self.every.as_secs_f64(),
            "seconds": window.as_secs_f64(),
            "rounds": rounds,
        })
    }
}

/// How many visits of `every` give a corner at least this time.
fn passes(time: Duration, every: Duration) -> u32 {
    let passes = time.as_nanos().div_ceil(every.as_nanos().max(1));
    u32::try_from(passes).unwrap_or(u32::MAX)
}

/// The rows of a file; the rows of a corner say which one it is.
fn in_file(measured: &Measured) -> Vec<Value> {
    let alone = measured.alone.iter().flat_map(|(corner, results)| tagged(results, *corner));
    let mut changing = reports::rows(&measured.changing);
    for (row, series) in changing.iter_mut().zip(&measured.changing.series) {
        if let Metric::AtCorner(at) = series.metric {
            tag(row, measured.alone[at].0);
        }
    }
    alone.chain(changing).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Command;

    fn study(line: &[&str]) -> ChangesStudy {
        let cli = Cli::try_parse_from([&["siftlock-bench", "changes"], line].concat());
        let cli = cli.expect("a good line");
        let Some(Command::Changes { changes }) = &cli.command else { panic!("not changes") };
        ChangesStudy::new(changes, &cli, &Pinning::Off)
    }

    #[test]
    fn changes_have_eight_corners_and_meet_each_change() {
        let usual = study(&["--threads", "2,4,16"]);
        assert_eq!(usual.groups.iter().map(Vec::len).collect::<Vec<_>>(), [8, 8, 8]);
        assert_eq!(usual.plan.window, EVERY * 8);
        assert_eq!(usual.samples(), 3 * 9 * SUBJECTS.len() * ROUNDS);
        assert!((500.0..600.0).contains(&usual.takes().as_secs_f64()), "{:?}", usual.takes());
    }

    #[test]
    fn changes_have_as_long_at_each_corner() {
        let window = |line: &[&str]| study(line).plan.window.as_millis();
        assert_eq!(window(&["--every", "10ms"]), 80);
        assert_eq!(window(&["--every", "10ms", "--seconds", "0.1"]), 100);
        assert_eq!(window(&["--every", "10ms", "--seconds", "0.101"]), 110);
        assert_eq!(window(&["--every", "1s", "--seconds", "0.1"]), 1_000);
    }
}
