//! Writing, when the lock was not free. The writer is counted, shuts the readers out class by
//! class, and takes LOCK_MUTEX. The way out of each stage is here, too.

use crate::seam::{mutated, ordered};
use crate::shape::{Shape, Stages};
use crate::wait::Limit;
use crate::word::{Condition, UC_SLOW_WRITER, WS_COUNT_MUTEX, WS_LOCK_MUTEX, WS_WRITER};
use crate::{PsRw2008, Refused};
use siftlock_core::platform::{Class, Platform, Raised};
use siftlock_core::psrw::{Context, Readers};
use siftlock_core::sync::Ordering;

impl<R: Readers, W: Context, P: Platform> PsRw2008<R, W, P> {
    #[cold]
    #[inline(never)]
    pub(crate) fn write_slow(&self, limit: Limit) -> Result<Raised, Refused> {
        // Before w1: a handler that writes must not find COUNT_MUTEX taken by its own thread.
        let mut raised = Stages::begin::<P, W>();
        if let Err(refused) = self.begin_writer(limit) {
            raised.end::<P, W>();
            self.check_for_writer();
            return Err(refused);
        }
        for class in Shape::<W, R>::stages() {
            self.raise_and_subscribe(class, &mut raised);
            if let Err(refused) = self.await_readers(class, limit) {
                self.undo(class, raised);
                return Err(refused);
            }
        }
        if let Err(refused) = self.take_lock(limit) {
            self.undo(Shape::<W, R>::TOP, raised);
            return Err(refused);
        }
        let top = raised.give_top(Shape::<W, R>::TOP);
        // SAFETY: the caller has LOCK_MUTEX, which guards `stages`.
        unsafe { self.stages.set(raised) };
        Ok(top)
    }

    /// w1 to w3: counts one more slow writer.
    fn begin_writer(&self, limit: Limit) -> Result<(), Refused> {
        while !self.count(WS_WRITER) {
            self.wait_as_writer(Condition::CountFree, Shape::<W, R>::THREADS_WRITE, limit)?;
        }
        Ok(())
    }

    /// ws → ws + COUNT_MUTEX + `by`, one writer more or less. Then SLOW_WRITER follows the number.
    /// Then − COUNT_MUTEX. Returns false if another writer has COUNT_MUTEX.
    fn count(&self, by: u32) -> bool {
        let lock = if mutated!(CountsWithoutMutex) { 0 } else { WS_COUNT_MUTEX };
        let plan = |ws: u32| (ws & lock == 0).then(|| ws.wrapping_add(by) | lock);
        // Acquire: pairs with the release of COUNT_MUTEX at the end.
        let Some(ws) = self.step_ws(Ordering::Acquire, plan) else { return false };
        match (ws / WS_WRITER, by) {
            (1, WS_WRITER) => {
                // Relaxed: publishes nothing. The fast paths make their steps on the same word.
                self.uc.fetch_or(UC_SLOW_WRITER, Ordering::Relaxed);
            }
            (0, _) => {
                // Release: pairs with the acquire of the fast paths. All earlier slow writers are
                // ordered before this step by COUNT_MUTEX.
                let order = ordered!(Release, unless SlowWriterOffRelaxed);
                self.uc.fetch_and(!UC_SLOW_WRITER, order);
            }
            _ => {}
        }
        // Release: pairs with the acquire of the next writer that takes COUNT_MUTEX.
        self.ws.fetch_and(!lock, Ordering::Release);
        true
    }

    /// Raises, *then* class → class + W. In the other order, a handler of the class on this thread
    /// would wait for its own thread.
    fn raise_and_subscribe(&self, class: Class, raised: &mut Stages) {
        if mutated!(SubscribesBeforeRaising) {
            self.subscribe(class);
            return raised.raise::<P>(class);
        }
        raised.raise::<P>(class);
        self.subscribe(class);
    }

    /// One stage: waits for the class's readers of the slow path, *then* for the readers inside, of
    /// any class. R counts a reader from before it gets into `uc` until after that.
    fn await_readers(&self, class: Class, limit: Limit) -> Result<(), Refused> {
        let asleep = class == Class::Thread;
        if mutated!(LooksAtReadersFirst) {
            self.wait_as_writer(Condition::Left, asleep, limit)?;
            return self.wait_as_writer(Condition::SlowReadersGone(class), asleep, limit);
        }
        self.wait_as_writer(Condition::SlowReadersGone(class), asleep, limit)?;
        self.wait_as_writer(Condition::Left, asleep, limit)
    }

    /// ws → ws + LOCK_MUTEX. The caller is raised to the top class, so it waits awake through other
    /// writers' sections, unless Threads alone read.
    fn take_lock(&self, limit: Limit) -> Result<(), Refused> {
        let plan = |ws| (ws & WS_LOCK_MUTEX == 0).then_some(ws | WS_LOCK_MUTEX);
        // Acquire: pairs with the release in `slow_unlock`.
        while self.step_ws(ordered!(Acquire, unless EntersRelaxed), plan).is_none() {
            let asleep = Shape::<W, R>::TOP == Class::Thread;
            self.wait_as_writer(Condition::LockFree, asleep, limit)?;
        }
        Ok(())
    }

    fn wait_as_writer(&self, until: Condition, asleep: bool, limit: Limit) -> Result<(), Refused> {
        if asleep { self.wait_asleep(until, limit) } else { self.wait_awake(until, limit) }
    }

    /// Releases the lock of a slow writer.
    #[cold]
    #[inline(never)]
    pub(crate) fn slow_unlock(&self, top: Raised, woken_at_start: bool) {
        // SAFETY: the caller still has LOCK_MUTEX, which guards `stages`.
        let mut raised = unsafe { self.stages.get() };
        raised.take_top(Shape::<W, R>::TOP, top);
        // ws → ws − LOCK_MUTEX. Release: pairs with the acquire in `take_lock`.
        let order = ordered!(Release, unless LockMutexDroppedRelaxed);
        self.ws.fetch_and(!WS_LOCK_MUTEX, order);
        self.leave_stages(Shape::<W, R>::TOP, raised);
        if !mutated!(PostedUnlockLooksAtItsStart) {
            self.check();
        } else if woken_at_start {
            self.wake();
        }
    }

    /// The way out of a try or timed write that has reached the stage of `reached`.
    #[cold]
    fn undo(&self, reached: Class, raised: Stages) {
        if mutated!(UndoForgetsSubscription) {
            self.subscribe(reached);
        }
        self.leave_stages(reached, raised);
        if !mutated!(WriterUndoUnchecked) {
            self.check_for_writer();
        }
    }

    /// From the class `reached` down: class → class − W, *then* lowers by one class. At last counts
    /// one slow writer less.
    fn leave_stages(&self, reached: Class, mut raised: Stages) {
        for class in Shape::<W, R>::stages().rev().filter(|class| *class <= reached) {
            if mutated!(LowersBeforeUnsubscribing) {
                raised.lower::<P>(class);
            }
            self.unsubscribe(class);
            raised.lower::<P>(class);
        }
        while !self.count(WS_WRITER.wrapping_neg()) {
            let waited = self.wait_awake(Condition::CountFree, Limit::ENDLESS);
            debug_assert!(waited.is_ok(), "there is no limit");
        }
        raised.end::<P, W>();
    }

    /// Checks after a writer has given up. It may have been the sleeper that was woken, or others
    /// may wait for its undo.
    fn check_for_writer(&self) {
        if !mutated!(SleeperTimesOutUnchecked) {
            self.check();
        }
    }
}
