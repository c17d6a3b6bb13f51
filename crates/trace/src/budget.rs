//! How often a thread may take a stack.
//!
//! A stack costs some microseconds. After each stack the thread takes none for [`REST`] times as
//! long as that stack took. A wait for a lock counts as such a rest, so a long wait always has its
//! stack.

use crate::clock;
use core::cell::Cell;

/// Stacks take at most one part in this many of a thread's time.
const REST: u64 = 250;

/// The longest time, in ticks, that a stack counts for. A stack that took longer was interrupted,
/// or was the process's first, and must not delay the next ones.
const LONGEST: u64 = 50_000;

/// When the next stack may be taken, in ticks.
#[derive(Default)]
pub(crate) struct Budget {
    next: Cell<u64>,
}

impl Budget {
    /// Whether the thread still rests at this moment.
    #[inline]
    pub(crate) fn rests(&self, now: u64) -> bool {
        now < self.next.get()
    }

    /// Does `work`, unless the thread still rests.
    pub(crate) fn spend<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        (!self.rests(clock::ticks())).then(|| self.overspend(work))
    }

    /// Does `work` even while the thread rests, and lengthens the rest by it.
    pub(crate) fn overspend<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = clock::ticks();
        let done = work();
        let ended = clock::ticks();
        let took = ended.saturating_sub(began).min(LONGEST);
        self.next.set(ended + took * REST);
        done
    }
}
