//! Sleeping and waking: all code that takes WS_WQ_MUTEX.
//!
//! A thread that makes a sleeper's condition true looks at UC_WQ_ACTIVE afterwards. A sleeper sets
//! UC_WQ_ACTIVE first, and tests its condition again afterwards. So one of the two sees the other.
//! If the condition is in `uc`, the order of `uc` itself ensures that. If it is in another word, a
//! full fence on each side does.
//!
//! One sleeper is woken at a time. It may find its condition false again, or have no time left, so
//! it makes the same *check* for the next sleeper.

use crate::queue::Sleeper;
use crate::seam::{mutated, ordered};
use crate::shape::Shape;
use crate::wait::Limit;
use crate::word::{Condition, UC_WQ_ACTIVE, WS_WQ_MUTEX, readers};
use crate::{PsRw2008, Refused};
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::psrw::{Context, Readers};
use siftlock_core::sync::{Ordering, announce, full_fence};

/// WS_WQ_MUTEX, held with all contexts masked that could take it on the same thread.
struct Queued<'a, P: Platform, W, R> {
    lock: &'a PsRw2008<R, W, P>,
    raised: Raised,
}

impl<R: Readers, W: Context, P: Platform> PsRw2008<R, W, P> {
    /// *Sleep*: sleeps until `condition` may hold, at most until `deadline`.
    pub(crate) fn sleep(
        &self,
        condition: Condition,
        deadline: Option<Instant>,
    ) -> Result<(), Refused> {
        let me = P::current();
        let node = Sleeper::new(me.id(), condition);
        announce(&node);
        if !self.lie_down(&node) {
            return Ok(());
        }
        me.park::<P>(deadline);
        self.get_up(&node);
        let timed_out = Limit::Until(deadline).is_over::<P>();
        if !Self::wakes_up_silently(condition, timed_out) {
            self.check();
        }
        if timed_out { Err(Refused::TimedOut) } else { Ok(()) }
    }

    /// Links `node`, unless its condition has come true. Returns whether it is linked.
    fn lie_down(&self, node: &Sleeper) -> bool {
        let queue = self.take_queue(!mutated!(SleepsUnmasked));
        if queue.is_empty() {
            // Relaxed: WS_WQ_MUTEX orders the changes of this bit, and a fence follows.
            self.uc.fetch_or(UC_WQ_ACTIVE, Ordering::Relaxed);
        }
        if !mutated!(SleepsWithoutFence) {
            // Pairs with the fence of `check`.
            full_fence();
        }
        if !mutated!(NoSecondTest) && self.holds(node.condition()) {
            queue.settle();
            return false;
        }
        // SAFETY: the caller has WS_WQ_MUTEX, and `node` stays until `get_up` has unlinked it.
        unsafe { self.queue.append(node) };
        true
    }

    fn get_up(&self, node: &Sleeper) {
        let queue = self.take_queue(!mutated!(WokenUnmasked));
        // SAFETY: the caller has WS_WQ_MUTEX, and `lie_down` has linked `node` here.
        unsafe { self.queue.unlink(node) };
        queue.settle();
    }

    /// *Check*: wakes a sleeper whose condition holds, if there is one.
    pub(crate) fn check(&self) {
        if !mutated!(CheckWithoutFence) {
            // Pairs with the fence of `lie_down`.
            full_fence();
        }
        // Relaxed: the fence orders it.
        if self.uc.load(Ordering::Relaxed) & UC_WQ_ACTIVE != 0 {
            self.wake();
        }
    }

    /// *Wake*: wakes the first sleeper whose condition holds. The sleeper unlinks itself.
    #[cold]
    pub(crate) fn wake(&self) {
        let _queue = self.take_queue(!mutated!(WakesUnmasked));
        if mutated!(PostedWakesWritersFirst) {
            return self.wake_as_posted();
        }
        // SAFETY: the caller has WS_WQ_MUTEX.
        let mut sleepers = unsafe { self.queue.iter() };
        if let Some(sleeper) = sleepers.find(|sleeper| self.holds(sleeper.condition())) {
            P::record(sleeper.id()).unpark::<P>();
        }
    }

    /// Wakes as the posted code does: no sleeper while a reader is inside or a writer shuts a
    /// higher class out; otherwise the first writer, or the first reader if no writer sleeps.
    fn wake_as_posted(&self) {
        let closed = |class: &Class| !self.holds(Condition::Open(*class));
        let is_read = readers(self.uc.load(Ordering::Acquire)) > 0;
        if is_read || Class::HIGH.iter().any(closed) {
            return;
        }
        for reads in [false, true] {
            // SAFETY: the caller has WS_WQ_MUTEX.
            let mut sleepers = unsafe { self.queue.iter() };
            if let Some(first) = sleepers.find(|node| node.condition().reads() == reads) {
                return P::record(first.id()).unpark::<P>();
            }
        }
    }

    /// Whether a broken rule keeps a thread that gives up from its check.
    pub(crate) fn gives_up_silently(condition: Condition) -> bool {
        let (reader, sleeper) =
            (mutated!(ReaderGivesUpUnchecked), mutated!(SleeperTimesOutUnchecked));
        reader && condition.reads() || sleeper
    }

    /// Whether a broken rule keeps a woken thread from its check.
    fn wakes_up_silently(condition: Condition, timed_out: bool) -> bool {
        let (repaired, posted) = (mutated!(WokenChecksNothing), mutated!(PostedWakesWritersFirst));
        if timed_out { Self::gives_up_silently(condition) } else { repaired || posted }
    }

    /// Masks, then ws → ws + WQ_MUTEX. No context that wants WQ_MUTEX interrupts its holder, and
    /// the holder never sleeps. But it may lose its processor.
    fn take_queue(&self, masked: bool) -> Queued<'_, P, W, R> {
        let raised = match Shape::<W, R>::TOP {
            Class::Thread => Raised::NOTHING,
            top if masked => P::raise(top, Raised::NOTHING),
            _ => Raised::NOTHING,
        };
        loop {
            // Acquire: pairs with the release in `Queued::drop`.
            let free = |ws| (ws & WS_WQ_MUTEX == 0).then_some(ws | WS_WQ_MUTEX);
            let order = ordered!(Acquire, unless QueueTakenRelaxed);
            if self.step_ws(order, free).is_some() {
                return Queued { lock: self, raised };
            }
            let waited = self.wait_awake(Condition::QueueFree, Limit::ENDLESS);
            debug_assert!(waited.is_ok(), "there is no limit");
        }
    }
}

impl<P: Platform, W, R> Queued<'_, P, W, R> {
    fn is_empty(&self) -> bool {
        // SAFETY: the caller has WS_WQ_MUTEX.
        unsafe { self.lock.queue.first() }.is_none()
    }

    /// Clears UC_WQ_ACTIVE, if the queue is empty.
    fn settle(&self) {
        if self.is_empty() {
            // Relaxed: WS_WQ_MUTEX orders the changes of this bit.
            self.lock.uc.fetch_and(!UC_WQ_ACTIVE, Ordering::Relaxed);
        }
    }
}

impl<P: Platform, W, R> Drop for Queued<'_, P, W, R> {
    /// ws → ws − WQ_MUTEX, then unmasks.
    fn drop(&mut self) {
        #[cfg(siftlock_model)]
        if !crate::probe::queue_is_left(|| !self.is_empty()) {
            return;
        }
        // Release: pairs with the acquire in `take_queue`.
        let order = ordered!(Release, unless QueueDroppedRelaxed);
        self.lock.ws.fetch_and(!WS_WQ_MUTEX, order);
        P::restore(self.raised);
    }
}
