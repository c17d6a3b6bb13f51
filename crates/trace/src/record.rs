//! What is known of a lock: the counts of all threads that are done with it, and the sections that
//! were measured in full.
//!
//! A record is read and written only under the registry's mutex.

use crate::cell::{Cell, Waits};
use crate::clock;
use crate::histogram::Histogram;
use crate::stacks::StackId;
use crate::thread::Section;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use rustc_hash::{FxHashMap, FxHashSet};

/// How a lock began.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Birth {
    /// By `pthread_rwlock_init`.
    Init,
    /// By an initialiser, or before the library was loaded: the lock begins at the first call that
    /// the library sees.
    FirstUse,
}

/// See the [module](self).
pub(crate) struct Record {
    pub(crate) number: u32,
    pub(crate) address: usize,
    pub(crate) birth: Birth,
    pub(crate) created: Option<StackId>,
    /// How many locks the record stands for: ended locks that began at one place share a record.
    pub(crate) locks: u64,
    pub(crate) threads: FxHashSet<u32>,
    pub(crate) counts: Counts,
    pub(crate) waits: Waits,
    pub(crate) holds: Holds,
    pub(crate) stacks: FxHashMap<StackId, Weight>,
    /// How many writers wait. The cells of all threads point to it.
    writers: *mut AtomicU32,
}

// SAFETY: the record owns the pointer, and the count behind it is atomic.
unsafe impl Send for Record {}

/// Exact counts of calls.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) operations: u64,
    pub(crate) writes: u64,
    pub(crate) contended: u64,
    pub(crate) refused: u64,
}

impl Counts {
    pub(crate) fn of(cell: &Cell) -> Self {
        Self {
            operations: cell.operations.load(Relaxed),
            writes: cell.writes.load(Relaxed),
            contended: cell.contended.load(Relaxed),
            refused: cell.refused.load(Relaxed),
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.operations += other.operations;
        self.writes += other.writes;
        self.contended += other.contended;
        self.refused += other.refused;
    }
}

/// The sections that were measured, in ticks.
pub(crate) struct Holds {
    pub(crate) measured: u64,
    /// An estimate for all sections: each measured one stands for its weight.
    pub(crate) total: u64,
    pub(crate) longest: u64,
    pub(crate) lengths: Histogram,
    /// The time of a section's two lock calls together.
    pub(crate) calls: Histogram,
}

impl Holds {
    pub(crate) const fn new() -> Self {
        let (lengths, calls) = (Histogram::new(), Histogram::new());
        Self { measured: 0, total: 0, longest: 0, lengths, calls }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.measured += other.measured;
        self.total += other.total;
        self.calls.merge(&other.calls);
        self.longest = self.longest.max(other.longest);
        self.lengths.merge(&other.lengths);
    }
}

/// The waits and sections that were seen under one stack, in ticks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Weight {
    pub(crate) waited: u64,
    pub(crate) waits: u64,
    pub(crate) held: u64,
    pub(crate) calls: u64,
    pub(crate) holds: u64,
}

impl Weight {
    pub(crate) fn add(&mut self, more: Self) {
        self.waited += more.waited;
        self.waits += more.waits;
        self.held += more.held;
        self.calls += more.calls;
        self.holds += more.holds;
    }
}

impl Record {
    pub(crate) fn new(number: u32, address: usize, birth: Birth, created: Option<StackId>) -> Self {
        Self {
            number,
            address,
            birth,
            created,
            locks: 1,
            threads: FxHashSet::default(),
            counts: Counts::default(),
            waits: Waits::new(),
            holds: Holds::new(),
            stacks: FxHashMap::default(),
            writers: Box::into_raw(Box::new(AtomicU32::new(0))),
        }
    }

    /// Empties the figures. The count of waiting writers keeps its place: the calling thread may be
    /// a handler on top of such a writer.
    pub(crate) fn forget_figures(&mut self) {
        let mut empty = Self::new(self.number, self.address, self.birth, self.created);
        core::mem::swap(&mut empty.writers, &mut self.writers);
        // SAFETY: made from a box, and not freed before the drop.
        unsafe { (*empty.writers).store(0, Relaxed) };
        *self = empty;
    }

    /// Makes a cell count for the lock from now on.
    pub(crate) fn count_in(&mut self, cell: &Cell, thread: u32) {
        self.threads.insert(thread);
        cell.begin(self.address, self.number, self.writers);
    }

    /// Takes over the counts of a cell, and frees the cell.
    pub(crate) fn take(&mut self, cell: &Cell) {
        self.counts.add(Counts::of(cell));
        if let Some(waits) = cell.waits() {
            self.waits.merge(waits);
        }
        cell.clear();
    }

    /// Adds a wait under this stack that has ended.
    pub(crate) fn waited(&mut self, stack: StackId, ticks: u64) {
        let weight = self.stacks.entry(stack).or_default();
        weight.waited += ticks;
        weight.waits += 1;
    }

    /// Adds a measured section that ended at `now`. Its two lock calls took `calls` ticks.
    ///
    /// The section stands for others of its thread. All of them together count for no more than the
    /// time since the last measured one began. Otherwise the one section in thousands in which
    /// the thread lost its processor would count thousands of times.
    pub(crate) fn held(&mut self, section: &Section, now: u64, calls: u64) {
        let ticks = clock::between(section.since, now);
        let passed = now.saturating_sub(section.stands_since);
        let for_all = |ticks: u64| (ticks * section.weight).min(passed);
        let held = for_all(ticks);
        self.holds.measured += 1;
        self.holds.total += held;
        self.holds.calls.add(calls, section.weight);
        self.holds.longest = self.holds.longest.max(ticks);
        self.holds.lengths.add(ticks, section.weight);
        if let Some(stack) = section.stack {
            let weight = self.stacks.entry(stack).or_default();
            weight.held += held;
            weight.calls += for_all(calls);
            weight.holds += 1;
        }
    }

    /// Adds all figures of another record.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.locks += other.locks;
        self.threads.extend(&other.threads);
        self.counts.add(other.counts);
        self.waits.merge(&other.waits);
        self.holds.merge(&other.holds);
        for (&stack, more) in &other.stacks {
            self.stacks.entry(stack).or_default().add(*more);
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        // SAFETY: made from a box. The record's cells are free: the lock has ended, or the process
        // is a forked child that forgets all figures.
        drop(unsafe { Box::from_raw(self.writers) });
    }
}
