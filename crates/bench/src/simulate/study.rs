//! One simulated run, and several with different seeds.

use std::rc::Rc;

use siftlock_sim::{Counts, Machine, Run};

use super::platform::set_stage;
use super::scene::{Pace, Scene, Stage, Tally};
use super::subjects::{Lock, Subject, Visitor};

/// What is run.
#[derive(Clone, Debug)]
pub(super) struct Study {
    pub(super) machine: Machine,
    pub(super) scene: Scene,
    pub(super) pace: Pace,
    pub(super) threads: usize,
    /// Which thread begins on which processor.
    pub(super) placement: Placement,
    /// How long the measured part is, in nanoseconds.
    pub(super) nanos: u64,
    /// Without one, there is no disorder.
    pub(super) seed: Option<u64>,
}

/// Where threads begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Placement {
    /// On neighbouring cores, one socket after the other.
    Compact,
    /// On all sockets in turn.
    Spread,
}

/// What came out of one run.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    /// Sections, or messages, in a second.
    pub(super) rate: f64,
    /// What was counted in all, and how much of it wrote.
    pub(super) done: u64,
    pub(super) reads: u64,
    pub(super) writes: u64,
    /// What all threads did in the measured part.
    pub(super) counts: Counts,
    /// Which share of the processors' time was idle: of as many processors as threads, at most.
    pub(super) idle: f64,
    /// Nanoseconds.
    pub(super) longest: u64,
    pub(super) least: u64,
    pub(super) hash: u64,
}

impl Study {
    pub(super) fn of(&self, subject: Subject) -> Result<Figures, String> {
        subject.visit(self)
    }

    /// One run for each seed.
    pub(super) fn of_seeds(&self, subject: Subject, seeds: &[u64]) -> Result<Vec<Figures>, String> {
        let study = |&seed| Self { seed: Some(seed), ..self.clone() };
        seeds.iter().map(|seed| study(seed).of(subject)).collect()
    }

    fn processor(&self, seat: usize) -> usize {
        let topology = self.machine.topology;
        let seat = seat % topology.processors();
        match self.placement {
            Placement::Compact => seat,
            Placement::Spread => {
                let (sockets, cores) = (topology.sockets, topology.all_cores());
                let (layer, place) = (seat / cores, seat % cores);
                layer * cores + place % sockets * (cores / sockets) + place / sockets
            }
        }
    }
}

impl Visitor for &Study {
    type Out = Result<Figures, String>;

    fn visit<L: Lock>(self) -> Result<Figures, String> {
        let warm_up = self.nanos / 4;
        let begins = self.machine.cycles(warm_up);
        let stage = Stage::<L>::new(self.scene, self.pace, self.threads, begins);
        set_stage(self.threads);
        let mut run = Run::new(self.machine.clone(), warm_up + self.nanos, self.seed);
        for seat in 0..self.threads {
            let stage = Rc::clone(&stage);
            run.thread(self.processor(seat), move || stage.act(seat));
        }
        let outcome = run.go().map_err(|stuck| format!("{stuck}\n{:#?}", stage.lock()))?;
        let violations = stage.violations.get();
        if violations > 0 {
            return Err(format!("{violations} writers were not alone"));
        }
        let tallies = stage.tallies.borrow();
        let sum = |count: fn(&Tally) -> u64| tallies.iter().map(count).sum::<u64>();
        let mut counts = Counts::default();
        tallies.iter().for_each(|tally| counts += tally.counts);
        let processors = self.threads.min(self.machine.topology.processors()) as f64;
        let unused = self.machine.topology.processors() as f64 - processors;
        let took = outcome.took as f64;
        let done = sum(|tally| tally.done);
        Ok(Figures {
            rate: done as f64 / (self.nanos as f64 / 1e9),
            done,
            reads: sum(|tally| tally.reads),
            writes: sum(|tally| tally.writes),
            counts,
            idle: ((outcome.idle as f64 - unused * took) / (processors * took)).max(0.0),
            longest: self.machine.nanos(tallies.iter().map(|it| it.longest).max().unwrap_or(0)),
            least: tallies.iter().map(|tally| tally.done).min().unwrap_or(0),
            hash: outcome.hash,
        })
    }
}
