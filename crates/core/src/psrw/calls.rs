//! The calls, and their fast paths: one step each. All further steps are out of line.

use super::context::{Context, Readers, Reads, Shape};
use super::poll::Limit;
use super::word::{WRITER, reader};
use super::write::call;
use super::{Policy, PsRwLock, Refused};
use crate::platform::{Class, Instant, Platform, Raised, may_wait};
use crate::sync::{mutated, ordered};

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// Takes the lock for reading, from a context of class `C` or below. The context is raised to
    /// `C` until the unlock. The call waits while a writer shuts `C` out, or the class's field is
    /// full. A Thread waits asleep, a higher class awake.
    #[inline]
    #[track_caller]
    pub fn read<C: Reads<R>>(&self, at: C) -> Raised {
        match self.read_until(at, None) {
            Ok(raised) => raised,
            Err(refused) => panic_with(refused),
        }
    }

    /// Takes the lock for reading, as [`read`](Self::read), and waits at most until `deadline`
    /// (`None`: for ever).
    ///
    /// # Errors
    /// See [`Refused`].
    #[inline]
    #[track_caller]
    pub fn read_until<C: Reads<R>>(
        &self,
        _at: C,
        deadline: Option<Instant>,
    ) -> Result<Raised, Refused> {
        may_wait::<P>(C::CLASS);
        let raised = Self::raise_to_read::<C>();
        if self.share(C::CLASS) {
            return Ok(raised);
        }
        match self.read_slow(C::CLASS, deadline) {
            Ok(()) => Ok(raised),
            Err(refused) => {
                Self::lower_from::<C>(raised);
                Err(refused)
            }
        }
    }

    /// Takes the lock for reading, as [`read`](Self::read), unless the caller would have to wait.
    /// The call ends in every context, the handler of a fault included.
    #[inline]
    #[must_use]
    pub fn try_read<C: Reads<R>>(&self, _at: C) -> Option<Raised> {
        let raised = Self::raise_to_read::<C>();
        if self.share(C::CLASS) {
            return Some(raised);
        }
        Self::lower_from::<C>(raised);
        None
    }

    /// Releases a read lock.
    ///
    /// # Safety
    /// The caller has the lock by a read in class `C` that returned `raised`.
    #[inline]
    pub unsafe fn read_unlock<C: Context>(&self, _at: C, raised: Raised) {
        if C::CLASS as u8 == 0 {
            return self.thread_unlock();
        }
        if mutated!(PsrwHighUnlockTakesListLock) {
            drop(self.waiters.lock::<P>());
        }
        if mutated!(PsrwLowersBeforeRelease) {
            Self::lower_from::<C>(raised);
        }
        // − 1. Release: pairs with the acquire of the writer that waits for this reader, or comes
        // next.
        self.release(reader(C::CLASS), ordered!(Release, unless PsrwHighUnlockRelaxed));
        if !mutated!(PsrwLowersBeforeRelease) {
            Self::lower_from::<C>(raised);
        }
    }

    #[inline]
    fn thread_unlock(&self) {
        // − 1. Release: pairs with the acquire of the writer that waits for this reader, or comes
        // next.
        let order = ordered!(Release, unless PsrwReadUnlockRelaxed);
        let v = self.release(reader(Class::Thread), order);
        let v = if mutated!(PsrwUnlockLooksAgain) { self.look() } else { v };
        call::<P>(v.head_to_call());
    }

    /// Takes the lock for writing. A Thread waits asleep for other writers and for Thread readers,
    /// and awake for readers of higher classes. A writer of a higher class waits awake. The caller
    /// is raised to the highest class that reads, until the unlock.
    #[inline]
    #[track_caller]
    pub fn write(&self, at: W) -> Raised {
        match self.write_until(at, None) {
            Ok(raised) => raised,
            Err(refused) => panic_with(refused),
        }
    }

    /// Takes the lock for writing, as [`write`](Self::write), and waits at most until `deadline`
    /// (`None`: for ever).
    ///
    /// # Errors
    /// See [`Refused`].
    #[inline]
    #[track_caller]
    pub fn write_until(&self, _at: W, deadline: Option<Instant>) -> Result<Raised, Refused> {
        may_wait::<P>(W::CLASS);
        match self.write_at_once() {
            Some(raised) => Ok(raised),
            None => self.write_slow(Limit::Until(deadline)),
        }
    }

    /// Takes the lock for writing, without sleep. Fails if another writer has the lock, if waiters
    /// keep new writers out (see [`Policy::STEAL`]), or if its readers do not leave within some
    /// microseconds.
    #[inline]
    #[must_use]
    pub fn try_write(&self, _at: W) -> Option<Raised> {
        self.write_at_once().or_else(|| self.write_slow(Limit::Try).ok())
    }

    /// Releases a write lock.
    ///
    /// # Safety
    /// The caller has the lock by a write that returned `raised`.
    #[inline]
    pub unsafe fn write_unlock(&self, _at: W, raised: Raised) {
        call::<P>(self.end(Shape::<W, R>::INSIDE, raised));
    }

    /// Whether a reader or a writer has the lock, or a writer shuts its readers out. Stale as soon
    /// as it is returned.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let v = self.look();
        v.has(WRITER) || v.is_read()
    }

    /// Whether a reader of class `C` is inside, or a reader of a class that is counted with `C`.
    /// All classes above Thread are counted together. Stale as soon as it is returned.
    #[inline]
    #[must_use]
    pub fn is_locked_for_reading<C: Context>(&self, _at: C) -> bool {
        self.look().has_readers(C::CLASS)
    }

    /// Whether a writer is inside, and does not still sift. Stale as soon as it is returned.
    #[inline]
    #[must_use]
    pub fn has_writer_inside(&self) -> bool {
        let v = self.look();
        v.has_all(Shape::<W, R>::INSIDE) && !v.is_read()
    }

    /// Whether a writer has the lock or shuts its readers out. Stale as soon as it is returned.
    #[must_use]
    pub fn is_locked_for_writing(&self) -> bool {
        self.look().has(WRITER)
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn panic_with(refused: Refused) -> ! {
    panic!("{refused}");
}
