//! The count of reads after which a thread asks whether a read bias would pay.

use core::cell::Cell;

/// How many reads a thread still makes before it asks whether a bias would pay.
///
/// A platform keeps one for each thread, and answers
/// [`is_time_to_ask`](super::Platform::is_time_to_ask) and
/// [`ask_again_after`](super::Platform::ask_again_after) by it. All-zero is a new countdown.
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
    /// The number of reads that are left.
    left: Cell<u32>,
    /// The state of the random generator.
    die: Cell<u32>,
}

impl Countdown {
    /// A countdown that is over.
    #[must_use]
    pub const fn new() -> Self {
        Self { left: Cell::new(0), die: Cell::new(0) }
    }

    /// Counts a read of the calling thread as `weight` reads. Returns whether the countdown is
    /// over, so that the thread asks now. It then stays over until the next [`begin`](Self::begin).
    #[inline]
    pub fn is_over(&self, weight: u32) -> bool {
        let left = self.left.get().checked_sub(weight);
        if let Some(left) = left {
            self.left.set(left);
        }
        left.is_none()
    }

    /// Begins a countdown of about `reads` reads: up to an eighth less or more.
    ///
    /// With a fixed number, a thread that goes through the same locks in turn would ask about the
    /// same lock each time, and never about the others.
    pub fn begin(&self, reads: u32) {
        // A linear congruential generator: its upper bits are random enough.
        let thrown = self.die.get().wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        self.die.set(thrown);
        let span = u64::from(reads / 4) + 1;
        let more = ((span * u64::from(thrown)) >> u32::BITS) as u32;
        self.left.set((reads - reads / 8).saturating_add(more));
    }

    /// Ends the countdown early, because the thread has no record any more.
    pub fn end(&self) {
        self.left.set(0);
    }
}
