//! The place that threads and handlers share: the lock, the data under it, and the measurements of
//! each of them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::Ordering::Relaxed;

use siftlock_core_sim::platform::{Class, Raised};
use siftlock_sim::{Aligned, AtomicU64, Counts, Machine, Run, calls};

use super::super::delay::Delay;
use super::super::masked::Masked;
use super::super::platform::{masked, set_end, set_stage};
use super::super::ward::{Company, Ward};
use super::locks::Placed;

/// Lines of 100 integers of four bytes.
const LINES: usize = 7;

/// The measurements of one thread or handler.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Sections, those after the run's end included: `counts` covers all of them.
    pub(super) sections: u64,
    /// Tries that failed before the run's end.
    pub(super) failed: u64,
    pub(super) lock: Delay,
    pub(super) unlock: Delay,
    /// The times for which it kept interrupts out.
    pub(super) masked: Masked,
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
    ward: Ward,
    violations: Cell<u64>,
    tallies: RefCell<Vec<Tally>>,
    /// Whether sections touch the data.
    has_data: bool,
    /// When the run ends, in cycles.
    end: Cell<u64>,
}

impl<L: Placed> Site<L> {
    pub(super) fn new(seats: usize, has_data: bool) -> Rc<Self> {
        Rc::new(Self {
            lock: Aligned(L::default()),
            lines: std::array::from_fn(|_| Aligned(AtomicU64::new(0))),
            ward: Ward::default(),
            violations: Cell::default(),
            tallies: RefCell::new(vec![Tally::default(); seats]),
            has_data,
            end: Cell::default(),
        })
    }

    /// A run on this site, to which the caller adds threads and handlers.
    pub(super) fn run(&self, machine: &Machine, nanos: u64, seed: Option<u64>) -> Run {
        set_stage(self.tallies.borrow().len());
        self.end.set(machine.cycles(nanos));
        set_end(self.end.get());
        Run::new(machine.clone(), nanos, seed)
    }

    /// Runs it, and returns the tallies. An error if a writer was not alone.
    pub(super) fn finish(&self, run: Run) -> Result<Vec<Tally>, String> {
        run.go().map_err(|stuck| format!("{}: {stuck}\n{:#?}", L::NAME, *self.lock))?;
        match self.violations.get() {
            0 => Ok(self.tallies.borrow().clone()),
            some => Err(format!("{}: {some} writers were not alone", L::NAME)),
        }
    }

    /// One section, of `hold` cycles besides the data. False: it was a try, and it failed.
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
            let is_late = calls::is_over();
            self.note(seat, |tally| tally.failed += u64::from(!is_late));
            return false;
        };
        let entered = calls::now();
        self.work(section, hold);
        let leaves = calls::now();
        self.unlock(section, raised);
        let (left, end) = (calls::now(), self.end.get());
        self.note(seat, |tally| {
            tally.sections += 1;
            tally.lock.add(before, entered, end);
            tally.unlock.add(leaves, left, end);
            tally.counts = calls::counts();
        });
        true
    }

    fn unlock(&self, section: Section, raised: Raised) {
        match section {
            Section::Read(at) => self.lock.read_unlock(at, raised),
            Section::Write => self.lock.write_unlock(raised),
        }
    }

    /// Adds to the calling thread's tally, and stores how long it has kept interrupts out so far.
    fn note(&self, seat: usize, add: impl FnOnce(&mut Tally)) {
        let tally = &mut self.tallies.borrow_mut()[seat];
        add(tally);
        tally.masked = masked(Class::Irq);
    }

    /// The work inside. A violation: the data differ, or the lock let in a section that it had to
    /// keep out.
    fn work(&self, section: Section, hold: u64) {
        let writes = section == Section::Write;
        let mut are_alike = true;
        let company = self.ward.admit(writes, || {
            if self.has_data {
                let first = self.lines[0].load(Relaxed);
                for line in &self.lines {
                    if writes {
                        line.store(first + 1, Relaxed);
                    } else {
                        are_alike &= line.load(Relaxed) == first;
                    }
                }
            }
            calls::work(hold);
        });
        let is_wrong = company == Company::Wrong || !are_alike;
        self.violations.set(self.violations.get() + u64::from(is_wrong));
    }
}
