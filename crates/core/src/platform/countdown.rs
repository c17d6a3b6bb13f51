//! When a thread asks whether a read bias would pay.

use core::cell::Cell;

/// How many reads a thread makes until it asks whether a bias would pay: what a platform keeps for
/// each of its threads, to answer [`is_time_to_ask`](super::Platform::is_time_to_ask) and
/// [`ask_again_after`](super::Platform::ask_again_after). Zeroes are a new one.
///
/// ```
/// use siftlock_core::platform::Countdown;
///
/// let countdown = Countdown::new();
/// assert!(countdown.is_over(1), "a new thread asks at once");
/// countdown.begin(1_000);
/// assert!(!countdown.is_over(1));
/// ```
#[derive(Debug, Default)]
#[repr(C)]
pub struct Countdown {
    /// So many reads are left.
    left: Cell<u32>,
    /// What the last throw of a die was made from.
    die: Cell<u32>,
}

impl Countdown {
    /// It is over.
    #[must_use]
    pub const fn new() -> Self {
        Self { left: Cell::new(0), die: Cell::new(0) }
    }

    /// The thread reads, which counts so many times. Whether it asks then: it stays so until the
    /// next begins.
    #[inline]
    pub fn is_over(&self, weight: u32) -> bool {
        let left = self.left.get().checked_sub(weight);
        if let Some(left) = left {
            self.left.set(left);
        }
        left.is_none()
    }

    /// About so many reads, an eighth less to an eighth more. With a fixed number a thread that
    /// goes through the same locks in turn would ask about the same one each time, and never about
    /// the others.
    pub fn begin(&self, reads: u32) {
        // A linear congruence: its upper bits are good enough.
        let thrown = self.die.get().wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        self.die.set(thrown);
        let span = u64::from(reads / 4) + 1;
        let more = ((span * u64::from(thrown)) >> u32::BITS) as u32;
        self.left.set((reads - reads / 8).saturating_add(more));
    }

    /// It is over before its time: the thread has no record any more.
    pub fn end(&self) {
        self.left.set(0);
    }
}
