//! Test by test, round by round, subject by subject.

use std::time::Duration;

use super::Crew;
use super::session::turns;
use crate::error::Error;
use crate::experiments::scenes::{Sampling, Scenes, Test, absence};
use crate::machine::{Clock, Pinning, Scheduling};
use crate::report::Progress;
use crate::stats::{Take, Takes};
use crate::subjects::Subject;

/// The plan of a session of tests.
#[derive(Clone, Debug)]
pub(crate) struct ScenePlan {
    pub(crate) scenes: Scenes,
    pub(crate) subjects: Vec<Subject>,
    pub(crate) tests: Vec<&'static Test>,
    pub(crate) rounds: usize,
    /// How long each sample is measured; `None`: as each test says.
    pub(crate) window: Option<Duration>,
    /// Whether the tests are as long as in 2008.
    pub(crate) full: bool,
    pub(crate) interrupt_delay: Duration,
    pub(crate) pinning: Pinning,
    /// Whether the threads may be real-time threads.
    pub(crate) fifo: bool,
}

impl ScenePlan {
    /// How long a sample of this test is measured.
    pub(crate) fn window(&self, test: &Test) -> Duration {
        self.window.unwrap_or(if self.full { test.full } else { test.brief })
    }

    /// The subjects that have something to show in a test.
    pub(crate) fn present(&self, test: &Test) -> Vec<Subject> {
        let present = |subject: &Subject| absence(self.scenes, *subject, test).is_none();
        self.subjects.iter().copied().filter(present).collect()
    }

    /// How the threads of a test are scheduled.
    pub(crate) fn scheduling(&self, test: &Test) -> Scheduling {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Scheduling::of(test.threads(), processors, self.fifo)
    }

    /// How many samples the plan has.
    pub(crate) fn samples(&self) -> usize {
        self.tests.iter().map(|test| self.present(test).len() * self.rounds).sum()
    }

    /// How long the plan takes at least.
    pub(crate) fn takes(&self) -> Duration {
        let each = self.tests.iter().map(|test| {
            let samples = self.present(test).len() * self.rounds;
            self.window(test).saturating_mul(u32::try_from(samples).unwrap_or(u32::MAX))
        });
        each.sum()
    }
}

/// Plays every test with every subject that has something to show in it. The subjects take turns,
/// and each sample is kept.
pub(crate) fn scenes(plan: &ScenePlan, clock: &Clock, progress: &Progress) -> Result<Takes, Error> {
    let mut takes = Takes::default();
    for &test in &plan.tests {
        let (window, scheduling) = (plan.window(test), plan.scheduling(test));
        let crew = Crew { threads: test.threads(), window, pinning: plan.pinning.clone() };
        let interrupt_delay = plan.interrupt_delay;
        let sampling = Sampling { test, crew: &crew, interrupt_delay, scheduling, clock };
        let present = plan.present(test);
        for round in 0..plan.rounds {
            for subject in turns(&present, round) {
                let experiment = plan.scenes.name();
                progress.begin(experiment, test.name, subject, round, plan.rounds);
                let sample = plan.scenes.sample(subject, sampling).map_err(|fault| {
                    Error::Sample { subject, experiment, threads: test.threads(), fault }
                })?;
                takes.takes.push(Take {
                    subject,
                    test,
                    seconds: sample.seconds,
                    parts: sample.parts,
                    pressure: sample.pressure,
                });
                progress.end(window);
            }
        }
    }
    Ok(takes)
}
