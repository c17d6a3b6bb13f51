//! The threads of a simulated experiment, and the work of each until the run is over.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use siftlock_sim::{Aligned, AtomicU64, calls};

use super::scene::{Pace, Scene, Tally};
use super::study::Study;
use super::subjects::Lock;
use super::ward::{Company, Ward};

/// Sections of a fork, and sections of an exit: as in the real experiment.
const MAPPINGS: u32 = 30;
const MESSAGES_PER_WALK: u64 = 100;
/// Lines of the tree that a section of the mail server touches, and changes.
const TREE_LINES: usize = 6;

/// The counts of one operation.
#[derive(Default)]
struct Done {
    reads: u64,
    together: u64,
    writes: u64,
    longest: u64,
}

/// A lock, and the data that it protects.
struct Place<L> {
    lock: Aligned<L>,
    ward: Ward,
}

/// All that the threads of a run share.
pub(super) struct Stage<L> {
    places: Vec<Place<L>>,
    tree: [Aligned<AtomicU64>; TREE_LINES],
    scene: Scene,
    pace: Pace,
    threads: usize,
    seed: u64,
    /// When the warm-up is over, and when the run is, in cycles.
    begins: u64,
    ends: u64,
    pub(super) tallies: RefCell<Vec<Tally>>,
    pub(super) violations: Cell<u64>,
}

/// The seed of one thread's coins: another for each seed and each thread. The upper half of a seed
/// would fall out of the shift, so it is mixed in.
const fn coin(seed: u64, seat: usize) -> u64 {
    (seed << 32 | (seat as u64 + 1)) ^ (seed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl<L: Lock> Stage<L> {
    pub(super) fn new(study: &Study, begins: u64, ends: u64) -> Rc<Self> {
        let &Study { scene, pace, threads, seed, .. } = study;
        let locks = if matches!(scene, Scene::Uncontended { .. }) { threads } else { 1 };
        let place = |_| Place { lock: Aligned(L::new()), ward: Ward::default() };
        Rc::new(Self {
            places: (0..locks).map(place).collect(),
            tree: std::array::from_fn(|_| Aligned(AtomicU64::new(0))),
            scene,
            pace,
            threads,
            seed: seed.unwrap_or(0),
            begins,
            ends,
            tallies: RefCell::new(vec![Tally::default(); threads]),
            violations: Cell::default(),
        })
    }

    /// The lock, to be looked at when a run is stuck.
    pub(super) fn lock(&self) -> &L {
        &self.places[0].lock
    }

    /// The work of one thread until the run is over.
    pub(super) fn act(&self, seat: usize) {
        let mut rng = fastrand::Rng::with_seed(coin(self.seed, seat));
        let mut tally = Tally::default();
        let mut before = None;
        for number in 1_u64.. {
            if calls::is_over() {
                break;
            }
            if calls::now() >= self.begins {
                before.get_or_insert_with(calls::counts);
                tally.begun += 1;
            }
            let done = self.operation(seat, number, &mut rng);
            if calls::now() < self.begins {
                continue;
            }
            tally.longest = tally.longest.max(done.longest);
            if !calls::is_over() {
                tally.done += 1;
                tally.reads += done.reads;
                tally.together += done.together;
                tally.writes += done.writes;
            }
        }
        tally.counts = before.map(|before| calls::counts() - before).unwrap_or_default();
        self.tallies.borrow_mut()[seat] = tally;
    }

    fn operation(&self, seat: usize, number: u64, rng: &mut fastrand::Rng) -> Done {
        let mut done = Done::default();
        let by_chance = |percent: f64, rng: &mut fastrand::Rng| rng.f64() * 100.0 < percent;
        match self.scene {
            Scene::Uncontended { writes } | Scene::Readers { writes } => {
                self.section(seat, by_chance(writes, rng), &mut done);
            }
            Scene::TryLock => self.try_section(&mut done),
            Scene::Dedicated => {
                self.section(seat, seat >= self.threads - self.threads / 2, &mut done);
            }
            Scene::Each => self.section(seat, rng.bool(), &mut done),
            Scene::Mail => self.message(number, &mut done),
        }
        done
    }

    /// One section, and the gap after it.
    fn section(&self, seat: usize, writes: bool, done: &mut Done) {
        let place = &self.places[seat % self.places.len()];
        self.hold(place, writes, done, || place.ward.enter(writes, || self.work()));
        calls::work(calls::cycles(self.pace.gap));
    }

    /// Holds the lock during `work`, which returns the company that the section had.
    fn hold(&self, at: &Place<L>, writes: bool, done: &mut Done, work: impl FnOnce() -> Company) {
        let asked = calls::now();
        let mut company = Company::None;
        let inside = || {
            done.longest = done.longest.max(self.waited(asked));
            company = work();
        };
        if writes {
            at.lock.writing(inside);
            done.writes += 1;
        } else {
            at.lock.reading(inside);
            done.reads += 1;
        }
        self.judge(company, done);
    }

    /// How long a thread that is inside now has waited: up to the run's end at most, since the
    /// threads in its way leave then.
    fn waited(&self, asked: u64) -> u64 {
        calls::now().min(self.ends).saturating_sub(asked)
    }

    /// Counts reads beside other readers, and violations.
    fn judge(&self, company: Company, done: &mut Done) {
        done.together += u64::from(company == Company::Readers);
        let is_wrong = L::EXCLUDES && company == Company::Wrong;
        self.violations.set(self.violations.get() + u64::from(is_wrong));
    }

    fn work(&self) {
        calls::work(calls::pauses(self.pace.load) + calls::cycles(self.pace.hold));
    }

    fn try_section(&self, done: &mut Done) {
        let Place { lock, ward } = &self.places[0];
        let asked = calls::now();
        let mut company = Company::None;
        let mut inside = || {
            done.longest = self.waited(asked);
            company = ward.admit(false, || self.work());
        };
        while !lock.try_reading(&mut inside) {
            calls::work(calls::pauses(1));
        }
        self.judge(company, done);
        done.reads += 1;
        calls::work(calls::cycles(self.pace.gap));
    }

    /// A message: fork, delivery, exit.
    fn message(&self, number: u64, done: &mut Done) {
        for _ in 0..MAPPINGS {
            self.change_tree(done);
        }
        calls::work(calls::cycles(self.pace.gap));
        for _ in 0..MAPPINGS {
            self.change_tree(done);
        }
        if number.is_multiple_of(MESSAGES_PER_WALK) {
            let place = &self.places[0];
            let walk = || self.tree.iter().for_each(|line| _ = line.load(Relaxed));
            self.hold(place, false, done, || place.ward.admit(false, walk));
        }
    }

    fn change_tree(&self, done: &mut Done) {
        let place = &self.places[0];
        let change = || {
            for line in &self.tree {
                line.store(line.load(Relaxed) + 1, Relaxed);
            }
            self.work();
        };
        self.hold(place, true, done, || place.ward.enter(true, change));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn coins_differ_by_seed_and_thread_also_beyond_32_bits() {
        let seeds = [1, 2, 1 + (1 << 32), 1 + (1 << 33), u64::MAX];
        let coins = seeds.into_iter().flat_map(|seed| (0..64).map(move |seat| coin(seed, seat)));
        assert_eq!(coins.collect::<BTreeSet<_>>().len(), seeds.len() * 64);
        assert_eq!(coin(3, 4), 3 << 32 | 5, "runs of small seeds are as before");
    }
}
