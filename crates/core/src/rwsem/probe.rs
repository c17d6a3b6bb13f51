//! The parts of a lock that a model may set and see, and a user may not.

use super::word::count::Count;
use super::word::owner::Form;
use super::word::wake;
use super::{Policy, RwSem};
use crate::platform::Platform;
use crate::sync::Ordering;

/// Asks [`RwSem::found`] for a lock whose bias is on, in its asymmetric form; not a bit of the
/// count.
pub const FOUND_ASYMMETRIC: u64 = 1 << 62;

/// Asks [`RwSem::found`] for a lock whose bias is on, in its symmetric form, which the next writer
/// leaves on.
pub const FOUND_SYMMETRIC: u64 = 1 << 63;

/// Both bits that are not bits of the count.
pub const FOUND_BIASED: u64 = FOUND_ASYMMETRIC | FOUND_SYMMETRIC;

/// The words of a lock that nobody uses at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The count word.
    pub count: u64,
    /// Whether somebody waits.
    pub has_waiters: bool,
    /// Whether a writer spins.
    pub has_spinners: bool,
}

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// A lock that is found in some state: with many readers, say, that have leaked their shares,
    /// or with a writer that was interrupted before it signed.
    #[must_use]
    pub fn found(count: u64) -> Self {
        let lock = Self::new();
        lock.count.store(count & !FOUND_BIASED, Ordering::Relaxed);
        if Count(count).has(FOUND_ASYMMETRIC) {
            lock.owner.switch_on(Form::Asymmetric);
        }
        if Count(count).has(FOUND_SYMMETRIC) {
            lock.owner.switch_on(Form::Symmetric(1));
        }
        lock
    }

    /// So many read unlocks in one step, as if each but the last saw the readers that unlock after
    /// it.
    ///
    /// # Safety
    /// The caller has the lock by so many reads.
    pub unsafe fn read_unlock_all(&self, readers: u32) {
        let shares = Count(0).plus_readers(readers).0;
        let v = Count(self.count.fetch_sub(shares, Ordering::Release) - shares);
        wake::<P>(v.head_if_free());
    }

    /// Switches the symmetric form on, as after an asking by the caller, which is inside by a
    /// share.
    pub fn switch_symmetric_on(&self) {
        self.owner.switch_on(Form::Symmetric(1));
    }

    /// The words, to be looked at when all threads are done.
    pub fn snapshot(&self) -> Snapshot {
        // Relaxed: the threads have been joined.
        let Count(count) = Count(self.count.load(Ordering::Relaxed));
        Snapshot {
            count,
            has_waiters: self.waiters.lock::<P>().first().is_some(),
            has_spinners: !self.spinners.is_empty(),
        }
    }
}
