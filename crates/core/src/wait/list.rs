//! The wait list: one FIFO of waiters of all kinds, intrusive, and its lock, in one word.
//!
//! The word points at the first node; its bit 0 is the list lock. The lock is taken by setting the
//! bit and dropped by *one* store of the new first node, so it covers few instructions and its
//! holder has the list's head in a register. Only a thread whose own call has still to succeed or
//! fail takes it (rule Q of the locks), so the lock in whose memory the word lies cannot be freed
//! meanwhile.

#[cfg(siftlock_model)]
use super::waiter::Kind;
use super::waiter::{Name, Waiter};
use crate::platform::Platform;
use crate::spin::wait_a_moment;
#[cfg(siftlock_model)]
use crate::sync::watch;
use crate::sync::{AtomicPtr, const_fn, ordered, set_tag};
use core::cell::Cell;
use core::marker::PhantomData;
use core::panic::UnwindSafe;
use core::ptr;

#[derive(Debug)]
pub(crate) struct WaitList {
    first: AtomicPtr<Waiter>,
}

// A lock that is moved through a panic is as it was: its calls do not panic between their steps.
impl UnwindSafe for WaitList {}

impl WaitList {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self { first: AtomicPtr::new(ptr::null_mut()) }
        }
    }

    /// Takes the list lock. Its holder never sleeps, so the wait is short.
    pub(crate) fn lock<P: Platform>(&self) -> Locked<'_, P> {
        let shield = P::shield();
        loop {
            // Acquire: pairs with the release in `Locked::drop`.
            let first = set_tag(&self.first, ordered!(Acquire, unless ListTakenRelaxed));
            if first.addr() & 1 == 0 {
                return Locked {
                    list: self,
                    first: Cell::new(first),
                    shield,
                    platform: PhantomData,
                };
            }
            wait_a_moment::<P, _>(&self.first, first);
        }
    }

    /// The node behind `node` in its claimer's chain.
    ///
    /// # Safety
    /// The caller claimed `node` and has not granted it yet.
    pub(crate) unsafe fn claimed_after(node: &Waiter) -> *const Waiter {
        // SAFETY: the claimer alone touches the links of a claimed node.
        unsafe { node.next.get() }
    }
}

/// The list while its lock is held.
#[derive(Debug)]
pub(crate) struct Locked<'a, P: Platform> {
    list: &'a WaitList,
    first: Cell<*const Waiter>,
    shield: u64,
    platform: PhantomData<P>,
}

impl<P: Platform> Locked<'_, P> {
    pub(crate) fn first(&self) -> Option<&Waiter> {
        // SAFETY: a linked node's owner is still in its call and cannot leave without the list
        // lock, which is ours; so the node lives.
        unsafe { self.first.get().as_ref() }
    }

    pub(crate) fn is_first(&self, node: &Waiter) -> bool {
        ptr::eq(self.first.get(), node)
    }

    pub(crate) fn after(&self, node: &Waiter) -> Option<&Waiter> {
        // SAFETY: we hold the list lock, which guards the links.
        let next = unsafe { node.next.get() };
        // SAFETY: as in `first`.
        unsafe { next.as_ref() }
    }

    /// The nodes in the order in which they came.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Waiter> {
        core::iter::successors(self.first(), |node| self.after(node))
    }

    /// Links `node` at the end. The node must stay where it is until it is unlinked.
    pub(crate) fn append(&self, node: &Waiter) {
        // SAFETY: we hold the list lock; `node` is not linked.
        unsafe {
            node.next.set(ptr::null());
            match self.first() {
                None => {
                    node.prev.set(node);
                    self.first.set(node);
                }
                Some(first) => {
                    let last = first.prev.get();
                    (*last).next.set(node);
                    node.prev.set(last);
                    first.prev.set(node);
                }
            }
        }
    }

    /// Links `node` in front of all others. The node must stay where it is until it is unlinked.
    pub(crate) fn push_front(&self, node: &Waiter) {
        // SAFETY: we hold the list lock; `node` is not linked.
        unsafe {
            match self.first() {
                None => node.prev.set(node),
                Some(first) => {
                    node.prev.set(first.prev.get());
                    first.prev.set(node);
                }
            }
            node.next.set(self.first.get());
        }
        self.first.set(node);
    }

    /// Links `node` in front of `other`, which is on this list. `node` must stay where it is until
    /// it is unlinked.
    pub(crate) fn insert_before(&self, node: &Waiter, other: &Waiter) {
        if self.is_first(other) {
            return self.push_front(node);
        }
        // SAFETY: we hold the list lock; `node` is not linked.
        unsafe {
            let before = other.prev.get();
            node.prev.set(before);
            node.next.set(other);
            (*before).next.set(node);
            other.prev.set(node);
        }
    }

    /// Unlinks `node`, which is on this list.
    pub(crate) fn unlink(&self, node: &Waiter) {
        // SAFETY: we hold the list lock, which guards the links, and linked nodes live.
        unsafe {
            let (prev, next) = (node.prev.get(), node.next.get());
            if self.is_first(node) {
                self.first.set(next);
            } else {
                (*prev).next.set(next);
            }
            // The first node's `prev` names the last: this name moves on with the head, or back
            // with the tail.
            if let Some(heir) = next.as_ref().or(self.first()) {
                heir.prev.set(prev);
            }
        }
    }

    /// Moves the waiter of this name, which is on the list, to the front.
    pub(crate) fn bring_forward(&self, name: Name) {
        if let Some(node) = self.iter().find(|node| node.name() == name)
            && !self.is_first(node)
        {
            self.unlink(node);
            self.push_front(node);
        }
    }

    /// Links an unlinked node behind `tail` in a chain of claimed nodes, or begins one.
    pub(crate) fn chain(&self, tail: Option<&Waiter>, node: &Waiter) {
        // SAFETY: both nodes are claimed by us, under the list lock, and not granted yet.
        unsafe {
            node.next.set(ptr::null());
            if let Some(tail) = tail {
                tail.next.set(node);
            }
        }
    }
}

impl<P: Platform> Drop for Locked<'_, P> {
    fn drop(&mut self) {
        #[cfg(siftlock_model)]
        watch::list_released(|| {
            self.first().map(|first| (first.id().get(), first.kind() == Kind::Reader))
        });
        // Release: pairs with the acquire in `WaitList::lock`. The store clears bit 0 as well:
        // node addresses are even.
        let order = ordered!(Release, unless ListDroppedRelaxed);
        self.list.first.store(self.first.get().cast_mut(), order);
        P::unshield(self.shield);
    }
}
