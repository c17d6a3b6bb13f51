//! Counters of what the `RwSem` locks did: sleeps, steals, handoffs, spins, readers woken.
//!
//! The counters exist with the feature `events` only. Without it, counting is an empty function and
//! [`Event::total`] is always 0. They are process-wide, relaxed, and never reset: take differences.

/// Something that a lock did. An event that the Linux kernel counts too has the kernel's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A reader took the lock after its first look failed, without queueing.
    RwsemRlockSteal,
    /// A reader that had queued took the lock, or was given it.
    RwsemRlock,
    /// A reader gave up: its time was over, or there were too many readers.
    RwsemRlockFail,
    /// A writer took the lock after its first look failed, without spinning or queueing.
    RwsemWlockSteal,
    /// A writer that had queued took the lock.
    RwsemWlock,
    /// A writer gave up: its time was over.
    RwsemWlockFail,
    /// The lock was reserved for its first waiter: by that waiter itself when it was overdue, by a
    /// thread that had passed it for too long, or by a fair unlock.
    RwsemHandoff,
    /// A waiting reader went to sleep.
    RwsemSleepReader,
    /// A waiting writer went to sleep.
    RwsemSleepWriter,
    /// A batch gave a reader the lock. The reader that grants the batch counts as well.
    RwsemWakeReader,
    /// A batch was granted.
    RwsemWakeBatch,
    /// A writer took the lock by spinning.
    RwsemOptLock,
    /// A writer spun in vain.
    RwsemOptFail,
    /// A writer did not spin, because the owner was not running or readers had held on too long.
    RwsemOptNospin,
    /// A writer was downgraded to a reader.
    RwsemDowngrade,
    /// An upgradable reader became a writer.
    RwsemUpgrade,
    /// A reader switched a lock's read bias on.
    RwsemBiasOn,
    /// A writer found a read bias, and looked through the slots of all threads.
    RwsemBiasRevoke,
}

impl Event {
    /// All events, in the order of their declaration.
    pub const ALL: [Self; 18] = [
        Self::RwsemRlockSteal,
        Self::RwsemRlock,
        Self::RwsemRlockFail,
        Self::RwsemWlockSteal,
        Self::RwsemWlock,
        Self::RwsemWlockFail,
        Self::RwsemHandoff,
        Self::RwsemSleepReader,
        Self::RwsemSleepWriter,
        Self::RwsemWakeReader,
        Self::RwsemWakeBatch,
        Self::RwsemOptLock,
        Self::RwsemOptFail,
        Self::RwsemOptNospin,
        Self::RwsemDowngrade,
        Self::RwsemUpgrade,
        Self::RwsemBiasOn,
        Self::RwsemBiasRevoke,
    ];

    /// How often this has happened in the process so far; 0 without the feature `events`.
    #[must_use]
    pub fn total(self) -> u64 {
        counters::total(self)
    }
}

/// Counts one `event`.
#[inline]
pub(crate) fn count(event: Event) {
    counters::add(event, 1);
}

/// Counts `n` times `event`.
#[inline]
pub(crate) fn count_n(event: Event, n: u32) {
    counters::add(event, n);
}

#[cfg(feature = "events")]
mod counters {
    use super::Event;
    // Plain atomics on purpose: a counter is no part of a protocol, so no model should explore it.
    use core::sync::atomic::{AtomicU64, Ordering};

    static TOTALS: [AtomicU64; Event::ALL.len()] = [const { AtomicU64::new(0) }; Event::ALL.len()];

    pub(super) fn add(event: Event, n: u32) {
        // Relaxed: statistics, ordered with nothing.
        TOTALS[event as usize].fetch_add(u64::from(n), Ordering::Relaxed);
    }

    pub(super) fn total(event: Event) -> u64 {
        // Relaxed: statistics, ordered with nothing.
        TOTALS[event as usize].load(Ordering::Relaxed)
    }
}

#[cfg(not(feature = "events"))]
mod counters {
    use super::Event;

    #[inline]
    pub(super) fn add(_event: Event, _n: u32) {}

    pub(super) fn total(_event: Event) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Event;

    #[test]
    fn events_all_is_in_order_of_declaration() {
        for (place, event) in Event::ALL.into_iter().enumerate() {
            assert_eq!(event as usize, place);
        }
    }
}
