//! How a read lock is held: by a share in the lock's count, or by a slot in a thread's record.

use crate::wait::Slot;

/// What a read returns and its unlock wants back. Belongs to the one lock, not to a thread.
///
/// [`COUNTED`](Self::COUNTED) is that of every read of a lock whose policy has no read bias, so there a
/// caller need not keep it.
#[derive(Debug)]
#[must_use = "a read lock is released by its token"]
pub struct ReadToken(Option<&'static Slot>);

impl ReadToken {
    /// A share in the lock's count.
    pub const COUNTED: Self = Self(None);

    /// Not known: the token was lost, or the caller's interface has no place for one. Only the thread
    /// that read may hand it back, and it costs a look at that thread's slots.
    #[cfg(not(siftlock_model))]
    pub const UNKNOWN: Self = {
        static NO_THREADS: Slot = Slot::new();
        Self(Some(&NO_THREADS))
    };

    #[inline]
    pub(super) const fn of(slot: &'static Slot) -> Self {
        Self(Some(slot))
    }

    #[inline]
    pub(super) fn slot(&self) -> Option<&'static Slot> {
        self.0
    }

    /// Whether the lock was taken without a step on its count.
    #[must_use]
    pub fn is_slot(&self) -> bool {
        self.0.is_some()
    }
}
