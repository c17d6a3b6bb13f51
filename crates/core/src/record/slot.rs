//! A slot: where a thread marks one lock that it reads without touching it.
//!
//! A lock with its read bias on is read by a mark in a slot of the reader's own. A writer looks
//! through the slots of all threads. So readers share no cache line. The protocol is the lock's;
//! here are the words.
//!
//! | word | content |
//! | --- | --- |
//! | `mark` | which lock, and how many holds of it |
//! | `sleepers` | how many writers wait for the slot to be cleared |
//! | `bell` | changes each time that those writers are called |
//!
//! `wait::bell` tells how a writer waits for a slot.

use super::mark::{Key, Mark};
use crate::sync::{AtomicU32, Ordering, const_fn, full_fence, light_fence, ordered};

/// See the [module](self). `pub` in a private module: it shows in a sealed trait.
#[derive(Debug)]
#[repr(C)]
pub struct Slot {
    pub(crate) mark: Mark,
    pub(crate) sleepers: AtomicU32,
    pub(crate) bell: AtomicU32,
}

impl Slot {
    const_fn! {
        /// Not free until it is [listed](Self::list), though it names no lock.
        pub(crate) const fn new() -> Self {
            Self { mark: Mark::unlisted(), sleepers: AtomicU32::new(0), bell: AtomicU32::new(0) }
        }
    }

    pub(super) fn is_unlisted(&self) -> bool {
        self.mark.names(Key::UNLISTED)
    }

    /// Whether the slot names a lock.
    #[inline]
    pub(super) fn is_in_use(&self) -> bool {
        let content = self.mark.content(Ordering::Relaxed);
        content != 0 && !Key::UNLISTED.is_named_by(content)
    }

    pub(super) fn list(&self) {
        self.mark.clear_only(Key::UNLISTED);
    }

    /// Whether writers wait for the slot, after it was cleared.
    #[inline]
    pub(crate) fn is_awaited(&self) -> bool {
        // The fence keeps the clearing before this look. It pairs with the writer's heavy fence
        // after it raised `sleepers`. Where there is no heavy fence the writer looks again.
        light_fence();
        self.sleepers.load(Ordering::Relaxed) != 0
    }

    /// Releases one hold of any thread, by this step of its mark.
    pub(super) fn take_by(&self, take: impl FnOnce(&Mark) -> bool) -> bool {
        let taken = take(&self.mark);
        if taken {
            // Pairs with the writer's heavy fence after it raised `sleepers`.
            full_fence();
        }
        taken
    }

    /// Whether the slot does not name the lock. For the writer that keeps new readers out.
    #[inline]
    pub(crate) fn is_cleared(&self, key: Key) -> bool {
        // Acquire: pairs with the release that cleared it.
        !key.is_named_by(self.mark.content(ordered!(Acquire, unless SlotSeenRelaxed)))
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn slot_is_free_for_nobody_until_it_is_listed() {
        let slot = Slot::new();
        let key = Key::of(&slot);
        assert!(slot.is_unlisted() && !slot.is_in_use() && !slot.mark.make(key));
        slot.list();
        assert!(!slot.is_unlisted() && !slot.is_in_use() && slot.is_cleared(key));
        assert!(slot.mark.make(key) && slot.is_in_use() && !slot.is_cleared(key));
    }
}
