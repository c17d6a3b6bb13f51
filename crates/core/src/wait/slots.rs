//! The slots of a thread, and the list of all that a writer has to look through.

use super::record::{Record, RecordId};
use super::slot::{Key, Patience, Slot};
use crate::platform::{Instant, Platform};
use crate::sync::{AtomicU32, Ordering, const_fn};

/// So many locks one thread can read by slots at the same time: what fits a cache line. A model
/// looks at each of them in each look, so it has fewer.
const SLOTS: usize = if cfg!(siftlock_model) { 2 } else { 3 };

/// A cache line: a writer's look costs one for each thread that ever read by slot.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Slots {
    slots: [Slot; SLOTS],
    /// Counted reads until the thread next asks whether a bias would pay. Its own affair.
    countdown: AtomicU32,
    /// When it last switched one on while it was alone, and how often in quick succession.
    switched_on: AtomicU32,
    times: AtomicU32,
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
                countdown: AtomicU32::new(0),
                switched_on: AtomicU32::new(0),
                times: AtomicU32::new(0),
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

    /// Counts down a read that moved a lock's count; true: it is time to ask whether that has to be.
    #[inline]
    pub(crate) fn count_down(&self) -> bool {
        // Relaxed, here and below: only the record's own thread looks.
        let left = self.countdown.load(Ordering::Relaxed);
        if left == SILENT {
            return false;
        }
        self.countdown.store(left.wrapping_sub(1), Ordering::Relaxed);
        left == 0
    }

    /// Asks again after so many counted reads.
    pub(crate) fn ask_again_after(&self, reads: u32) {
        self.countdown.store(reads, Ordering::Relaxed);
    }

    /// The thread, alone with its lock, is about to switch a bias on, at this time. If it does so again
    /// and again, it is also the one who revokes it: it counts no more reads.
    pub(crate) fn switches_on_alone(&self, now: Instant) {
        let now = (now.as_nanos() / QUICKLY) as u32;
        let quickly = now.wrapping_sub(self.switched_on.load(Ordering::Relaxed)) <= 1;
        let times = if quickly { self.times.load(Ordering::Relaxed) + 1 } else { 0 };
        self.times.store(times, Ordering::Relaxed);
        self.switched_on.store(now, Ordering::Relaxed);
        if times >= OFTEN {
            self.times.store(0, Ordering::Relaxed);
            self.ask_again_after(SILENT);
        }
    }

    /// The thread is not alone with its lock.
    #[inline]
    pub(crate) fn count_again(&self) {
        if self.countdown.load(Ordering::Relaxed) == SILENT {
            self.ask_again_after(0);
        }
    }
}

/// In place of a countdown: the thread does not count. Its store between a read and the unlock, two
/// atomic steps, takes a fifth of what these take.
const SILENT: u32 = u32::MAX;

/// Nanoseconds; one bias after another within this time, ...
const QUICKLY: u64 = 20_000_000;

/// ... and so many times, is one that does not pay.
const OFTEN: u32 = 8;

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
