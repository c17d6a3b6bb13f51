//! The work of the threads of a simulated experiment, and its counts.

use siftlock_sim::Counts;

/// An experiment's threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Scene {
    /// Each thread has a lock of its own, and `writes` of a hundred sections write.
    Uncontended { writes: f64 },
    /// E1: threads that only try-read.
    TryLock,
    /// E2: half of the threads read, half write.
    Dedicated,
    /// E2: each section is a write or a read, by coin.
    Each,
    /// `writes` of a hundred sections write.
    Readers { writes: f64 },
    /// E3: clients that deal with messages.
    Mail,
}

/// The work beside the lock. Times are in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Pauses inside a section.
    pub(super) load: u32,
    /// The time inside a section, besides the pauses.
    pub(super) hold: u64,
    /// The time between two sections.
    pub(super) gap: u64,
}

/// The counts of one thread. Its *operations* are sections, or messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Sections of the operations that ended in the measured part.
    pub(super) reads: u64,
    pub(super) writes: u64,
    /// Reads that began beside another reader.
    pub(super) together: u64,
    /// Operations that ended in the measured part.
    pub(super) done: u64,
    /// Operations that began in the measured part, and their cost, to their ends.
    pub(super) begun: u64,
    pub(super) counts: Counts,
    /// The longest wait in the measured part, in cycles.
    pub(super) longest: u64,
}
