//! The atomics of a simulated machine, which counts each access and lets it take time.

pub use siftlock_sim::calls::{announce, fence as full_fence};
pub use siftlock_sim::{AtomicPtr, AtomicU32, AtomicU64, AtomicU64 as OwnU64, Cell};

use super::Ordering;
use siftlock_sim::calls;

/// Sets bit 0 of a tagged pointer and returns the former pointer.
pub(crate) fn set_tag<T>(word: &AtomicPtr<T>, order: Ordering) -> *mut T {
    word.set_tag(order)
}

/// Spins until the word's line changes, for `left` beats at most. Returns how many beats passed.
pub(super) fn pause<W>(word: &W, left: u32) -> u32 {
    calls::spin(word, left)
}

pub(super) const fn looks(bound: u32) -> u32 {
    bound
}

/// No instruction, as on a real machine.
pub(crate) fn light_fence() {}

/// The machine is of the x86 family: no instruction.
pub(crate) fn step_fence() {}
