//! The optimistic spinners' queue: a cancellable MCS queue whose nodes live in thread records.
//!
//! One spinner at a time polls the lock. Each of the others spins on a word of its own record,
//! until its predecessor passes the turn on, or until it gives up. The queue's word names the last
//! spinner by its record id, so it is 32 bits, and 0 is empty.
//!
//! A spinner that gives up has three things to do, in this order: make sure that its predecessor
//! will not pass the turn to it (A), settle which spinner is its successor (B), and bring the two
//! together (C). Its neighbours wait for it only for these few instructions.
//!
//! A link is only ever a record id, and records are never freed, so a stale link leads to valid
//! memory. But a node that is in the queue must not be entered again, so a spinner has left the
//! queue before its call returns.

use super::{SHORT_SPIN, wait_a_moment};
use crate::platform::Platform;
use crate::record::{NONE, Record, RecordId, SpinNode};
use crate::sync::{AtomicU32, Ordering, const_fn, mutated, ordered, spin_while};

/// The queue: the id of the last spinner, or 0.
#[derive(Debug)]
pub(crate) struct SpinQueue {
    tail: AtomicU32,
}

fn node<P: Platform>(id: u32) -> &'static SpinNode {
    let id = RecordId::new(id).expect("links of the spinners' queue are record ids");
    P::record(id).spin_node()
}

fn pass_to<P: Platform>(id: u32) {
    // Release: pairs with the acquire in `has_turn`.
    node::<P>(id).turn.store(1, ordered!(Release, unless OsqTurnPassedRelaxed));
}

impl SpinQueue {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self { tail: AtomicU32::new(NONE) }
        }
    }

    /// Whether nobody spins, to be asked when all threads are done.
    #[cfg(siftlock_model)]
    pub(crate) fn is_empty(&self) -> bool {
        self.tail.load(Ordering::Relaxed) == NONE
    }

    /// Enters the queue and waits for the turn to poll the lock. `give_up` is asked once a beat;
    /// when it says so, leaves the queue and returns false.
    pub(crate) fn enter<P: Platform>(
        &self,
        me: &Record,
        mut give_up: impl FnMut() -> bool,
    ) -> bool {
        let mine = me.spin_node();
        mine.clear();
        // Acquire: pairs with the release of the predecessor, so that its node is set up. Release:
        // pairs with the acquire of the successor, which links itself to a node that is cleared.
        let order = match () {
            () if mutated!(OsqBeforeSeenRelaxed) => Ordering::Release,
            () if mutated!(OsqEnteredRelaxed) => Ordering::Acquire,
            () => Ordering::AcqRel,
        };
        let before = self.tail.swap(me.id().get(), order);
        if before == NONE {
            return true;
        }
        // `prev` first: once the predecessor knows of us it may leave, and then it writes our
        // `prev`; a late store of ours would undo that.
        if mutated!(OsqLinksBeforePrev) {
            node::<P>(before).set_next(me.id().get(), Ordering::Release);
            mine.set_prev(before, Ordering::Relaxed);
        } else {
            mine.set_prev(before, Ordering::Relaxed);
            // Release: pairs with the acquire of the predecessor when it takes this link.
            let order = ordered!(Release, unless OsqLinkedRelaxed);
            node::<P>(before).set_next(me.id().get(), order);
        }
        loop {
            if mine.has_turn() {
                return true;
            }
            if give_up() {
                return self.cancel::<P>(me);
            }
            spin_while(&mine.turn, 0, SHORT_SPIN);
        }
    }

    /// Leaves the queue without having had the turn; returns true if the turn came meanwhile.
    #[cold]
    fn cancel<P: Platform>(&self, me: &Record) -> bool {
        let (mine, id) = (me.spin_node(), me.id().get());
        // A: take the link to us back. Where it is gone, the turn is on its way, or the
        // predecessor is leaving and will give us another.
        let before = loop {
            // Acquire: pairs with the release by which a leaver (C) names our new predecessor.
            let before = mine.prev.load(ordered!(Acquire, unless OsqPrevSeenRelaxed));
            let taken = node::<P>(before).next.compare_exchange(
                id,
                NONE,
                Ordering::Relaxed, // publishes nothing: `next` of the others is untouched
                Ordering::Relaxed,
            );
            if taken.is_ok() {
                break before;
            }
            if mine.has_turn() {
                return true;
            }
            wait_a_moment::<P, _>(&mine.turn, 0);
        };
        // B and C.
        if let Some(next) = self.take_next::<P>(me, before) {
            // `prev` first, as in `enter`.
            if mutated!(OsqCancelLinksBeforePrev) {
                node::<P>(before).set_next(next, Ordering::Release);
                node::<P>(next).set_prev(before, Ordering::Release);
            } else {
                // Release: pairs with the acquire at A by our successor.
                node::<P>(next).set_prev(before, ordered!(Release, unless OsqPrevGivenRelaxed));
                // Release: pairs with the acquire in `take_next` of our predecessor.
                let order = ordered!(Release, unless OsqPassedOverRelaxed);
                node::<P>(before).set_next(next, order);
            }
        }
        false
    }

    /// Ends the turn: passes it to the next spinner, if there is one.
    pub(crate) fn leave<P: Platform>(&self, me: &Record) {
        if let Some(next) = self.take_next::<P>(me, NONE) {
            pass_to::<P>(next);
        }
    }

    /// B: takes the link to our successor, which then cannot leave until we have told it of its new
    /// place. If we are the last, makes `before` the last and returns `None`.
    fn take_next<P: Platform>(&self, me: &Record, before: u32) -> Option<u32> {
        let (mine, id) = (me.spin_node(), me.id().get());
        loop {
            // id → before. Release: pairs with the acquire of the spinner that enters next. That
            // spinner then links itself to `before`; or, when we had the turn, its own turn comes
            // after our critical section.
            let order = ordered!(Release, unless OsqTailGivenBackRelaxed);
            let last = self.tail.compare_exchange(id, before, order, Ordering::Relaxed);
            if last.is_ok() {
                return None;
            }
            // The look is Relaxed. Acquire: pairs with the release by which the link was made.
            if mine.next.load(Ordering::Relaxed) != NONE {
                let next = mine.next.swap(NONE, ordered!(Acquire, unless OsqNextTakenRelaxed));
                if next != NONE {
                    return Some(next);
                }
            }
            // Our successor has taken the tail but not linked itself yet, or is leaving.
            wait_a_moment::<P, _>(&mine.next, NONE);
        }
    }
}
