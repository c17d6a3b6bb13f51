//! The study of readers that scale: the sweep over shares of writes, the cost of a bias where it
//! cannot pay, and the cost of a revocation.

use std::time::Duration;

use serde_json::{Value, json};

use super::inquiry::{Outcome, plain};
use crate::cli::{ReadersArgs, distinct};
use crate::error::Error;
use crate::experiments::{Experiment, Mix, Mixed, Mixture, Readers};
use crate::machine::{Facts, Machine, Pinning};
use crate::report::readers::{self as report, Case};
use crate::report::{self as reports, Extras, Progress};
use crate::run::{self, Plan};
use crate::stats::Results;
use crate::subjects::Subject;

/// Shares of writes, in per cent.
const WRITES: [f64; 5] = [0.0, 0.1, 1.0, 10.0, 50.0];
/// Our lock as it is, without slots, and with slots at every chance.
pub(super) const BIASES: [Subject; 3] =
    [Subject::Rwsem, Subject::RwsemUnbiased, Subject::RwsemEager];
/// Without biases and with them, where a bias cannot pay.
const PRICED: [Subject; 2] = [Subject::RwsemUnbiased, Subject::Rwsem];

const ROUNDS: usize = 3;
const WINDOW: Duration = Duration::from_millis(200);
/// Many short samples: the effects are a few per cent.
const PRICE_ROUNDS: usize = 21;
const PRICE_WINDOW: Duration = Duration::from_millis(50);
/// Why the tables of pressure have no waits.
const NO_WAITS: &str = "the threads do not look at the clock when they wait";
/// The load of E2.
const E2_LOAD: u32 = 10;

/// The part of the study that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Sweep,
    Price,
    #[cfg(target_os = "linux")]
    Revocation,
}

/// The study with all its parameters.
#[derive(Clone, Debug)]
pub(super) struct ReadersStudy {
    part: Part,
    plan: Plan,
    writes: Vec<f64>,
    load: u32,
    /// The load of the price's row of E2.
    e2_load: u32,
}

/// The load of one row of the price.
#[derive(Clone, Copy)]
enum Load {
    /// This percentage of each thread's sections write, at even distances.
    Even(f64),
    /// E2.
    E2,
}

impl ReadersStudy {
    /// The study as asked for; `subjects` are for the sweep.
    pub(super) fn new(args: &ReadersArgs, subjects: Vec<Subject>, pinning: &Pinning) -> Self {
        let part = match args {
            #[cfg(target_os = "linux")]
            ReadersArgs { revoke: true, .. } => Part::Revocation,
            ReadersArgs { price: true, .. } => Part::Price,
            _ => Part::Sweep,
        };
        let (point, cpus) = (&args.point, cpus());
        let (subjects, threads, rounds, window) = match part {
            Part::Sweep => (subjects, upto(cpus), ROUNDS, WINDOW),
            Part::Price => (PRICED.to_vec(), vec![1, cpus, 2 * cpus], PRICE_ROUNDS, PRICE_WINDOW),
            #[cfg(target_os = "linux")]
            Part::Revocation => {
                let readers = crate::experiments::revocation::READERS.to_vec();
                (vec![Subject::RwsemEager], readers, ROUNDS, Duration::ZERO)
            }
        };
        let mut threads = if point.threads.is_empty() { threads } else { point.threads.clone() };
        threads.sort_unstable();
        threads.dedup();
        let writes = distinct(if args.writes.is_empty() { &WRITES } else { &args.writes });
        let plan = Plan {
            subjects,
            threads,
            rounds: point.rounds.unwrap_or(rounds),
            window: point.seconds.unwrap_or(window),
            pinning: pinning.clone(),
        };
        let (load, e2_load) = (point.load.unwrap_or(0), point.load.unwrap_or(E2_LOAD));
        Self { part, plan, writes, load, e2_load }
    }

