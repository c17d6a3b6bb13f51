//! A thread's record: its id, its wake-up token and its place in a spinners' queue.
//!
//! Records are never freed, so a thread that knows an id may always touch the record, however long
//! ago that thread went on, or ended. That is what lets an unlock wake a waiter without looking at
//! the lock again (rule U of the locks).
//!
//! # The token
//! | value | meaning |
//! | --- | --- |
//! | `EMPTY` | nobody has called since the last park |
//! | `PARKED` | the thread sleeps, or is about to |
//! | `NOTIFIED` | somebody has called; the next park returns at once |
//!
//! `unpark` swaps in `NOTIFIED` and makes the platform's call only if it found `PARKED`: a hundred
//! callers make one system call. A stale token, left by a call for an earlier wait, costs one turn
//! of a loop: every waiter tests its condition again after every park.
//!
//! **A wait on top of another**, of a handler that has interrupted its thread's wait: its parks take calls
//! that are for the wait below. So where it ends it leaves `NOTIFIED`, and the one below looks again. (Its
//! sleep, had that begun, ends with the first of those parks: the token is `PARKED` no more.)

use super::notes::Notes;
use super::passes::Passes;
use super::slots::Slots;
use crate::platform::{Instant, Platform};
use crate::spin::SpinNode;
use crate::sync::{AtomicU32, Ordering, const_fn, handler_fence, mutated, ordered};
use core::num::NonZeroU32;

const EMPTY: u32 = 0;
const NOTIFIED: u32 = 1;
const PARKED: u32 = 2;

/// The id of a [`Record`]: from 1, at most 24 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordId(NonZeroU32);

impl RecordId {
    /// The greatest id: 24 bits, so that an id, some flags and a small number fit one 32-bit word. Ids
    /// are used again, so it takes as many threads at once; Linux has at most a quarter of them.
    pub const MAX: u32 = (1 << 24) - 1;

    /// The id with this number, if it is one: 1 to [`MAX`](Self::MAX).
    #[inline]
    #[must_use]
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(id) if number <= Self::MAX => Some(Self(id)),
            _ => None,
        }
    }

    /// The id as a number.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

/// What the locks keep for each thread. Cache lines of its own: one that writers look through, one
/// that others touch only to call the thread.
#[derive(Debug)]
#[repr(C, align(128))]
pub struct Record {
    slots: Slots,
    token: AtomicU32,
    passes: Passes,
    cpu: AtomicU32,
    spin: SpinNode,
    id: RecordId,
    notes: Notes,
}

#[cfg(not(siftlock_model))]
const _: () = assert!(size_of::<Record>() == 128);

impl Record {
    const_fn! {
        /// The record with this id. The platform keeps it for ever.
        #[must_use]
        pub const fn new(id: RecordId) -> Self {
            Self {
                slots: Slots::new(),
                token: AtomicU32::new(EMPTY),
                passes: Passes::new(),
                cpu: AtomicU32::new(u32::MAX),
                spin: SpinNode::new(),
                id,
                notes: Notes::new(),
            }
        }
    }

    /// The record's id.
    #[inline]
    pub const fn id(&self) -> RecordId {
        self.id
    }

    /// A place for the platform: the processor that the thread was last seen on, or any other
    /// hint of 32 bits. `u32::MAX` until it is set.
    #[inline]
    pub fn cpu_hint(&self) -> &AtomicU32 {
        &self.cpu
    }

    /// Whether the thread has reads that this record stands for: it has them still, or has forgotten their
    /// guards. Asked by a platform whose thread ends: another thread may have the record only if not, for a
    /// destructor that comes later may drop such a guard, and no two threads may write one slot.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        self.slots.are_in_use() || self.notes.are_in_use()
    }

    #[inline]
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    #[inline]
    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    pub(crate) fn spin_node(&self) -> &SpinNode {
        &self.spin
    }

    /// Whether this word is the token: for a platform that knows what is done with it.
    #[cfg(siftlock_model)]
    pub fn has_token(&self, word: &AtomicU32) -> bool {
        core::ptr::eq(&raw const self.token, word)
    }

    /// Sleeps until the token is given, at most until `until`, or wakes for no reason. Called by
    /// the record's own thread; the caller tests its condition again afterwards.
    #[doc(hidden)]
    pub fn park<P: Platform>(&self, until: Option<Instant>) {
        if mutated!(TokenEmptiedAfterTest) {
            self.token.swap(EMPTY, Ordering::Acquire);
        }
        // EMPTY → PARKED. Relaxed: publishes nothing; what the wait is for was published before,
        // under the list lock.
        let begun =
            self.token.compare_exchange(EMPTY, PARKED, Ordering::Relaxed, Ordering::Relaxed);
        if begun.is_ok() {
            P::wait(self, &self.token, PARKED, until);
        }
        // PARKED or NOTIFIED → EMPTY, and only then the caller tests its condition: a call that
        // comes later finds EMPTY and is kept for the next park.
        // Acquire: pairs with the release in `unpark`.
        self.token.swap(EMPTY, ordered!(Acquire, unless TokenTakenRelaxed));
    }

    /// Lets the next park return at once; wakes the record's thread if it is parked.
    #[doc(hidden)]
    pub fn unpark<P: Platform>(&self) {
        // Release: pairs with the acquire that ends `park`.
        if self.token.swap(NOTIFIED, ordered!(Release, unless TokenGivenRelaxed)) == PARKED {
            P::wake(self, &self.token);
        }
    }

    /// How often in a row the thread has passed waiters by.
    #[inline]
    pub(crate) fn passes(&self) -> &Passes {
        &self.passes
    }
}

/// A wait of the calling thread: from before anybody can know of it until nobody does any more.
#[derive(Debug)]
pub(crate) struct Waiting {
    me: &'static Record,
    is_nested: bool,
}

impl Waiting {
    pub(crate) fn new(me: &'static Record) -> Self {
        let is_nested = me.spin.begin_wait();
        handler_fence();
        Self { me, is_nested }
    }

    /// Whether it is on top of another.
    pub(crate) fn is_nested(&self) -> bool {
        self.is_nested
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        #[cfg(siftlock_model)]
        if std::thread::panicking() {
            // The model has failed: its words are no more.
            return;
        }
        handler_fence();
        self.me.spin.end_wait();
        if self.is_nested && !mutated!(NestedWaitKeepsCalls) {
            // Acquire: pairs with the release of a call whose token this replaces.
            self.me.token.swap(NOTIFIED, Ordering::Acquire);
        }
    }
}

/// Wakes the thread with this id.
pub(crate) fn unpark<P: Platform>(id: RecordId) {
    P::record(id).unpark::<P>();
}
