//! A wait on top of another: a handler waits for a lock, and has interrupted its thread's wait for
//! the same lock.
//!
//! The thread runs the handler first. So the wait *below* makes no attempt, even if it is called,
//! until the wait *on top* has ended. If the wait on top stood behind the wait below, both would
//! wait for ever: the lock would be left free, or reserved, for a waiter that cannot take it.
//!
//! So the wait on top stands *in front of* the wait below, wherever that is. Both are of one
//! record. Where the wait below is the first, HEAD stays as it is, HEAD_READER becomes the kind of
//! the wait on top, and calls reach the thread as before. A lock reserved for the wait below stays
//! reserved for its thread.
//!
//! * **The wait below overtakes** when another waiter brings it to the front. Then the thread is
//!   the first, so it is called, and the wait on top steps in front again.
//! * **The wait below has its share already**, granted before the wait on top queued, and does not
//!   know it yet. Then the wait below stands in no list, and the reader on top takes a share beside
//!   that share, as a recursive read does: an exception from R9. A reader on top of a wait for
//!   another lock passes waiters as well: the two cases look alike.

use crate::platform::Platform;
use crate::rwsem::queue::Turn;
use crate::rwsem::queue::batch::MAX_NODES_LOOKED_AT;
use crate::rwsem::{Policy, RwSem};
use crate::sync::mutated;
use crate::wait::{Locked, Waiter};
use core::ptr;

impl<P: Platform, L: Policy> RwSem<P, L> {
    /// The caller's node is on the list. If the wait below stands before that node, the node steps
    /// in front of it.
    ///
    /// Where the wait below was the first: HEAD_READER as the kind of the caller, HEAD_HEEDED on,
    /// HEAD_DOZES off. The caller looks at the lock after this step (rule H).
    pub(super) fn step_in_front(&self, list: &Locked<'_, P>, turn: &Turn) {
        let Some(below) = turn.below(list) else { return };
        let was_first = list.is_first(below);
        list.unlink(&turn.node);
        list.insert_before(&turn.node, below);
        if was_first {
            let mut v = self.look();
            while let Err(now) = self.count_cas(v, v.headed_by(turn.node.kind())) {
                v = now;
            }
        }
    }
}

impl Turn {
    /// Whether the caller is a handler that has interrupted a wait.
    pub(super) fn is_on_top(&self) -> bool {
        self.waiting.is_nested()
    }

    /// Whether the wait below may have been granted its share: the caller is on top of a wait that
    /// is not on the list.
    pub(in crate::rwsem) fn may_have_a_share<P: Platform>(&self, list: &Locked<'_, P>) -> bool {
        self.is_on_top() && self.below(list).is_none() && !mutated!(WaitOnTopQueuesBehindItsShare)
    }

    /// The first wait of the same thread in the list, unless that is the caller's own.
    fn below<'a, P: Platform>(&self, list: &'a Locked<'_, P>) -> Option<&'a Waiter> {
        if !self.is_on_top() || mutated!(WaitOnTopStaysBehind) {
            return None;
        }
        let first = list.iter().take(MAX_NODES_LOOKED_AT).find(|node| node.id() == self.me.id());
        first.filter(|first| !ptr::eq(*first, &raw const self.node))
    }
}
