//! One simulated run, and several with different seeds.

use std::rc::Rc;

use siftlock_sim::{Counts, Machine, Run};

use super::platform::set_stage;
use super::scene::{Pace, Scene, Tally};
use super::stage::Stage;
use super::subjects::{Lock, Subject, Visitor};

/// The parameters of a run.
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

/// The figures of one run.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    /// How long the measured part was, in nanoseconds.
    pub(super) nanos: u64,
    /// Sections, or messages, in a second.
    pub(super) rate: f64,
    /// Operations that ended in the measured part, and their sections.
    pub(super) done: u64,
    pub(super) reads: u64,
    /// Reads that began beside another reader.
    pub(super) together: u64,
    pub(super) writes: u64,
    /// Operations that began in the measured part, and their cost to all threads, to their ends.
    pub(super) begun: u64,
    pub(super) counts: Counts,
    /// The idle share of the measured time of the processors, or of as many as there are threads.
    pub(super) idle: f64,
    /// The longest wait, in nanoseconds.
    pub(super) longest: u64,
    /// The operations of the slowest thread.
    pub(super) least: u64,
    pub(super) hash: u64,
}

impl Study {
    pub(super) fn of(&self, subject: Subject) -> Result<Figures, String> {
        subject.visit(self)
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
        let ends = self.machine.cycles(warm_up + self.nanos);
        let stage = Stage::<L>::new(self, begins, ends);
        set_stage(self.threads);
        let run = Run::new(self.machine.clone(), warm_up + self.nanos, self.seed);
        let mut run = run.measured_from(warm_up);
        for seat in 0..self.threads {
            let stage = Rc::clone(&stage);
            run.thread(self.processor(seat), move || stage.act(seat));
        }
        let outcome = run.go().map_err(|stuck| format!("{stuck}\n{:#?}", stage.lock()))?;
        let violations = stage.violations.get();
        if violations > 0 {
            return Err(format!("in {violations} sections a writer was not alone"));
        }
        let tallies = stage.tallies.borrow();
        let sum = |count: fn(&Tally) -> u64| tallies.iter().map(count).sum::<u64>();
        let mut counts = Counts::default();
        for (tally, measured) in tallies.iter().zip(outcome.measured) {
            // A thread that waited all the time has costs all the same.
            counts += if tally.begun > 0 { tally.counts } else { measured };
        }
        let processors = self.threads.min(self.machine.topology.processors()) as f64;
        let unused = self.machine.topology.processors() as f64 - processors;
        let took = self.machine.cycles(self.nanos) as f64;
        let done = sum(|tally| tally.done);
        Ok(Figures {
            nanos: self.nanos,
            rate: done as f64 / (self.nanos as f64 / 1e9),
            done,
            reads: sum(|tally| tally.reads),
            together: sum(|tally| tally.together),
            writes: sum(|tally| tally.writes),
            begun: sum(|tally| tally.begun),
            counts,
            idle: ((outcome.idle as f64 - unused * took) / (processors * took)).max(0.0),
            longest: self.machine.nanos(tallies.iter().map(|it| it.longest).max().unwrap_or(0)),
            least: tallies.iter().map(|tally| tally.done).min().unwrap_or(0),
            hash: outcome.hash,
        })
    }
}

#[cfg(test)]
mod tests {
    use siftlock_sim::presets;

    use super::*;

    /// A lock whose reads (`READS`), or else whose writes, exclude nobody.
    #[derive(Debug)]
    struct Broken<const READS: bool>(super::super::peers::Mutex);

    impl<const READS: bool> Lock for Broken<READS> {
        const TRIES: bool = true;

        fn new() -> Self {
            Self(Lock::new())
        }

        fn reading(&self, section: impl FnOnce()) {
            if READS { section() } else { self.0.reading(section) }
        }

        fn writing(&self, section: impl FnOnce()) {
            if READS { self.0.writing(section) } else { section() }
        }
    }

    fn study(scene: Scene, load: u32) -> Study {
        Study {
            machine: presets::named("amd-2").expect("a preset"),
            scene,
            pace: Pace { load, hold: 0, gap: 1 },
            threads: 2,
            placement: Placement::Compact,
            nanos: 2_000_000,
            seed: Some(1),
        }
    }

    #[test]
    fn study_notices_locks_that_do_not_exclude() {
        let scenes = [Scene::Dedicated, Scene::Each, Scene::Readers { writes: 50.0 }];
        for (scene, load) in scenes.into_iter().flat_map(|scene| [(scene, 0), (scene, 10)]) {
            let study = study(scene, load);
            let runs = [(&study).visit::<Broken<true>>(), (&study).visit::<Broken<false>>()];
            for (run, what) in runs.iter().zip(["reads", "writes"]) {
                assert!(run.is_err(), "{scene:?}, load {load}: {what} exclude nobody");
            }
        }
        // Broken reads go unnoticed here: a walk by a thread that has just written is over before
        // another thread comes.
        let mail = Study { nanos: 2_000_000, ..study(Scene::Mail, 0) };
        assert!((&mail).visit::<Broken<false>>().is_err());
    }

    /// A thread that gets in only because the others leave has not waited beyond the end.
    #[test]
    fn study_cuts_waits_at_the_end() {
        let study = Study { threads: 64, ..study(Scene::Dedicated, 1_000) };
        let run = (&study).visit::<super::super::peers::Mutex>().expect("a run");
        let lasts = study.nanos / 4 + study.nanos;
        assert!((lasts / 2..=lasts).contains(&run.longest), "{} of {lasts}", run.longest);
    }

    /// The rate stays below what the processors can do, also where a thread keeps its processor to
    /// the end of its slice.
    #[test]
    fn study_counts_what_happens_in_the_measured_part() {
        for threads in [2, 8, 64] {
            let study =
                Study { threads, nanos: 10_000_000, ..study(Scene::Readers { writes: 0.0 }, 10) };
            let run = (&study).visit::<super::super::peers::Limit>().expect("a run");
            let at_most = 2.0 * 1e9 / study.machine.nanos(10 * study.machine.memory.pause) as f64;
            assert!(run.rate < at_most, "{threads} threads: {} of {at_most}", run.rate);
            assert!(run.done <= run.begun + threads as u64 && run.idle < 0.01, "{run:?}");
        }
    }
}
