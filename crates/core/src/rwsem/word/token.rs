//! How a read lock is held: by a share in the lock's count, or by a slot in the reader's own
//! record.

use crate::record::Slot;
use crate::rwsem::Policy;
use crate::rwsem::word::guards::{Guards, Local};

/// What a read returns and its unlock wants back. Belongs to one lock, and, where the
/// [guards](Policy::Guards) of the lock are [`Local`], to one thread.
///
/// Every read of a lock whose policy has no read bias returns [`COUNTED`](Self::COUNTED), so there
/// a caller need not keep the token.
///
/// ```compile_fail,E0277
/// fn sent<T: Send>(_: T) {}
/// sent(siftlock_core::rwsem::ReadToken::<siftlock_core::rwsem::policy::Local>::COUNTED);
/// ```
#[derive(Debug)]
#[must_use = "a read lock is released by its token"]
pub struct ReadToken<G: Guards = Local> {
    hold: G::Hold,
    /// Makes the token `Send` or not.
    _guards: G,
}

/// The token of a lock with this policy.
pub(in crate::rwsem) type Token<L> = ReadToken<<L as Policy>::Guards>;

impl<G: Guards> ReadToken<G> {
    /// A share in the lock's count.
    pub const COUNTED: Self = Self { hold: G::SHARE, _guards: G::MARK };

    /// Not known: the token was lost, or the caller's interface has no place for one. Where guards
    /// are [`Local`], only the thread that read may unlock by it, which costs a look at that
    /// thread's slots.
    #[cfg(not(siftlock_model))]
    pub const UNKNOWN: Self = Self { hold: G::UNKNOWN, _guards: G::MARK };

    #[inline]
    pub(in crate::rwsem) fn of(slot: &'static Slot) -> Self {
        Self { hold: G::of(slot), _guards: G::MARK }
    }

    /// The slot that stands for the read, if one does.
    #[inline]
    pub(in crate::rwsem) fn slot(&self) -> Option<&'static Slot> {
        G::slot(&self.hold)
    }

    /// Whether the lock was taken without a step on its count.
    #[inline]
    #[must_use]
    pub fn is_slot(&self) -> bool {
        self.slot().is_some()
    }
}
