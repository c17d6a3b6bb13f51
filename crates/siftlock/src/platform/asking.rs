//! When a thread asks whether a read bias would pay.

use std::cell::Cell;

thread_local! {
    /// Reads until the thread next asks whether a bias would pay.
    static LEFT: Cell<u32> = const { Cell::new(0) };
    /// What the last throw of a die was made from.
    static DIE: Cell<u32> = const { Cell::new(0) };
}

/// See [`Platform::is_time_to_ask`](siftlock_core::platform::Platform::is_time_to_ask).
#[inline]
pub(super) fn is_time_to_ask(weight: u32) -> bool {
    let left = LEFT.get().checked_sub(weight);
    if let Some(left) = left {
        LEFT.set(left);
    }
    left.is_none()
}

/// About so many, an eighth less to an eighth more. With a fixed number a thread that goes through the
/// same locks in turn would ask about the same one each time, and never about the others.
pub(super) fn ask_again_after(reads: u32) {
    // A linear congruence: its upper bits are good enough.
    let thrown = DIE.get().wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    DIE.set(thrown);
    let span = u64::from(reads / 4) + 1;
    let more = ((span * u64::from(thrown)) >> u32::BITS) as u32;
    LEFT.set((reads - reads / 8).saturating_add(more));
}
