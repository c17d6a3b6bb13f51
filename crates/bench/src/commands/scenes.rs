//! E4 and E5 with all their parameters, and the tables and sentences of their results.

use serde::Serialize;

use super::inquiry::{Outcome, plain};
use crate::cli::{Cli, SceneArgs};
use crate::error::Error;
use crate::experiments::scenes::{FAIL_AFTER, INTERRUPT_READER_DELAY, Scenes, Test};
use crate::machine::{Machine, Pinning, Scheduling};
use crate::report::{self, Detail, Extras, Progress};
use crate::run::{self, ScenePlan};
use crate::subjects::{Role, Subject};
use std::time::Duration;

/// Rounds of each test, unless asked for otherwise.
const ROUNDS: usize = 3;
/// Rounds in the quick comparison.
const QUICK_ROUNDS: usize = 2;
const QUICK_WINDOW: Duration = Duration::from_millis(500);
const QUICK_TEST: &str = "slow-readers";

/// An experiment that is to be carried out.
#[derive(Clone, Debug)]
pub(super) struct SceneStudy {
    pub(super) plan: ScenePlan,
    detail: Detail,
    /// The tests that were named.
    named: Vec<String>,
}

/// The parameters, as results carry them.
#[derive(Serialize)]
pub(super) struct Params {
    subjects: Vec<&'static str>,
    rounds: usize,
    interrupt_reader_delay_s: f64,
    fail_after: u32,
    tests: Vec<TestParams>,
}

/// The parameters of one test.
#[derive(Serialize)]
struct TestParams {
    name: &'static str,
    seconds: f64,
    cast: Vec<(&'static str, usize)>,
    inside_s: f64,
    scheduling: Scheduling,
}

impl SceneStudy {
    /// The study that the command line asks for.
    pub(super) fn new(scenes: Scenes, args: &SceneArgs, cli: &Cli, pinning: &Pinning) -> Self {
        let chosen =
            |test: &&Test| args.tests.is_empty() || args.tests.iter().any(|one| one == test.name);
        let plan = ScenePlan {
            scenes,
            subjects: subjects(scenes, &cli.subjects),
            tests: scenes.tests().iter().filter(chosen).collect(),
            rounds: args.rounds.unwrap_or(ROUNDS),
            window: args.seconds,
            full: args.full,
            interrupt_delay: args.interrupts_every.unwrap_or(INTERRUPT_READER_DELAY),
            pinning: pinning.clone(),
            fifo: !args.no_fifo,
        };
        Self { plan, detail: Detail::Full, named: args.tests.clone() }
    }

    /// A part of the quick comparison.
    pub(super) fn quick(cli: &Cli, pinning: &Pinning) -> Self {
        let args = SceneArgs {
            seconds: Some(QUICK_WINDOW),
            rounds: Some(QUICK_ROUNDS),
            tests: vec![QUICK_TEST.to_owned()],
            ..SceneArgs::default()
        };
        Self { detail: Detail::Brief, ..Self::new(Scenes::Latency, &args, cli, pinning) }
    }

    /// Refuses a test of the other experiment.
    pub(super) fn check(&self) -> Result<(), Error> {
        let scenes = self.plan.scenes;
        let names: Vec<&str> = scenes.tests().iter().map(|test| test.name).collect();
        match self.named.iter().find(|test| !names.contains(&test.as_str())) {
            Some(test) => Err(Error::NoSuchTest {
                experiment: scenes.name(),
                test: test.clone(),
                has: names.join(", "),
            }),
            None => Ok(()),
        }
    }

    /// The experiment's name in commands and files.
    pub(super) fn name(&self) -> &'static str {
        self.plan.scenes.name()
    }

    /// Measures, and shows the results.
    pub(super) fn carry_out(
        &self,
        machine: &Machine,
        progress: &Progress,
        extras: Extras,
    ) -> Result<Outcome, Error> {
        let (plan, clock) = (&self.plan, &machine.clock);
        let takes = run::scenes(plan, clock, progress)?;
        let mut shown = report::scenes::shown(&takes, plan, clock, self.detail);
        if extras.pressure {
            shown.push_str(&report::scenes::pressure(&takes, plan));
        }
        Ok(Outcome {
            shown,
            words: report::scenes::words(&takes, plan.scenes, clock),
            params: plain(self.params()),
            rows: report::scenes::rows(&takes, plan.scenes),
        })
    }

    /// The parameters, for the file of results.
    pub(super) fn params(&self) -> Params {
        let plan = &self.plan;
        let test = |test: &&'static Test| TestParams {
            name: test.name,
            seconds: plan.window(test).as_secs_f64(),
            cast: test.cast.iter().map(|(role, number)| (role.label(), *number)).collect(),
            inside_s: test.inside.as_secs_f64(),
            scheduling: plan.scheduling(test),
        };
        Params {
            subjects: plan.subjects.iter().copied().map(Subject::name).collect(),
            rounds: plan.rounds,
            interrupt_reader_delay_s: plan.interrupt_delay.as_secs_f64(),
            fail_after: FAIL_AFTER,
            tests: plan.tests.iter().map(test).collect(),
        }
    }
}

/// The subjects: the named ones, or else the locks that know contexts and the floor on one word;
/// where delays are measured, also our semaphore and the peers.
fn subjects(scenes: Scenes, named: &[Subject]) -> Vec<Subject> {
    let usual = |subject: &Subject| match subject.role() {
        Role::Placed => true,
        Role::Ours | Role::Peer => scenes == Scenes::Delays,
        Role::Floor => *subject == Subject::Limit,
        Role::Variant | Role::Hidden => false,
    };
    let chosen = |subject: &Subject| {
        if named.is_empty() { usual(subject) } else { named.contains(subject) }
    };
    Subject::ALL.iter().copied().filter(chosen).collect()
}
