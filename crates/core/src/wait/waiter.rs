//! A waiter: the node that a waiting thread keeps on its stack and links into a wait list.
//!
//! The links, and the state up to `CLAIMED`, belong to the holder of the list lock. A claimed node
//! is off the list and belongs to the thread that claimed it, until that thread stores `GRANTED`.
//! From then on the node, and its thread with it, may be gone. The waiters that a granted waiter
//! has to call, its *wake list*, stand in its own node. The claimer writes the list before the
//! grant, and the waiter reads it after the grant.

use crate::record::RecordId;
use crate::sync::{AtomicU32, Cell, Ordering, announce, ordered};
use core::ptr;

/// What a waiter waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A share, beside other readers.
    Reader,
    /// A share that may be upgraded: beside readers, but one at a time.
    Upgradable,
    /// The whole lock.
    Writer,
    /// The whole lock, in exchange for an upgradable share that was given up to wait.
    Upgrade,
}

impl Kind {
    /// Whether this waiter can get in while others read.
    pub(crate) const fn reads(self) -> bool {
        matches!(self, Self::Reader | Self::Upgradable)
    }
}

/// How a lock names a waiter. A thread may have several waits, one on top of the other, each of its
/// own kind.
pub(crate) type Name = (RecordId, Kind);

/// How far the handing over of the lock to a waiter has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grant {
    /// On the list, waiting.
    Queued,
    /// Off the list, by a thread that is about to grant: the node must stay.
    Claimed,
    /// The lock is this waiter's, and no other thread knows the node any more.
    Granted,
}

#[derive(Debug)]
pub(crate) struct Waiter {
    pub(super) next: Cell<*const Waiter>,
    /// In the first node, the last node; in any other, the node before.
    pub(super) prev: Cell<*const Waiter>,
    id: Cell<RecordId>,
    kind: Cell<Kind>,
    wake_list: Cell<WakeList>,
    state: AtomicU32,
}

/// The waiters that a granted waiter calls: others that were granted together with it.
pub(crate) type WakeList = [Option<RecordId>; MOST_WAKES];

/// The most waiters in a wake list.
pub(crate) const MOST_WAKES: usize = 8;

impl Waiter {
    pub(crate) fn new(id: RecordId, kind: Kind) -> Self {
        Self {
            next: Cell::new(ptr::null()),
            prev: Cell::new(ptr::null()),
            id: Cell::new(id),
            kind: Cell::new(kind),
            wake_list: Cell::new([None; MOST_WAKES]),
            state: AtomicU32::new(Grant::Queued as u32),
        }
    }

    /// Tells the simulator, if there is one, where this node will be shared from.
    pub(crate) fn announce(&self) {
        announce(self);
    }

    pub(crate) fn id(&self) -> RecordId {
        // SAFETY: never written between `new` and `drop`.
        unsafe { self.id.get() }
    }

    pub(crate) fn kind(&self) -> Kind {
        // SAFETY: never written between `new` and `drop`.
        unsafe { self.kind.get() }
    }

    pub(crate) fn name(&self) -> Name {
        (self.id(), self.kind())
    }

    pub(crate) fn state(&self) -> Grant {
        // Acquire: pairs with the release in `grant`, so that a granted waiter sees all that came
        // before the grant.
        match self.state.load(ordered!(Acquire, unless GrantSeenRelaxed)) {
            0 => Grant::Queued,
            1 => Grant::Claimed,
            _ => Grant::Granted,
        }
    }

    /// QUEUED → CLAIMED, by the holder of the list lock, which has just unlinked the node.
    pub(crate) fn claim(&self) {
        // Relaxed: the waiter looks for this state under the list lock only.
        self.state.store(Grant::Claimed as u32, Ordering::Relaxed);
    }

    /// CLAIMED → GRANTED, by the claimer. From here on the node may be gone.
    pub(crate) fn grant(&self) {
        // Release: pairs with the acquire in `state`.
        self.state.store(Grant::Granted as u32, ordered!(Release, unless GrantGivenRelaxed));
    }

    /// Says which waiters this waiter is to call. By the claimer, before the grant.
    ///
    /// # Safety
    /// The caller claimed the node and has not granted it yet.
    pub(crate) unsafe fn assign(&self, list: WakeList) {
        // SAFETY: the node is the claimer's alone until the grant.
        unsafe { self.wake_list.set(list) };
    }

    /// The waiters to call. For the waiter itself, which has seen its grant.
    pub(crate) fn wake_list(&self) -> WakeList {
        // SAFETY: written before the grant at the latest, which `state` has seen by an acquire.
        unsafe { self.wake_list.get() }
    }

    /// The word that [`grant`](Self::grant) changes, to spin on.
    pub(crate) fn state_word(&self) -> (&AtomicU32, u32) {
        (&self.state, Grant::Claimed as u32)
    }
}

/// A model reports every access to a node that is gone: here the node's owner writes all that other
/// threads read.
#[cfg(siftlock_model)]
impl Drop for Waiter {
    fn drop(&mut self) {
        // SAFETY: the node is its owner's alone again; where it is not, the model fails, as it
        // should.
        unsafe {
            self.id.set(RecordId::new(1).expect("1 is an id"));
            self.kind.set(Kind::Writer);
            self.wake_list.set([None; MOST_WAKES]);
            self.next.set(ptr::null());
            self.prev.set(ptr::null());
        }
    }
}
