//! What threads and handlers share: the lock, the data under it, and what each of them has
//! measured.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use siftlock_core_sim::platform::{Class, Raised};
use siftlock_sim::{Aligned, AtomicU64, Counts, Machine, Run, calls};

use super::super::platform::{Masked, masked, set_stage};
use super::locks::Placed;

/// Lines of 100 integers of four bytes.
const LINES: usize = 7;

/// Lengths of time, in cycles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Delay {
    pub(crate) number: u64,
    pub(crate) total: u64,
    pub(crate) least: u64,
    pub(crate) longest: u64,
}

impl Delay {
    fn add(&mut self, cycles: u64) {
        self.least = if self.number == 0 { cycles } else { self.least.min(cycles) };
        self.longest = self.longest.max(cycles);
        self.number += 1;
        self.total += cycles;
    }

    pub(super) fn merge(&mut self, other: Self) {
        if other.number > 0 {
            let is_first = self.number == 0;
            self.least = if is_first { other.least } else { self.least.min(other.least) };
            self.longest = self.longest.max(other.longest);
            self.number += other.number;
            self.total += other.total;
        }
    }

    /// Cycles on average.
    pub(crate) fn mean(&self) -> f64 {
        self.total as f64 / self.number.max(1) as f64
    }
}

/// What one thread or handler has measured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) sections: u64,
    /// Tries that failed.
    pub(super) failed: u64,
    pub(super) lock: Delay,
    pub(super) unlock: Delay,
    /// What it kept out, by class.
    pub(super) masked: [Masked; 4],
    pub(super) counts: Counts,
}

/// Whether a section changes the data, and in which class it reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Read(Class),
    Write,
}

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Site<L> {
    lock: Aligned<L>,
    lines: [Aligned<AtomicU64>; LINES],
    /// Readers and writers inside, counted free of charge.
    inside: Cell<(u64, u64)>,
    violations: Cell<u64>,
    tallies: RefCell<Vec<Tally>>,
    /// Whether sections touch the data.
    has_data: bool,
}

impl<L: Placed> Site<L> {
    pub(super) fn new(seats: usize, has_data: bool) -> Rc<Self> {
        Rc::new(Self {
            lock: Aligned(L::default()),
            lines: std::array::from_fn(|_| Aligned(AtomicU64::new(0))),
            inside: Cell::default(),
            violations: Cell::default(),
            tallies: RefCell::new(vec![Tally::default(); seats]),
            has_data,
        })
    }

    /// A run on this site, to which the caller adds threads and handlers.
    pub(super) fn run(&self, machine: &Machine, nanos: u64, seed: Option<u64>) -> Run {
        set_stage(self.tallies.borrow().len());
        Run::new(machine.clone(), nanos, seed)
    }

    /// Runs it, and says what each has measured. An error where a writer was not alone.
    pub(super) fn finish(&self, run: Run) -> Result<Vec<Tally>, String> {
        run.go().map_err(|stuck| format!("{}: {stuck}\n{:#?}", L::NAME, *self.lock))?;
        match self.violations.get() {
            0 => Ok(self.tallies.borrow().clone()),
            some => Err(format!("{}: {some} writers were not alone", L::NAME)),
        }
    }

    /// One section of so many cycles besides the data. False: it was a try, and it failed.
    pub(super) fn section(&self, seat: usize, section: Section, is_try: bool, hold: u64) -> bool {
        let before = calls::now();
        let lock = &*self.lock;
        let raised = match (section, is_try) {
            (Section::Read(at), false) => Some(lock.read(at)),
            (Section::Read(at), true) => lock.try_read(at),
            (Section::Write, false) => Some(lock.write()),
            (Section::Write, true) => lock.try_write(),
        };
        let Some(raised) = raised else {
            self.tallies.borrow_mut()[seat].failed += 1;
            return false;
        };
        let entered = calls::now();
        self.work(section, hold);
        let leaves = calls::now();
        self.unlock(section, raised);
        let left = calls::now();
        self.note(seat, entered - before, left - leaves);
        true
    }

    fn unlock(&self, section: Section, raised: Raised) {
        match section {
            Section::Read(at) => self.lock.read_unlock(at, raised),
            Section::Write => self.lock.write_unlock(raised),
        }
    }

    fn note(&self, seat: usize, lock: u64, unlock: u64) {
        let mut tallies = self.tallies.borrow_mut();
        let tally = &mut tallies[seat];
        tally.sections += 1;
        tally.lock.add(lock);
        tally.unlock.add(unlock);
        let classes = [Class::Thread, Class::NonPreemptible, Class::SoftIrq, Class::Irq];
        tally.masked = classes.map(masked);
        tally.counts = calls::counts();
    }

    /// Inside: the data are alike, and nobody else is there who must not be.
    fn work(&self, section: Section, hold: u64) {
        let writes = section == Section::Write;
        let (readers, writers) = self.inside.get();
        let mut is_right = writers == 0 && !(writes && readers > 0);
        self.inside.set(if writes { (readers, writers + 1) } else { (readers + 1, writers) });
        if self.has_data {
            let first = self.lines[0].load(Relaxed);
            for line in &self.lines {
                if writes {
                    line.store(first + 1, Relaxed);
                } else {
                    is_right &= line.load(Relaxed) == first;
                }
            }
        }
        calls::work(hold);
        // All that happens meanwhile happens before the caller counts itself out.
        calls::raise(0);
        let (readers, writers) = self.inside.get();
        self.inside.set(if writes { (readers, writers - 1) } else { (readers - 1, writers) });
        self.violations.set(self.violations.get() + u64::from(!is_right));
    }
}
