//! The slots of a thread, and the list of all that a writer has to look through.

use super::record::{Record, RecordId};
use super::slot::{Key, Patience, Slot};
use crate::platform::Platform;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// So many locks one thread can read by slots at the same time: what fits a cache line. A model
/// looks at each of them in each look, so it has fewer.
const SLOTS: usize = if cfg!(siftlock_model) { 2 } else { 3 };

/// A cache line: a writer's look costs one for each thread that ever read by slot.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Slots {
    slots: [Slot; SLOTS],
    /// The next record on the list of those to look through; 0 = none.
    next: AtomicU32,
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
                next: AtomicU32::new(0),
            }
        }
    }

    /// The one to try first.
    #[inline]
    pub(crate) fn first(&self) -> &Slot {
        &self.slots[0]
    }

    /// The first that this is true for.
    pub(crate) fn find(&self, is_it: impl Fn(&Slot) -> bool) -> Option<&Slot> {
        self.slots.iter().find(|slot| is_it(slot))
    }

    /// Whether the slot is one of these.
    #[inline]
    pub(crate) fn contain(&self, slot: &Slot) -> bool {
        let offset = core::ptr::from_ref(slot).addr().wrapping_sub(self.slots.as_ptr().addr());
        offset < size_of_val(&self.slots)
    }

    /// Waits until none names the lock, as long as patience lasts; false: one still does.
    pub(crate) fn drain<P: Platform>(record: &Record, key: Key, patience: &mut Patience) -> bool {
        record.slots().slots.iter().all(|slot| slot.drain::<P>(record, key, patience))
    }

    /// Clears those of a lock that is no more.
    pub(crate) fn forget(&self, key: Key) {
        self.slots.iter().for_each(|slot| slot.forget(key));
    }

    /// Clears those of a thread that is no more, in a process that has none but the caller.
    pub(crate) fn clear(&self) {
        self.slots.iter().for_each(Slot::clear);
    }
}

/// The records whose slots a writer has to look through: those of all threads that ever read by
/// slot. Records are never freed, so nothing is ever taken off.
#[derive(Debug)]
pub(crate) struct Listed {
    first: AtomicU32,
}

impl Listed {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self { first: AtomicU32::new(0) }
        }
    }

    /// Puts the calling thread's record on the list if it is not there yet: its first slot says so.
    pub(crate) fn add(&self, me: &Record) {
        let slots = me.slots();
        if !slots.first().is_unlisted() {
            return;
        }
        let mut first = self.first.load(Ordering::Relaxed);
        loop {
            slots.next.store(first, Ordering::Relaxed);
            // Release: pairs with the acquire in `all`.
            let id = me.id().get();
            match self.first.compare_exchange(first, id, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => first = now,
            }
        }
        slots.first().list();
    }

    /// All records on the list.
    pub(crate) fn all<P: Platform>(&self) -> impl Iterator<Item = &'static Record> {
        // Acquire: pairs with the release in `add`.
        let mut next = self.first.load(Ordering::Acquire);
        core::iter::from_fn(move || {
            let record = P::record(RecordId::new(next)?);
            // Relaxed: written once, before the record came on the list.
            next = record.slots().next.load(Ordering::Relaxed);
            Some(record)
        })
    }
}
