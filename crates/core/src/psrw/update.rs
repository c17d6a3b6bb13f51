//! A write that begins or ends as a read of the value.
//!
//! *Update*: a writer reads the value, and makes the new one, between w1 and w2. Handlers still
//! read then, so the writer may allocate, and wait. *Downgrade*: a writer goes on as a reader.

use super::context::{Context, Readers, Reads, Shape, Thread};
use super::poll::Limit;
use super::queue::Turn;
use super::word::reader;
use super::write::call;
use super::{Policy, PsRwLock, Refused};
use crate::platform::{Class, Platform, Raised, may_wait};
use crate::sync::mutated;
use crate::wait::Kind;
use core::convert::Infallible;
use core::mem;

impl<R: Readers, L: Policy, P: Platform> PsRwLock<R, Thread, L, P> {
    /// Takes the lock for writing, and calls `prepare` on the way in, when no other writer can come
    /// in before the caller. So the value stays as it is until the caller is inside.
    ///
    /// In `prepare` the caller may read the value. Nothing is raised, and no class above Thread is
    /// shut out. New Thread readers and other writers wait. A panic there leaves the lock as it
    /// was.
    ///
    /// # Errors
    /// [`Refused::TooManyThreads`], before `prepare` is called.
    #[track_caller]
    pub fn update<N>(
        &self,
        at: Thread,
        prepare: impl FnOnce() -> N,
    ) -> Result<(N, Raised), Refused> {
        let Ok(inside) = self.try_update(at, || Ok::<N, Infallible>(prepare()))?;
        Ok(inside)
    }

    /// Takes the lock for writing as [`update`](Self::update) does, unless `prepare` fails. Then
    /// the lock is as it was, and other threads go on.
    ///
    /// # Errors
    /// [`Refused::TooManyThreads`], before `prepare` is called. The inner result has the error of
    /// `prepare`.
    #[track_caller]
    pub fn try_update<N, E>(
        &self,
        _at: Thread,
        prepare: impl FnOnce() -> Result<N, E>,
    ) -> Result<Result<(N, Raised), E>, Refused> {
        may_wait::<P>(Thread::CLASS);
        let turn = || Turn::new::<P>(Kind::Writer, None);
        let inside = |new, raised| Ok((new, raised));
        if mutated!(PsrwPreparesBeforeItsTurn) {
            let new = match prepare() {
                Ok(new) => new,
                Err(error) => return Ok(Err(error)),
            };
            let turn = turn()?;
            self.queue(&turn)?;
            return self.sift(Some(&turn), Limit::Until(None)).map(|raised| inside(new, raised));
        }
        self.queue(&turn()?)?;
        let begun = Begun(self);
        // The caller is no waiter during `prepare`: a wait in there is not on top of another wait.
        let new = match prepare() {
            Ok(new) => new,
            Err(error) => {
                if mutated!(PsrwFailedUpdateKeepsTurn) {
                    mem::forget(begun);
                }
                return Ok(Err(error));
            }
        };
        let turn = turn()?;
        mem::forget(begun);
        let raised = self.sift(Some(&turn), Limit::Until(None))?;
        Ok(inside(new, raised))
    }

    /// Turns a write lock into a read lock of class Thread, which
    /// [`read_unlock`](Self::read_unlock) ends with [`Raised::NOTHING`]. No writer comes in
    /// between; readers do.
    ///
    /// # Safety
    /// The caller has the lock by a write that returned `raised`.
    pub unsafe fn downgrade(&self, raised: Raised)
    where
        Thread: Reads<R>,
    {
        if mutated!(PsrwDowngradeInTwoSteps) {
            call::<P>(self.end(Shape::<Thread, R>::INSIDE, raised));
            let _ = self.read_slow(Class::Thread, None);
            return;
        }
        // − WRITER − CLOSED + 1 Thread reader: there is room, because no Thread reads. A writer
        // that waits for this reader has closed P alone, so the caller is lowered as after an
        // unlock.
        let head = self.end(Shape::<Thread, R>::INSIDE.wrapping_sub(reader(Class::Thread)), raised);
        if !mutated!(PsrwDowngradeWakesNobody) {
            call::<P>(head);
        }
    }
}

/// The turn of the one writer that sifts. Its drop gives the turn up.
struct Begun<'a, R: Readers, L: Policy, P: Platform>(&'a PsRwLock<R, Thread, L, P>);

impl<R: Readers, L: Policy, P: Platform> Drop for Begun<'_, R, L, P> {
    fn drop(&mut self) {
        self.0.undo(Shape::<Thread, R>::BEGUN, Raised::NOTHING);
    }
}
