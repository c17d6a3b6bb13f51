//! The wait queue: its nodes lie on the stacks of the threads that sleep. WS_WQ_MUTEX guards it.

use crate::word::Condition;
use core::ptr;
use siftlock_core::record::RecordId;
use siftlock_core::sync::{Cell, const_fn};

/// A sleeper: the node that it keeps on its stack.
#[derive(Debug)]
pub(crate) struct Sleeper {
    next: Cell<*const Sleeper>,
    /// The node before; in the first node, the last node of the queue.
    prev: Cell<*const Sleeper>,
    /// The record of the thread to wake, and the condition for which it waits.
    wants: Cell<(RecordId, Condition)>,
}

impl Sleeper {
    pub(crate) fn new(id: RecordId, condition: Condition) -> Self {
        Self {
            next: Cell::new(ptr::null()),
            prev: Cell::new(ptr::null()),
            wants: Cell::new((id, condition)),
        }
    }

    pub(crate) fn id(&self) -> RecordId {
        // SAFETY: never written after `new`.
        unsafe { self.wants.get() }.0
    }

    pub(crate) fn condition(&self) -> Condition {
        // SAFETY: never written after `new`.
        unsafe { self.wants.get() }.1
    }
}

/// The first of the sleepers. Every method's caller holds WS_WQ_MUTEX.
#[derive(Debug)]
pub(crate) struct Queue {
    first: Cell<*const Sleeper>,
}

// SAFETY: only holders of WS_WQ_MUTEX follow the pointer, on whatever thread. The nodes consist of
// cells, which are `Sync`, of data that is `Send`.
unsafe impl Send for Queue {}
// SAFETY: as for `Send`.
unsafe impl Sync for Queue {}

impl Queue {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self { first: Cell::new(ptr::null()) }
        }
    }

    /// The first sleeper.
    ///
    /// # Safety
    /// The caller holds WS_WQ_MUTEX for as long as it uses the answer.
    pub(crate) unsafe fn first(&self) -> Option<&Sleeper> {
        // SAFETY: the owner of a linked node unlinks it under WS_WQ_MUTEX, which the caller holds.
        // So the node lives.
        unsafe { self.first.get().as_ref() }
    }

    /// The sleepers in the order in which they came.
    ///
    /// # Safety
    /// The caller holds WS_WQ_MUTEX for as long as it uses the answer.
    pub(crate) unsafe fn iter(&self) -> impl Iterator<Item = &Sleeper> {
        // SAFETY: the caller's promise.
        let first = unsafe { self.first() };
        core::iter::successors(first, |node| {
            // SAFETY: linked nodes live, and the caller holds WS_WQ_MUTEX.
            unsafe { node.next.get().as_ref() }
        })
    }

    /// Links `node` at the end.
    ///
    /// # Safety
    /// The caller holds WS_WQ_MUTEX. `node` is not linked, and stays where it is until it is
    /// unlinked.
    pub(crate) unsafe fn append(&self, node: &Sleeper) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.first() {
                None => {
                    node.prev.set(node);
                    self.first.set(node);
                }
                Some(first) => {
                    let last = first.prev.get();
                    node.prev.set(last);
                    first.prev.set(node);
                    (*last).next.set(node);
                }
            }
        }
    }

    /// Unlinks `node`.
    ///
    /// # Safety
    /// The caller holds WS_WQ_MUTEX. `node` is on this queue.
    pub(crate) unsafe fn unlink(&self, node: &Sleeper) {
        // SAFETY: the caller's promise.
        unsafe {
            let (prev, next) = (node.prev.get(), node.next.get());
            if ptr::eq(self.first.get(), node) {
                self.first.set(next);
            } else {
                (*prev).next.set(next);
            }
            // The first node's `prev` names the last node. If the first leaves, the new first gets
            // it. If the last leaves, the node before it becomes the last.
            if let Some(heir) = next.as_ref().or(self.first()) {
                heir.prev.set(prev);
            }
        }
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn queue_keeps_order_whoever_leaves() {
        for leaves in 0..3 {
            let ids = [1, 2, 3].map(|id| RecordId::new(id).expect("an id"));
            let nodes = ids.map(|id| Sleeper::new(id, Condition::Left));
            let queue = Queue::new();
            // SAFETY: no other thread knows the queue, and the nodes stay in their array.
            unsafe {
                nodes.iter().for_each(|node| queue.append(node));
                queue.unlink(&nodes[leaves]);
                let late = Sleeper::new(RecordId::new(9).expect("an id"), Condition::CountFree);
                queue.append(&late);
                let stays = ids.iter().filter(|id| **id != ids[leaves]).copied();
                assert!(queue.iter().map(Sleeper::id).eq(stays.chain([late.id()])));
                assert_eq!(late.condition(), Condition::CountFree);
            }
        }
    }

    #[test]
    fn queue_of_one_is_empty_after_it() {
        let node = Sleeper::new(RecordId::new(1).expect("an id"), Condition::Left);
        let queue = Queue::new();
        // SAFETY: no other thread knows the queue, and the node stays where it is.
        unsafe {
            queue.append(&node);
            queue.unlink(&node);
            assert!(queue.first().is_none());
        }
    }
}
