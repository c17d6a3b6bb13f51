//! The place of one sample: the lock under measurement and what it protects.

use crossbeam_utils::CachePadded;

use super::Fault;
use crate::subjects::Lock;
use crate::verify::{self, Ward};

/// How many locks the threads of a sample use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instances {
    /// All threads use one lock.
    Shared,
    /// Each thread has a lock of its own, so that no thread ever waits.
    PerThread,
}

/// One sample's lock, or locks, each on lines of its own, and the ward.
pub(crate) struct Arena<L> {
    locks: Box<[CachePadded<L>]>,
    ward: Ward,
}

impl<L: Lock> Arena<L> {
    /// Unlocked locks for `threads` threads.
    pub(crate) fn new(instances: Instances, threads: usize) -> Self {
        let own = L::PRIVATE || instances == Instances::PerThread;
        let count = if own { threads } else { 1 };
        let locks = (0..count).map(|_| CachePadded::new(L::unlocked())).collect();
        Self { locks, ward: Ward::new() }
    }

    /// The lock that the `seat`-th thread uses.
    pub(crate) fn lock(&self, seat: usize) -> &L {
        &self.locks[seat % self.locks.len()]
    }

    /// The data that the lock protects.
    pub(crate) fn ward(&self) -> &Ward {
        &self.ward
    }

    /// The verdict on the lock, when the threads have gone. Floors are not judged.
    pub(crate) fn judge(&self) -> Result<(), Fault> {
        if L::EXCLUDES {
            self.ward.judge()?;
            verify::handshake(self.lock(0))?;
        }
        Ok(())
    }
}
