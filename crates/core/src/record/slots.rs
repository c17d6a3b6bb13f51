//! The slots of a thread.

use super::Slot;
use super::mark::Key;
use crate::sync::{OwnU64, const_fn, mutated};

/// How many locks one thread can read by slots at once: as many slots as fit a cache line. A model
/// looks at each in each look, so it has fewer.
const SLOTS: usize = if cfg!(siftlock_model) { 2 } else { 3 };

/// One cache line: a writer's look costs one for each thread that ever read by slot.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Slots {
    slots: [Slot; SLOTS],
    /// If this record leads a group, the records of the group that are to be looked through: see
    /// `listed`. Written once for each of them, so it hardly ever disturbs the line's owner.
    listed: OwnU64,
}

#[cfg(not(siftlock_model))]
const _: () = assert!(size_of::<Slots>() == 64);

impl Slots {
    const_fn! {
        pub(super) const fn new() -> Self {
            Self {
                slots: [
                    Slot::new(),
                    Slot::new(),
                    #[cfg(not(siftlock_model))]
                    Slot::new(),
                ],
                listed: OwnU64::new(0),
            }
        }
    }

    /// The slot to try first.
    #[inline]
    pub(crate) fn first(&self) -> &Slot {
        &self.slots[0]
    }

    /// The first slot that is free. None is before the thread is [listed](Self::list).
    #[inline]
    pub(crate) fn free(&self) -> Option<&Slot> {
        if mutated!(SlotFreeUnlisted) {
            self.slots[1].list();
        }
        self.find(|slot| slot.mark.is_free())
    }

    /// Whether the last slot stands for a read. If so, most often all before it do.
    #[inline]
    pub(crate) fn are_full(&self) -> bool {
        self.slots[SLOTS - 1].is_in_use()
    }

    /// Whether the record is unlisted, so that no writer would find the slots.
    #[inline]
    pub(crate) fn are_unlisted(&self) -> bool {
        self.first().is_unlisted()
    }

    /// The record is listed from now on.
    pub(super) fn list(&self) {
        self.slots.iter().for_each(Slot::list);
    }

    #[inline]
    pub(super) fn listed(&self) -> &OwnU64 {
        &self.listed
    }

    /// The first slot for which `is_it` is true.
    #[inline]
    pub(crate) fn find(&self, is_it: impl Fn(&Slot) -> bool) -> Option<&Slot> {
        self.slots.iter().find(|slot| is_it(slot))
    }

    /// Whether a slot names the lock.
    #[inline]
    pub(crate) fn name(&self, key: Key) -> bool {
        self.find(|slot| slot.mark.names(key)).is_some()
    }

    /// Releases one hold of the lock by another thread's slot, and returns the slot. The first slot
    /// that stands for a single hold comes last, since that thread may be about to clear it.
    pub(crate) fn take_from_another(&self, key: Key) -> Option<&Slot> {
        let many = || self.find(|slot| slot.take_by(|mark| mark.take_from_many(key)));
        let last = |slot: &&Slot| slot.take_by(|mark| mark.take_from_another(key));
        many().or_else(|| self.slots.iter().rev().find(last))
    }

    /// Whether any slot stands for a read.
    pub(super) fn are_in_use(&self) -> bool {
        self.slots.iter().any(Slot::is_in_use)
    }

    /// Each slot.
    #[inline]
    pub(crate) fn all(&self) -> &[Slot] {
        &self.slots
    }

    /// Clears the slots that name a lock that is no more.
    pub(crate) fn forget(&self, key: Key) {
        self.slots.iter().for_each(|slot| slot.mark.forget(key));
    }
}
