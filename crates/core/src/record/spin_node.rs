//! A thread's place in a spinners' queue, and what else it knows of its spins and waits. The queue is `spin::queue`.

use super::Instant;
#[cfg(siftlock_model)]
use crate::sync::Cell;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// No spinner.
pub(crate) const NONE: u32 = 0;

/// About a second.
const LONGEST_REST: u32 = 1 << 10;

/// The bits of a time in `own`.
const TIME: u32 = (1 << 24) - 1;
/// One wait of the node's thread, in `own`.
const WAIT: u32 = TIME + 1;

/// About milliseconds, over and over from 0: what a record has room for.
#[expect(clippy::cast_possible_truncation, reason = "begins anew")]
const fn coarse(at: Instant) -> u32 {
    (at.as_nanos() >> 20) as u32 & TIME
}

/// A thread's place in a spinners' queue. A thread is in one queue at a time.
#[derive(Debug)]
pub(crate) struct SpinNode {
    pub(crate) next: AtomicU32,
    pub(crate) prev: AtomicU32,
    /// Written with each `prev`: a model reports two that the links have not ordered.
    #[cfg(siftlock_model)]
    prev_written: Cell<()>,
    /// 1 once the turn has been passed to this spinner.
    pub(crate) turn: AtomicU32,
    /// When the thread may spin again, [coarsely](coarse); above that, how many of its waits lie one on top
    /// of the other. Its own affair, and its handlers'.
    own: AtomicU32,
}

impl SpinNode {
    const_fn! {
        pub(crate) const fn new() -> Self {
            Self {
                next: AtomicU32::new(NONE),
                prev: AtomicU32::new(NONE),
                #[cfg(siftlock_model)]
                prev_written: Cell::new(()),
                turn: AtomicU32::new(0),
                own: AtomicU32::new(0),
            }
        }
    }

    /// Whether the thread may spin now.
    pub(crate) fn is_rested(&self, now: Instant) -> bool {
        // Relaxed: only the node's own thread looks, here and below.
        let left = self.own.load(Ordering::Relaxed).wrapping_sub(coarse(now)) & TIME;
        // What looks longer is over for long.
        left == 0 || left > LONGEST_REST
    }

    /// The thread does not spin until then, about. At most a second.
    pub(crate) fn rest_until(&self, then: Instant) {
        let waits = self.own.load(Ordering::Relaxed) & !TIME;
        self.own.store(waits | coarse(then), Ordering::Relaxed);
    }

    /// The thread begins to wait. Whether it does so on top of another wait.
    pub(crate) fn begin_wait(&self) -> bool {
        // Relaxed: as above. A handler between load and store ends as many waits as it begins.
        let before = self.own.load(Ordering::Relaxed);
        self.own.store(before.wrapping_add(WAIT), Ordering::Relaxed);
        before >= WAIT
    }

    /// And ends it.
    pub(crate) fn end_wait(&self) {
        let before = self.own.load(Ordering::Relaxed);
        self.own.store(before.wrapping_sub(WAIT), Ordering::Relaxed);
    }

    /// Who stands before: written by the node's own thread as it enters, and by a predecessor that leaves.
    #[inline]
    pub(crate) fn set_prev(&self, before: u32, order: Ordering) {
        #[cfg(siftlock_model)]
        // SAFETY: each write comes after the one before, by the links.
        unsafe {
            self.prev_written.set(());
        }
        self.prev.store(before, order);
    }

    pub(crate) fn has_turn(&self) -> bool {
        // Acquire: pairs with the release in `pass_to`.
        self.turn.load(Ordering::Acquire) != 0
    }
}

#[cfg(all(test, not(siftlock_model)))]
mod tests {
    use super::*;

    #[test]
    fn spinners_rest_about_as_long_as_told() {
        let (node, at) = (SpinNode::new(), |ms: u64| Instant::from_nanos(ms << 20));
        assert!(node.is_rested(at(0)) && node.is_rested(at(1 << 24)));
        for begun in [5, u64::from(TIME) - 10] {
            assert_eq!(node.begin_wait(), begun != 5, "waits are counted beside the time");
            node.rest_until(at(begun + 50));
            assert!(!node.is_rested(at(begun)) && !node.is_rested(at(begun + 49)));
            assert!(node.is_rested(at(begun + 50)) && node.is_rested(at(begun + 1_000_000)));
            // The longest rest there is.
            node.rest_until(at(begun + 1024));
            assert!(!node.is_rested(at(begun)) && node.is_rested(at(begun + 1024)));
            node.rest_until(at(begun));
            assert!(node.is_rested(at(begun)));
        }
    }

    #[test]
    fn spinners_waits_lie_one_on_top_of_the_other() {
        let node = SpinNode::new();
        assert_eq!([node.begin_wait(), node.begin_wait()], [false, true]);
        node.end_wait();
        assert!(node.begin_wait(), "one of two has ended");
        node.end_wait();
        node.end_wait();
        assert!(!node.begin_wait());
    }
}
