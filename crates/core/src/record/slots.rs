//! The slots of a thread.

use super::Slot;
use super::mark::Key;
use crate::sync::{OwnU64, const_fn};

/// So many locks one thread can read by slots at the same time: what fits a cache line. A model
/// looks at each of them in each look, so it has fewer.
const SLOTS: usize = if cfg!(siftlock_model) { 2 } else { 3 };

/// A cache line: a writer's look costs one for each thread that ever read by slot.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Slots {
    slots: [Slot; SLOTS],
    /// Which records of a group are to be looked through, if this one leads it: see `listed`.
    /// Written once for each of them, so it disturbs the line's owner hardly ever.
    listed: OwnU64,
}

#[cfg(not(siftlock_model))]
const _: () = assert!(size_of::<Slots>() == 64);

impl Slots {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self {
                slots: [
                    Slot::unlisted(),
                    Slot::new(),
                    #[cfg(not(siftlock_model))]
                    Slot::new(),
                ],
                listed: OwnU64::new(0),
            }
        }
    }

    /// The one to try first.
    #[inline]
    pub(crate) fn first(&self) -> &Slot {
        &self.slots[0]
    }

    /// The one to try next, if the first stands for a read.
    #[inline]
    pub(crate) fn second(&self) -> Option<&Slot> {
        self.first().is_in_use().then_some(&self.slots[1])
    }

    /// Whether the last stands for a read, as then do most often all before it.
    #[inline]
    pub(crate) fn are_full(&self) -> bool {
        self.slots[SLOTS - 1].is_in_use()
    }

    /// Whether no writer would find them.
    #[inline]
    pub(crate) fn are_unlisted(&self) -> bool {
        self.first().is_unlisted()
    }

    #[inline]
    pub(super) fn listed(&self) -> &OwnU64 {
        &self.listed
    }

    /// The first that this is true for.
    #[inline]
    pub(crate) fn find(&self, is_it: impl Fn(&Slot) -> bool) -> Option<&Slot> {
        self.slots.iter().find(|slot| is_it(slot))
    }

    /// Whether one of them names the lock.
    #[inline]
    pub(crate) fn name(&self, key: Key) -> bool {
        self.find(|slot| slot.mark.names(key)).is_some()
    }

    /// One that stood for a read of another thread, which is now released: of the first last, which
    /// that thread may be about to clear.
    pub(crate) fn take_from_another(&self, key: Key) -> Option<&Slot> {
        self.slots.iter().rev().find(|slot| slot.take_from_another(key))
    }

    /// Whether any stands for a read.
    pub(super) fn are_in_use(&self) -> bool {
        self.slots.iter().any(Slot::is_in_use)
    }

    /// Each of them.
    #[inline]
    pub(crate) fn all(&self) -> &[Slot] {
        &self.slots
    }

    /// Clears those of a lock that is no more.
    pub(crate) fn forget(&self, key: Key) {
        self.slots.iter().for_each(|slot| slot.mark.forget(key));
    }
}
