//! The calls, and their fast paths.

use crate::PsRw2008;
use crate::seam::ordered;
use crate::shape::Shape;
use crate::wait::Limit;
use crate::word::{UC_WQ_ACTIVE, UC_WRITER};
use siftlock_core::platform::{Class, Instant, Platform, Raised};
use siftlock_core::psrw::{Context, Readers, Refused};
use siftlock_core::sync::Ordering;

impl<R: Readers, W: Context, P: Platform> PsRw2008<R, W, P> {
    /// Takes the lock for reading, from a context of class `C` or below. The context is raised to
    /// `C` until the unlock. The call waits while a writer shuts `C` out, or too many readers are
    /// inside. A Thread waits asleep, a higher class awake.
    #[inline]
    pub fn read<C: Context>(&self, at: C) -> Raised {
        self.read_until(at, None).unwrap_or_else(|_| unreachable!("there is no limit"))
    }

    /// Takes the lock for reading, as [`read`](Self::read), and waits at most until `deadline`
    /// (`None`: for ever).
    ///
    /// # Errors
    /// [`Refused::TimedOut`], and no other.
    #[inline]
    pub fn read_until<C: Context>(
        &self,
        _at: C,
        deadline: Option<Instant>,
    ) -> Result<Raised, Refused> {
        may_wait::<P>(C::CLASS);
        self.read_within::<C>(Limit::Until(deadline))
    }

    /// Takes the lock for reading, as [`read`](Self::read), but without sleep and only if each of
    /// its waits takes no more than some microseconds.
    #[inline]
    #[must_use]
    pub fn try_read<C: Context>(&self, _at: C) -> Option<Raised> {
        self.read_within::<C>(Limit::Try).ok()
    }

    #[inline]
    fn read_within<C: Context>(&self, limit: Limit) -> Result<Raised, Refused> {
        const { assert!(R::SET.has(C::CLASS), "this class does not read this lock") };
        let raised = Self::raise_to(C::CLASS);
        if self.share(C::CLASS) {
            return Ok(raised);
        }
        let read = self.read_slow(C::CLASS, limit);
        if read.is_err() {
            Self::lower_from(C::CLASS, raised);
        }
        read.map(|()| raised)
    }

    /// Releases a read lock. It may wait for the holder of WS_WQ_MUTEX, and wakes one sleeper at
    /// most.
    ///
    /// # Safety
    /// The caller has the lock by a read in class `C` that returned `raised`.
    #[inline]
    pub unsafe fn read_unlock<C: Context>(&self, _at: C, raised: Raised) {
        let uc = self.leave();
        Self::lower_from(C::CLASS, raised);
        if uc & UC_WQ_ACTIVE != 0 {
            self.wake();
        }
    }

    /// Takes the lock for writing. A Thread may sleep as long as it has raised nothing, and then
    /// waits awake. A writer of a higher class always waits awake. The caller is raised to the
    /// highest class that reads, until the unlock.
    #[inline]
    pub fn write(&self, at: W) -> Raised {
        self.write_until(at, None).unwrap_or_else(|_| unreachable!("there is no limit"))
    }

    /// Takes the lock for writing, as [`write`](Self::write), and waits at most until `deadline`
    /// (`None`: for ever).
    ///
    /// # Errors
    /// [`Refused::TimedOut`], and no other.
    #[inline]
    pub fn write_until(&self, _at: W, deadline: Option<Instant>) -> Result<Raised, Refused> {
        may_wait::<P>(W::CLASS);
        self.write_within(Limit::Until(deadline))
    }

    /// Takes the lock for writing, without sleep and only if each of its waits takes no more than
    /// some microseconds.
    #[inline]
    #[must_use]
    pub fn try_write(&self, _at: W) -> Option<Raised> {
        self.write_within(Limit::Try).ok()
    }

    #[inline]
    fn write_within(&self, limit: Limit) -> Result<Raised, Refused> {
        let raised = Self::raise_to(Shape::<W, R>::TOP);
        // uc: 0 → WRITER.
        if self.try_enter_uc(0, UC_WRITER).is_ok() {
            return Ok(raised);
        }
        Self::lower_from(Shape::<W, R>::TOP, raised);
        self.write_slow(limit)
    }

    /// Releases a write lock. It may wait for the holder of WS_WQ_MUTEX or WS_COUNT_MUTEX, and
    /// wakes one sleeper at most.
    ///
    /// # Safety
    /// The caller has the lock by a write that returned `raised`.
    #[inline]
    pub unsafe fn write_unlock(&self, _at: W, raised: Raised) {
        // Relaxed: if WRITER is on, the caller has set it. If it is off, no other writer can set it
        // now.
        let uc = self.uc.load(Ordering::Relaxed);
        if uc & UC_WRITER == 0 {
            return self.slow_unlock(raised, uc & UC_WQ_ACTIVE != 0);
        }
        // uc → uc − WRITER. Release: pairs with the acquire of the next holder.
        let order = ordered!(Release, unless FastWriteUnlockRelaxed);
        let uc = self.uc.fetch_and(!UC_WRITER, order);
        Self::lower_from(Shape::<W, R>::TOP, raised);
        if uc & UC_WQ_ACTIVE != 0 {
            self.wake();
        }
    }

    #[inline]
    fn raise_to(class: Class) -> Raised {
        match class {
            Class::Thread => Raised::NOTHING,
            class => P::raise(class, Raised::NOTHING),
        }
    }

    #[inline]
    fn lower_from(class: Class, raised: Raised) {
        if class > Class::Thread {
            P::restore(raised);
        }
    }
}

/// A call of class `class` may be about to wait. Debug builds report a caller that stands above it.
#[inline]
fn may_wait<P: Platform>(class: Class) {
    debug_assert!(
        P::level() <= class,
        "a lock's {class:?} form may wait, and here that could be for the context beneath: use try"
    );
}
