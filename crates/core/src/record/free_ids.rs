//! The ids that no thread has: a stack whose links lie beside the records, for a platform that
//! gives ids of ended threads to new ones.
//!
//! The stack has no lock: a thread may be in here when another forks, and the child must still be
//! able to register threads.
//!
//! | bits of the head | content |
//! | --- | --- |
//! | 0–31 | the first free id, 0 = none |
//! | 32–63 | a tag: how many steps the stack has made |
//!
//! **Why a tag.** A thread that pops reads the first id and that id's link, and then swaps the link
//! in for the id. In between, other threads may pop both ids and push the first back: the head
//! shows the same id, but the link leads to an id that is in use. The tag has changed, so the swap
//! fails.

use super::RecordId;
use crate::sync::{AtomicU32, AtomicU64, Ordering, const_fn, mutated, ordered};

/// A stack of free ids.
#[derive(Debug)]
pub struct FreeIds(AtomicU64);

impl FreeIds {
    const_fn! {
        /// No id is free.
        #[must_use]
        pub const fn new() -> Self {
            Self(AtomicU64::new(0))
        }
    }

    /// Frees an id whose record belongs to no thread any more. `link` is the id's own link.
    pub fn push(&self, id: RecordId, link: &AtomicU32) {
        // Relaxed: a compare-and-swap follows.
        let mut head = self.0.load(Ordering::Relaxed);
        loop {
            // Relaxed: published by the release below.
            link.store(head as u32, Ordering::Relaxed);
            // Release: pairs with the acquires in `pop`.
            let order = ordered!(Release, unless FreeIdPushedRelaxed);
            match self.step(head, id.get(), order, Ordering::Relaxed) {
                Ok(()) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Takes an id, if one is free; `link_of` finds the link of each id that was ever pushed.
    pub fn pop<'a>(&self, link_of: impl Fn(RecordId) -> &'a AtomicU32) -> Option<RecordId> {
        // Acquire, here and below: pairs with the release in `push`. Pops of other threads in
        // between continue its release sequence.
        let order = ordered!(Acquire, unless FreeIdPoppedRelaxed);
        let mut head = self.0.load(order);
        loop {
            let id = RecordId::new(head as u32)?;
            // Relaxed: stale if another thread has popped the id meanwhile; then the tag has
            // changed.
            let next = link_of(id).load(Ordering::Relaxed);
            match self.step(head, next, order, order) {
                Ok(()) => return Some(id),
                Err(now) => head = now,
            }
        }
    }

    /// tag, head → tag + 1, `first`.
    fn step(&self, head: u64, first: u32, done: Ordering, not: Ordering) -> Result<(), u64> {
        let tag = if mutated!(FreeIdsUntagged) { 0 } else { (head >> 32).wrapping_add(1) };
        let to = tag << 32 | u64::from(first);
        self.0.compare_exchange(head, to, done, not).map(drop)
    }
}

impl Default for FreeIds {
    fn default() -> Self {
        Self::new()
    }
}
