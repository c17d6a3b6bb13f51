//! A thread's table: a cell for each lock that it uses, and the sections that are being measured.
//!
//! The cells are a cache: each lock has [`WAYS`] possible places. A lock that finds them full takes
//! one over, and the old figures go to the record of the old lock. So a table never grows.

use crate::budget::Budget;
use crate::cell::Cell;
use crate::clock;
use crate::next::Place;
use crate::stacks::StackId;
use core::cell::Cell as Plain;
use core::hint::cold_path;
use core::sync::atomic::Ordering::Relaxed;

const CELLS: usize = 512;
/// The possible places of a lock's cell: a power of two.
const WAYS: usize = 4;
/// At most this many sections of one thread are measured at once.
const SECTIONS: usize = 8;

/// See the [module](self).
pub(crate) struct Thread {
    /// The thread is in the library's slow path: see `inside`.
    pub(crate) is_inside: Plain<bool>,
    /// How many sections are being measured.
    pub(crate) measured: Plain<u32>,
    sections: [Plain<Option<Section>>; SECTIONS],
    /// The thread's number, by which records count their threads.
    pub(crate) number: Plain<u32>,
    /// For stacks of calls that are due, of calls that wait, and of locks that begin.
    pub(crate) stacks: Budget,
    pub(crate) waits: Budget,
    pub(crate) births: Budget,
    die: Plain<u64>,
    /// For each cell, when its last measured section began, in ticks.
    measured_at: [Plain<u64>; CELLS],
    cells: [Cell; CELLS],
}

/// A section that is being measured: it ends with its unlock.
#[derive(Clone, Copy)]
pub(crate) struct Section {
    pub(crate) lock: usize,
    pub(crate) record: u32,
    /// How many calls of the thread on the lock had got in when it began.
    operations: u64,
    /// When it began, in ticks.
    pub(crate) since: u64,
    /// How many calls it stands for, and since when.
    pub(crate) weight: u64,
    pub(crate) stands_since: u64,
    /// The time of its lock call without a wait, in ticks.
    pub(crate) call: u64,
    pub(crate) stack: Option<StackId>,
    /// How many unlocks of other locks have passed it over.
    looks: u32,
}

/// A section that this many unlocks passed over is dropped: another thread must have ended it.
const PATIENCE: u32 = 10_000;

impl Thread {
    pub(crate) fn new() -> Box<Self> {
        let mut thread = Box::<Self>::new_uninit();
        // The table is too large for the stack of a program's thread, so it is built in place.
        // SAFETY: zeroes are a value of every field but `sections`, which are written before the
        // box is used.
        unsafe {
            thread.as_mut_ptr().write_bytes(0, 1);
            (&raw mut (*thread.as_mut_ptr()).sections)
                .write([const { Plain::new(None) }; SECTIONS]);
            thread.assume_init()
        }
    }

    /// Gives the table to a new thread.
    pub(crate) fn begin(&self, number: u32) {
        self.number.set(number);
        // A thread that was cancelled on its way in may have left it set.
        self.is_inside.set(false);
        // The seed: anything but 0.
        self.die.set(u64::from(number) * 2 + 1);
    }

    /// The lock's cell, if the thread has one. It mostly lies in the first place.
    #[inline(always)]
    pub(crate) fn known(&self, lock: Place) -> Option<&Cell> {
        let first = &self.cells[place_of(lock.addr())];
        if first.is_for(lock) {
            return Some(first);
        }
        cold_path();
        self.cell(lock.addr())
    }

    /// The lock's cell, if the thread has one.
    #[inline(never)]
    pub(crate) fn cell(&self, lock: usize) -> Option<&Cell> {
        self.ways(lock).find(|cell| cell.address() == lock)
    }

    /// A place for the lock, which may still be in use for another lock.
    pub(crate) fn place_for(&self, lock: usize) -> &Cell {
        let any = place_of(lock) ^ (self.random() as usize % WAYS);
        self.ways(lock).find(|cell| cell.is_free()).unwrap_or(&self.cells[any])
    }

    fn ways(&self, lock: usize) -> impl Iterator<Item = &Cell> {
        (0..WAYS).map(move |way| &self.cells[place_of(lock) ^ way])
    }

    /// All cells in use.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| !cell.is_free())
    }

    /// A random number (xorshift, by Marsaglia): its quality hardly matters.
    pub(crate) fn random(&self) -> u64 {
        let mut die = self.die.get();
        die ^= die << 13;
        die ^= die >> 7;
        die ^= die << 17;
        self.die.set(die);
        die
    }

    /// Begins to measure a section. It replaces a measured section on the same lock, or any section
    /// if there are [`SECTIONS`] already.
    pub(crate) fn measure(&self, cell: &Cell, weight: u64, call: u64, stack: Option<StackId>) {
        let since = clock::ticks();
        let at = &self.measured_at[cell.index_in(&self.cells)];
        let stands_since = at.replace(since);
        let section = Section {
            lock: cell.address(),
            record: cell.record(),
            operations: cell.operations.load(Relaxed),
            since,
            weight,
            stands_since,
            call,
            stack,
            looks: 0,
        };
        let place = self
            .section_of(section.lock)
            .map(|(at, _)| at)
            .or_else(|| self.sections.iter().find(|at| at.get().is_none()))
            .unwrap_or(&self.sections[self.random() as usize % SECTIONS]);
        place.set(Some(section));
        self.count_measured();
    }

    /// The measured section on this lock begins now, if there is one.
    pub(crate) fn section_begins(&self, lock: usize) {
        if let Some((at, section)) = self.section_of(lock) {
            at.set(Some(Section { since: clock::ticks(), ..section }));
        }
    }

    /// The measured section on this lock, and its place.
    fn section_of(&self, lock: usize) -> Option<(&Plain<Option<Section>>, Section)> {
        let on_lock = |section: &Section| section.lock == lock;
        self.sections.iter().find_map(|at| Some((at, at.get().filter(on_lock)?)))
    }

    /// Takes out the measured section on this lock, if there is one. After a later call of the
    /// thread on the lock the section is dropped: another thread may have ended it, or the unlock
    /// may end a nested read.
    pub(crate) fn measured(&self, lock: usize) -> Option<Section> {
        let is_last = |section: &Section| {
            let operations = self.cell(lock).map(|cell| cell.operations.load(Relaxed));
            operations.is_none_or(|operations| operations == section.operations)
        };
        let mut found = None;
        for at in &self.sections {
            match at.get() {
                Some(section) if section.lock == lock => {
                    found = Some(section).filter(is_last);
                    at.set(None);
                }
                Some(section) if section.looks >= PATIENCE => at.set(None),
                Some(section) => at.set(Some(Section { looks: section.looks + 1, ..section })),
                None => {}
            }
        }
        self.count_measured();
        found
    }

    /// Empties the table, at the thread's end and in a forked child.
    pub(crate) fn forget(&self) {
        self.cells().for_each(Cell::clear);
        self.sections.iter().for_each(|at| at.set(None));
        self.count_measured();
    }

    fn count_measured(&self) {
        let measured = self.sections.iter().filter(|at| at.get().is_some()).count();
        self.measured.set(measured as u32);
    }
}

/// The first place of a lock. Locks are at least 8 bytes apart.
#[inline(always)]
fn place_of(lock: usize) -> usize {
    // Fibonacci's hash (Knuth): the upper bits depend on all bits of the address.
    let hash = (lock as u64 >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> (64 - CELLS.ilog2())) as usize
}
