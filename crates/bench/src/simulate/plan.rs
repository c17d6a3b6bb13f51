//! A comparison of locks, with each experiment's defaults.

use serde_json::{Value, json};
use siftlock_sim::Machine;

use super::scene::{Pace, Scene};
use super::study::{Placement, Study};
use super::subjects::Subject;
use crate::cli::{SimulateArgs, Simulated, distinct, name_of};
use crate::report;

/// The runs on a machine.
pub(super) struct Plan {
    pub(super) experiment: Simulated,
    scene: Scene,
    pace: Pace,
    placement: Placement,
    /// Milliseconds of a run, where no thread has to share its processor.
    millis: u64,
    /// Whether the user gave `millis`.
    is_fixed: bool,
    pub(super) locks: Vec<Subject>,
    pub(super) threads: Vec<usize>,
    pub(super) seeds: Vec<u64>,
}

impl Plan {
    /// The plan of the command line, with the experiment's defaults where the line gives none.
    pub(super) fn of(args: &SimulateArgs, machine: &Machine) -> Self {
        let (scene, pace, locks, millis) = usual(args, machine);
        let threads = threads(args, machine);
        let locks = if args.locks.is_empty() { locks } else { &args.locks };
        Self {
            experiment: args.experiment,
            scene,
            pace,
            placement: args.placement.unwrap_or(Placement::Compact),
            millis: args.ms.unwrap_or(millis),
            is_fixed: args.ms.is_some(),
            locks: distinct(locks),
            threads,
            seeds: seeds(args),
        }
    }

    /// The run at one number of threads.
    pub(super) fn study(&self, machine: &Machine, threads: usize) -> Study {
        let at_least = at_least(self.millis, machine, threads);
        let millis = if self.is_fixed { self.millis } else { at_least };
        Study {
            machine: machine.clone(),
            scene: self.scene,
            pace: self.pace,
            threads,
            placement: self.placement,
            nanos: millis * 1_000_000,
            seed: None,
        }
    }

    /// The head above the tables.
    pub(super) fn head(&self) -> String {
        format!(
            "run      {}, load {}, {}{} ms after a quarter of it to warm up, threads begin {}\n\
             seeds    {}",
            self.name(),
            self.pace.load,
            if self.is_fixed { "" } else { "at least " },
            self.millis,
            name_of(&self.placement),
            joined(&self.seeds),
        )
    }

    /// The title of the table of one number of threads.
    pub(super) fn title(&self, threads: usize) -> String {
        format!("{}, {}", self.name(), report::threads(&[threads]))
    }

    /// The experiment's name, with its coin or its share of writes.
    fn name(&self) -> String {
        let name = name_of(&self.experiment);
        match (self.scene, self.writes()) {
            (Scene::Each, _) => format!("{name}, each thread by coin"),
            (_, Some(percent)) => format!("{name}, {percent} % writes"),
            _ => name,
        }
    }

    /// The parameters, for the file of results.
    pub(super) fn to_json(&self) -> Value {
        json!({
            "each": self.scene == Scene::Each,
            "write_share_percent": self.writes(),
            "load": self.pace.load,
            "hold_ns": self.pace.hold,
            "gap_ns": self.pace.gap,
            "placement": name_of(&self.placement),
            "milliseconds": self.millis,
            "locks": self.locks.iter().map(|lock| lock.name()).collect::<Vec<_>>(),
            "threads": self.threads,
            "seeds": self.seeds,
        })
    }

    /// The percentage of sections that write, in the scenes that have one.
    fn writes(&self) -> Option<f64> {
        match self.scene {
            Scene::Uncontended { writes } | Scene::Readers { writes } => Some(writes),
            _ => None,
        }
    }
}

/// An experiment's scene, pace, locks and milliseconds, unless the command line says otherwise. The
/// help of --load and --ms repeats the numbers.
fn usual(args: &SimulateArgs, machine: &Machine) -> (Scene, Pace, &'static [Subject], u64) {
    use Subject::{
        KernelCasFirst, KernelLoadFirst, Limit, Mutex, Psrw, Rwsem, RwsemCasFirst, RwsemCounted,
        RwsemLoadFirst, StandardRwlock,
    };
    const USUAL: &[Subject] = &[Rwsem, RwsemCounted, Psrw, Mutex, Limit];
    const READERS: &[Subject] = &[Rwsem, RwsemCounted, Psrw, StandardRwlock, Mutex, Limit];
    const TRYLOCK: &[Subject] =
        &[RwsemLoadFirst, RwsemCasFirst, KernelLoadFirst, KernelCasFirst, Limit];
    let writes = args.write_share.unwrap_or(1.0);
    let load = |usual| args.load.unwrap_or(usual);
    let short = Pace { load: load(0), hold: args.hold.unwrap_or(0), gap: args.gap.unwrap_or(1) };
    match args.experiment {
        Simulated::Uncontended => (Scene::Uncontended { writes }, short, USUAL, 1),
        Simulated::Trylock => {
            (Scene::TryLock, Pace { load: load(10), hold: 0, gap: 5 }, TRYLOCK, 5)
        }
        Simulated::Mail => (Scene::Mail, Pace { load: load(0), hold: 85, gap: 2_000 }, USUAL, 100),
        Simulated::Readers => (Scene::Readers { writes }, short, READERS, 10),
        _ => {
            let scene = if args.each { Scene::Each } else { Scene::Dedicated };
            // The real experiment reads the time before a section, and inside.
            let reading = machine.nanos(machine.system.clock);
            (scene, Pace { load: load(10), hold: reading, gap: reading }, USUAL, 100)
        }
    }
}

/// The milliseconds of a run: where threads share processors, at least some slices for each thread.
pub(super) fn at_least(millis: u64, machine: &Machine, threads: usize) -> u64 {
    const SLICES: u64 = 3;
    let each = threads.div_ceil(machine.topology.processors()) as u64;
    let slices = if each < 2 { 0 } else { machine.system.slice * SLICES * each };
    millis.max(machine.nanos(slices) / 1_000_000)
}

/// 2, 4, 8 … up to twice the processors; up to 16 at least.
fn threads(args: &SimulateArgs, machine: &Machine) -> Vec<usize> {
    if !args.threads.is_empty() {
        return distinct(&args.threads);
    }
    let most = (machine.topology.processors() * 2).max(16);
    std::iter::successors(Some(2), |threads| Some(threads * 2))
        .take_while(|&it| it <= most)
        .collect()
}

/// The seeds that were asked for; 1, 2 and 3 by default.
pub(super) fn seeds(args: &SimulateArgs) -> Vec<u64> {
    if args.seed.is_empty() { vec![1, 2, 3] } else { distinct(&args.seed) }
}

/// Numbers in a line.
pub(super) fn joined(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