    /// Its name in commands and files.
    pub(super) fn name(&self) -> &'static str {
        match self.part {
            Part::Sweep => Readers::NAME,
            Part::Price => "readers-price",
            #[cfg(target_os = "linux")]
            Part::Revocation => "readers-revoke",
        }
    }

    /// How many samples it takes.
    pub(super) fn samples(&self) -> usize {
        match self.part {
            Part::Sweep => self.plan.samples() * self.writes.len(),
            Part::Price => self.cases().len() * PRICED.len() * self.plan.rounds,
            #[cfg(target_os = "linux")]
            Part::Revocation => self.plan.samples(),
        }
    }

    /// How long it measures.
    pub(super) fn takes(&self) -> Duration {
        self.plan.window.saturating_mul(u32::try_from(self.samples()).unwrap_or(u32::MAX))
    }

    /// Measures, and shows the results.
    pub(super) fn carry_out(
        &self,
        machine: &Machine,
        progress: &Progress,
        extras: Extras,
    ) -> Result<Outcome, Error> {
        let facts = Facts::measure();
        progress.say(&report::facts(&facts, machine));
        let mut outcome = match self.part {
            Part::Sweep => self.sweep(progress, extras)?,
            Part::Price => self.price(machine, progress)?,
            #[cfg(target_os = "linux")]
            Part::Revocation => self.revocation(machine)?,
        };
        if let Some(params) = outcome.params.as_object_mut() {
            params.insert("facts".to_owned(), plain(facts));
        }
        Ok(outcome)
    }

    fn sweep(&self, progress: &Progress, extras: Extras) -> Result<Outcome, Error> {
        let mut outcome = self.outcome();
        let mut swept: Vec<(f64, Results)> = Vec::new();
        for &writes in &self.writes {
            let mixture = Mixture { writes, even: false };
            let experiment = Readers { load: self.load, mixture };
            let results = run::session(&experiment, &self.plan, progress)?;
            progress.say(&report::tables(writes, &results));
            if extras.pressure {
                let (name, dash) = (format!("Readers, {writes} % writes"), Some(NO_WAITS));
                progress.say(&reports::pressure::tables(&results, &name, "sections", dash));
            }
            outcome.rows.extend(tagged(&results, "writes", &json!(writes)));
            swept.push((writes, results));
        }
        outcome.words = report::words(&swept);
        Ok(outcome)
    }

    /// The rows of the price: the name, the number of threads, and the load.
    fn cases(&self) -> Vec<(String, usize, Load)> {
        let mut out = Vec::new();
        for &threads in &self.plan.threads {
            out.push(("write only".to_owned(), threads, Load::Even(100.0)));
            out.push(("read and write in turn".to_owned(), threads, Load::Even(50.0)));
            if threads > 1 {
                out.push(("E2, half read, half write".to_owned(), threads, Load::E2));
            }
        }
        out
    }

    fn price(&self, machine: &Machine, progress: &Progress) -> Result<Outcome, Error> {
        let mut outcome = self.outcome();
        let mut cases = Vec::new();
        for (label, threads, load) in self.cases() {
            let plan = Plan { threads: vec![threads], ..self.plan.clone() };
            let results = match load {
                Load::Even(writes) => {
                    let mixture = Mixture { writes, even: true };
                    run::session(&Readers { load: self.load, mixture }, &plan, progress)?
                }
                Load::E2 => {
                    let (mix, clock) = (Mix::Dedicated, machine.clock.clone());
                    let mixed = Mixed { load: self.e2_load, mix, clock, together: false };
                    run::session(&mixed, &plan, progress)?
                }
            };
            outcome.rows.extend(tagged(&results, "case", &json!(label)));
            cases.push(Case { label, threads, results });
        }
        outcome.shown = format!("{}\n{}", report::price(&cases, PRICED), outcome.shown);
        outcome.words = report::price_words(&cases, PRICED);
        Ok(outcome)
    }

    #[cfg(target_os = "linux")]
    fn revocation(&self, machine: &Machine) -> Result<Outcome, Error> {
        use crate::experiments::revocation;
        let costs = revocation::costs(&self.plan.threads, self.plan.rounds, &machine.clock);
        let costs = costs.map_err(|fault| Error::Sample {
            subject: Subject::RwsemEager,
            experiment: self.name(),
            threads: self.plan.threads.iter().copied().max().unwrap_or(1),
            fault,
        })?;
        let mut outcome = self.outcome();
        outcome.rows = costs.iter().map(plain).collect();
        outcome.shown = reports::revocation::table(&costs);
        outcome.words = reports::revocation::words(&costs);
        Ok(outcome)
    }

    /// The parameters, for the file of results.
    pub(super) fn params(&self) -> Value {
        let Plan { subjects, threads, rounds, window, pinning: _ } = &self.plan;
        let mut params = json!({
            "subjects": subjects.iter().map(|subject| subject.name()).collect::<Vec<_>>(),
            "threads": threads,
            "seconds": window.as_secs_f64(),
            "rounds": rounds,
            "load": self.load,
        });
        if self.part == Part::Sweep {
            params["writes"] = json!(self.writes);
        }
        params
    }

    /// The outcome as far as it is known before anything was measured.
    fn outcome(&self) -> Outcome {
        let Plan { rounds, window, .. } = &self.plan;
        let (seconds, load, params) = (window.as_secs_f64(), self.load, self.params());
        let shown = format!(
            "{rounds} rounds of {seconds} s; sections of {load} pauses, the look at exclusion inside"
        );
        Outcome { shown, words: Vec::new(), params, rows: Vec::new() }
    }
}

/// The rows of results, each with one field more.
fn tagged(results: &Results, name: &str, value: &Value) -> Vec<Value> {
    let mut rows = reports::rows(results);
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        row.insert(name.to_owned(), value.clone());
    }
    rows
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The powers of two below the number of CPUs, then one, two and four threads for each CPU.
fn upto(cpus: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |threads| Some(threads * 2));
    powers.take_while(|&threads| threads < cpus).chain([cpus, 2 * cpus, 4 * cpus]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_are_up_to_four_for_each_processor() {
        assert_eq!(upto(1), [1, 2, 4]);
        assert_eq!(upto(2), [1, 2, 4, 8]);
        assert_eq!(upto(6), [1, 2, 4, 6, 12, 24]);
    }
}
