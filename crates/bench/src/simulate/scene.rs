//! What the threads of a simulated experiment do.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use siftlock_sim::{Aligned, AtomicU64, Counts, calls};

use super::subjects::Lock;
use super::ward::Ward;

/// An experiment's threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scene {
    /// Each thread has a lock of its own, and so many of a hundred sections write.
    Uncontended { writes: f64 },
    /// E1: threads that only try-read.
    TryLock,
    /// E2: half of the threads read, half write.
    Dedicated,
    /// E2: each section is a write or a read, by coin.
    Each,
    /// So many of a hundred sections write.
    Readers { writes: f64 },
    /// E3: clients that deal with messages.
    Mail,
}

/// How long things take beside the lock, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Pauses inside a section.
    pub(super) load: u32,
    /// Inside, besides.
    pub(super) hold: u64,
    /// Between two sections.
    pub(super) gap: u64,
}

/// What one thread did after the warm-up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) reads: u64,
    pub(super) writes: u64,
    /// What is counted: sections, or messages.
    pub(super) done: u64,
    /// The longest wait, in cycles.
    pub(super) longest: u64,
    pub(super) counts: Counts,
}

/// Sections with a message: as in the real experiment.
const MAPPINGS: u32 = 30;
const MESSAGES_PER_WALK: u64 = 100;
/// Lines of the tree that a section of the mail server touches, and changes.
const TREE_LINES: usize = 6;

/// All that the threads of a run share.
pub(super) struct Stage<L> {
    locks: Vec<Aligned<L>>,
    ward: Ward,
    tree: [Aligned<AtomicU64>; TREE_LINES],
    scene: Scene,
    pace: Pace,
    threads: usize,
    /// When the warm-up is over, in cycles.
    begins: u64,
    pub(super) tallies: RefCell<Vec<Tally>>,
    pub(super) violations: Cell<u64>,
}

impl<L: Lock> Stage<L> {
    pub(super) fn new(scene: Scene, pace: Pace, threads: usize, begins: u64) -> Rc<Self> {
        let locks = if matches!(scene, Scene::Uncontended { .. }) { threads } else { 1 };
        Rc::new(Self {
            locks: (0..locks).map(|_| Aligned(L::new())).collect(),
            ward: Ward::default(),
            tree: std::array::from_fn(|_| Aligned(AtomicU64::new(0))),
            scene,
            pace,
            threads,
            begins,
            tallies: RefCell::default(),
            violations: Cell::default(),
        })
    }

    /// The lock, to be looked at when a run is stuck.
    pub(super) fn lock(&self) -> &L {
        &self.locks[0]
    }

    /// One thread, until it is over.
    pub(super) fn act(&self, seat: usize) {
        let mut rng = fastrand::Rng::with_seed(seat as u64 + 1);
        let mut tally = Tally::default();
        let mut before = None;
        for number in 1_u64.. {
            let is_counted = calls::now() >= self.begins;
            if is_counted && before.is_none() {
                tally = Tally::default();
                before = Some(calls::counts());
            }
            self.round(seat, number, &mut rng, &mut tally);
            if calls::is_over() {
                break;
            }
            tally.done += 1;
        }
        tally.counts = calls::counts() - before.unwrap_or_default();
        self.tallies.borrow_mut().push(tally);
    }

    fn round(&self, seat: usize, number: u64, rng: &mut fastrand::Rng, tally: &mut Tally) {
        let by_chance = |percent: f64, rng: &mut fastrand::Rng| rng.f64() * 100.0 < percent;
        match self.scene {
            Scene::Uncontended { writes } | Scene::Readers { writes } => {
                self.section(seat, by_chance(writes, rng), tally);
            }
            Scene::TryLock => self.try_section(tally),
            Scene::Dedicated => self.section(seat, seat >= self.threads - self.threads / 2, tally),
            Scene::Each => self.section(seat, rng.bool(), tally),
            Scene::Mail => self.message(number, tally),
        }
    }

    /// One section, and the gap after it.
    fn section(&self, seat: usize, writes: bool, tally: &mut Tally) {
        let lock = &self.locks[seat % self.locks.len()];
        let asked = calls::now();
        let mut was_alone = false;
        let mut inside = || {
            tally.longest = tally.longest.max(calls::now() - asked);
            let work = || self.hold();
            if self.locks.len() > 1 {
                return work();
            }
            was_alone = if writes { self.ward.write(work) } else { self.ward.read(work) };
        };
        if writes {
            lock.writing(&mut inside);
            tally.writes += 1;
        } else {
            lock.reading(&mut inside);
            tally.reads += 1;
        }
        if L::EXCLUDES && self.locks.len() == 1 && !was_alone {
            self.violations.set(self.violations.get() + 1);
        }
        calls::work(calls::cycles(self.pace.gap));
    }

    fn hold(&self) {
        calls::work(calls::pauses(self.pace.load) + calls::cycles(self.pace.hold));
    }

    fn try_section(&self, tally: &mut Tally) {
        while !self.locks[0].try_reading(|| self.hold()) {
            calls::work(calls::pauses(1));
        }
        tally.reads += 1;
        calls::work(calls::cycles(self.pace.gap));
    }

    /// A message: fork, delivery, exit.
    fn message(&self, number: u64, tally: &mut Tally) {
        for _ in 0..MAPPINGS {
            self.change_tree(tally);
        }
        calls::work(calls::cycles(self.pace.gap));
        for _ in 0..MAPPINGS {
            self.change_tree(tally);
        }
        if number.is_multiple_of(MESSAGES_PER_WALK) {
            self.locks[0].reading(|| {
                for line in &self.tree {
                    line.load(Relaxed);
                }
            });
            tally.reads += 1;
        }
    }

    fn change_tree(&self, tally: &mut Tally) {
        let asked = calls::now();
        self.locks[0].writing(|| {
            tally.longest = tally.longest.max(calls::now() - asked);
            let was_alone = self.ward.write(|| {
                for line in &self.tree {
                    line.store(line.load(Relaxed) + 1, Relaxed);
                }
                self.hold();
            });
            if L::EXCLUDES && !was_alone {
                self.violations.set(self.violations.get() + 1);
            }
        });
        tally.writes += 1;
    }
}
