//! Writing: the stages of a writer that found the lock taken, and the way out of each.
//!
//! By w1, here, a writer becomes the one that sifts. By w2 and w3, in `sift`, it shuts the readers
//! out.

use super::context::{Context, Readers, Shape};
use super::poll::Limit;
use super::queue::Turn;
use super::word::{WRITER, Word, closed};
use super::{Policy, PsRwLock, Refused};
use crate::platform::{Class, Instant, Platform, Raised};
use crate::record::RecordId;
use crate::sync::{Ordering, mutated, ordered};
use crate::wait::{Kind, unpark};

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    #[cold]
    pub(super) fn write_slow(&self, limit: Limit) -> Result<Raised, Refused> {
        if !Shape::<W, R>::THREADS_WRITE {
            return self.write_awake(limit);
        }
        match limit {
            Limit::Until(deadline) => self.write_asleep(deadline),
            Limit::Try if self.begin() => self.sift(None, limit),
            Limit::Try => Err(Refused::TimedOut),
        }
    }

    /// Rule L: a thread that waits for another writer has raised nothing.
    fn write_asleep(&self, deadline: Option<Instant>) -> Result<Raised, Refused> {
        let limit = Limit::Until(deadline);
        if limit.is_over::<P>() {
            return Err(Refused::TimedOut);
        }
        let stays_raised = mutated!(PsrwQueuesRaised);
        let raised = if stays_raised { Self::raise_to_top() } else { Raised::NOTHING };
        let turn = Turn::new::<P>(Kind::Writer, deadline)?;
        self.queue(&turn)?;
        if stays_raised {
            P::restore(raised);
        }
        self.sift(Some(&turn), limit)
    }

    /// A writer of a class above Thread: w1 at its own level. It does not queue, because it must
    /// not sleep.
    fn write_awake(&self, limit: Limit) -> Result<Raised, Refused> {
        let raised = P::raise(W::CLASS, Raised::NOTHING);
        while !self.begin() {
            if let Err(refused) = self.poll(limit, |v| !v.has(WRITER)) {
                P::restore(raised);
                return Err(refused);
            }
        }
        self.close_upwards(raised, limit)
    }

    /// w1: v → v + WRITER (+ CLOSED(P), if Threads read), past waiters where that is allowed. This
    /// does not look at readers, so a stream of them keeps no writer from its turn.
    pub(super) fn begin(&self) -> bool {
        let mut v = self.look();
        while v.lets_writer_begin::<L>() {
            match self.enter(v, Self::begun(v)) {
                Ok(()) => return true,
                Err(now) => v = now,
            }
        }
        false
    }

    /// The value after w1.
    pub(super) fn begun(v: Word) -> Word {
        if mutated!(PsrwClosesAllAtOnce) {
            return v.with(Shape::<W, R>::INSIDE);
        }
        let unread = mutated!(PsrwClosesThreadsUnread);
        v.with(Shape::<W, R>::BEGUN | if unread { closed(Class::Thread) } else { 0 })
    }

    /// The way out of every stage, and of the section: − WRITER − CLOSED, in one step; then lower.
    /// Returns the first waiter, which the caller wakes (rule F). `taken`: this writer's bits in
    /// the word.
    #[inline]
    pub(super) fn end(&self, taken: u64, raised: Raised) -> Option<RecordId> {
        if mutated!(PsrwLowersBeforeRelease) {
            P::restore(raised);
        }
        if mutated!(PsrwUnlockInTwoSteps) && taken != WRITER {
            self.release(WRITER, Ordering::Release);
            return self.release(taken & !WRITER, Ordering::Release).head();
        }
        // Release: pairs with the acquire of the next holder.
        let v = self.release(taken, ordered!(Release, unless PsrwWriteUnlockRelaxed));
        let v = if mutated!(PsrwUnlockLooksAgain) { self.look() } else { v };
        if !mutated!(PsrwLowersBeforeRelease) {
            Self::lower(raised);
        }
        v.head()
    }

    /// The way out of a write that has begun and gives up.
    #[cold]
    pub(super) fn undo(&self, taken: u64, raised: Raised) {
        let head = self.end(taken, raised);
        if !mutated!(PsrwUndoWakesNobody) {
            call::<P>(head);
        }
    }
}

/// Wakes the waiter that a releasing step's value names, if any.
#[inline]
pub(super) fn call<P: Platform>(head: Option<RecordId>) {
    if let Some(id) = head {
        wake::<P>(id);
    }
}

#[cold]
fn wake<P: Platform>(id: RecordId) {
    unpark::<P>(id);
}
