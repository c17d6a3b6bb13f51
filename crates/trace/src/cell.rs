//! What one thread did with one lock, in one cache line.
//!
//! Only the thread itself writes its cell, with one exception: a thread that destroys the lock
//! clears the cells of all threads for it, under the registry's mutex. All fields are atomics,
//! since a report reads them meanwhile. Every access is Relaxed: each figure stands for itself, and
//! a lock that is destroyed is not in use.

use crate::histogram::Histogram;
use crate::next::Place;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize};
use libc::c_int;

/// The greatest mean distance between due calls, in calls.
const STRIDE: u64 = 4096;
/// Until the distance reaches [`STRIDE`], it is the number of calls so far divided by this. So the
/// first calls are all due.
const RAMP: u64 = 4;

/// See the [module](self).
#[repr(C, align(64))]
pub(crate) struct Cell {
    /// The lock's address; 0 = the cell is free.
    lock: AtomicUsize,
    pub(crate) operations: AtomicU64,
    pub(crate) writes: AtomicU64,
    pub(crate) contended: AtomicU64,
    pub(crate) refused: AtomicU64,
    /// The lower half of the number of the next call that is due.
    next_due: AtomicU32,
    /// The number of the lock's record.
    record: AtomicU32,
    waits: AtomicPtr<Waits>,
    /// How many writers wait for the lock: the count belongs to the lock's record.
    writers: AtomicPtr<AtomicU32>,
}

const _: () = assert!(size_of::<Cell>() == 64);

/// How long one thread has waited for one lock.
pub(crate) struct Waits {
    pub(crate) total: AtomicU64,
    pub(crate) longest: AtomicU64,
    pub(crate) lengths: Histogram,
}

impl Waits {
    pub(crate) const fn new() -> Self {
        Self { total: AtomicU64::new(0), longest: AtomicU64::new(0), lengths: Histogram::new() }
    }

    pub(crate) fn add(&self, ticks: u64) {
        add(&self.total, ticks);
        self.longest.store(self.longest.load(Relaxed).max(ticks), Relaxed);
        self.lengths.add(ticks, 1);
    }

    fn clear(&self) {
        self.total.store(0, Relaxed);
        self.longest.store(0, Relaxed);
        self.lengths.clear();
    }

    pub(crate) fn merge(&self, other: &Self) {
        add(&self.total, other.total.load(Relaxed));
        let longest = self.longest.load(Relaxed).max(other.longest.load(Relaxed));
        self.longest.store(longest, Relaxed);
        self.lengths.merge(&other.lengths);
    }
}

/// Adds to a figure that the calling thread alone writes.
#[inline(always)]
pub(crate) fn add(figure: &AtomicU64, more: u64) {
    figure.store(figure.load(Relaxed).wrapping_add(more), Relaxed);
}

impl Cell {
    #[inline(always)]
    pub(crate) fn is_for(&self, lock: Place) -> bool {
        self.lock.load(Relaxed) == lock.addr()
    }

    pub(crate) fn is_free(&self) -> bool {
        self.lock.load(Relaxed) == 0
    }

    /// The address of its lock.
    pub(crate) fn address(&self) -> usize {
        self.lock.load(Relaxed)
    }

    /// The number of its lock's record.
    pub(crate) fn record(&self) -> u32 {
        self.record.load(Relaxed)
    }

    /// Whether the thread's next call on the lock is measured in full.
    #[inline(always)]
    pub(crate) fn is_due(&self) -> bool {
        self.next_due.load(Relaxed) == self.operations.load(Relaxed) as u32
    }

    /// Whether a writer waits for the lock, as far as the library has seen.
    ///
    /// # Safety
    /// The lock is not destroyed meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn has_waiting_writer(&self) -> bool {
        // SAFETY: the caller's promise.
        unsafe { self.waiting_writers() }.load(Relaxed) != 0
    }

    /// How many writers wait for the lock.
    ///
    /// # Safety
    /// The lock is not destroyed for as long as the answer is used.
    pub(crate) unsafe fn waiting_writers(&self) -> &'static AtomicU32 {
        // SAFETY: the count lives as long as the lock.
        unsafe { &*self.writers.load(Relaxed) }
    }

    /// Counts a call that got in.
    #[inline(always)]
    pub(crate) fn count(&self, writes: bool) {
        add(&self.operations, 1);
        if writes {
            add(&self.writes, 1);
        }
    }

    /// Counts a call that waited.
    pub(crate) fn waited(&self, ticks: u64) {
        self.waits_or_make().add(ticks);
        add(&self.contended, 1);
    }

    /// Counts a call with this answer.
    #[inline(always)]
    pub(crate) fn came(&self, writes: bool, answer: c_int) {
        match answer {
            0 => self.count(writes),
            _ => add(&self.refused, 1),
        }
    }

    /// Chooses the next call that is due. A `random` distance keeps the choice out of step with the
    /// program's own rhythm.
    pub(crate) fn choose_next(&self, random: u64) {
        let done = self.operations.load(Relaxed);
        let mean = stride(done);
        self.next_due.store((done + random % (2 * mean - 1)) as u32, Relaxed);
    }

    /// Begins to count for a lock.
    pub(crate) fn begin(&self, lock: usize, record: u32, writers: *mut AtomicU32) {
        self.record.store(record, Relaxed);
        self.writers.store(writers, Relaxed);
        self.lock.store(lock, Relaxed);
    }

    /// The cell's index in `cells`.
    pub(crate) fn index_in(&self, cells: &[Self]) -> usize {
        cells.element_offset(self).expect("it is one of them")
    }

    /// How long the thread has waited, if it ever has at a lock of this cell.
    pub(crate) fn waits(&self) -> Option<&Waits> {
        // SAFETY: `waits_or_make` made it, and it is never freed: a handler may take the cell for
        // another lock while its thread is here.
        unsafe { self.waits.load(Relaxed).as_ref() }
    }

    /// How long the thread has waited, made if there is none yet. If so, the caller has the
    /// registry's mutex.
    fn waits_or_make(&self) -> &Waits {
        if self.waits().is_none() {
            self.waits.store(Box::into_raw(Box::new(Waits::new())), Relaxed);
        }
        self.waits().expect("it was made")
    }

    /// Frees the cell. The caller has the registry's mutex.
    pub(crate) fn clear(&self) {
        self.lock.store(0, Relaxed);
        for figure in [&self.operations, &self.writes, &self.contended, &self.refused] {
            figure.store(0, Relaxed);
        }
        self.next_due.store(0, Relaxed);
        self.waits().inspect(|waits| waits.clear());
    }
}

/// How many calls a due call stands for, after `done` calls.
pub(crate) fn stride(done: u64) -> u64 {
    (done / RAMP).clamp(1, STRIDE)
}
