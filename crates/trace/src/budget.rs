//! How often a thread may take a stack.
//!
//! A stack costs some microseconds. So a thread rests after each for [`REST`] times as long as that
//! took. A thread that has waited for a lock has rested meanwhile, so a long wait always has its
//! stack.

use crate::clock;
use core::cell::Cell;

/// One part in so many of a thread's time goes into stacks.
const REST: u64 = 250;

/// A stack that took more ticks was interrupted, or was the process's first: the next do not wait
/// for that.
const LONGEST: u64 = 50_000;

/// When the next stack may be taken, in ticks.
#[derive(Default)]
pub(crate) struct Budget {
    next: Cell<u64>,
}

impl Budget {
    /// Does `work`, if it is time for it.
    pub(crate) fn spend<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        (clock::ticks() >= self.next.get()).then(|| self.overspend(work))
    }

    /// Does `work` that cannot be put off.
    pub(crate) fn overspend<T>(&self, work: impl FnOnce() -> T) -> T {
        let began = clock::ticks();
        let done = work();
        let ended = clock::ticks();
        let took = ended.saturating_sub(began).min(LONGEST);
        self.next.set(ended + took * REST);
        done
    }
}
