//! The guards: who has one may look, and its end unlocks.

use super::{Policy, PsRwLock, Readers, Reads, held, policy::Standard};
use crate::context::{Context, Irq, Thread};
use crate::platform::Native;
use siftlock_core::platform::{Platform, Raised};
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// Holds a [`PsRwLock`] for reading, in class `C`, until it is dropped.
///
/// Not `Send`: what a read above [`Thread`] has raised belongs to the thread that raised it. Guards
/// may be dropped in any order. A panic under a guard unlocks, and leaves no poison.
#[must_use = "the lock is held only as long as its guard"]
pub struct PsReadGuard<'a, T, C = Thread, R = (Thread, Irq), W = Thread, L = Standard, P = Native>
where
    T: ?Sized,
    C: Context,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    lock: &'a PsRwLock<T, R, W, L, P>,
    class: C,
    raised: Raised,
}

/// Holds a [`PsRwLock`] for writing, until it is dropped. Its thread is raised to the highest class
/// that reads the lock. **It must not allocate, free or lock there, if handlers read**: [the
/// rule](crate::psrw#in-a-write-section).
///
/// Not `Send`, like [`PsReadGuard`]. A panic under a guard unlocks, and leaves no poison.
#[must_use = "the lock is held only as long as its guard"]
pub struct PsWriteGuard<'a, T, R = (Thread, Irq), W = Thread, L = Standard, P = Native>
where
    T: ?Sized,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    lock: &'a PsRwLock<T, R, W, L, P>,
    raised: Raised,
}

impl<'a, T: ?Sized, C: Context, R: Readers, W: Context, L: Policy, P: Platform>
    PsReadGuard<'a, T, C, R, W, L, P>
{
    /// The caller has the lock by a read in class `C` that returned `raised`.
    #[inline]
    pub(super) fn new(lock: &'a PsRwLock<T, R, W, L, P>, class: C, raised: Raised) -> Self {
        held::begin_read::<C, _, _, _, _>(&lock.raw);
        Self { lock, class, raised }
    }
}

impl<'a, T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform>
    PsWriteGuard<'a, T, R, W, L, P>
{
    /// The caller has the lock by a write that returned `raised`.
    #[inline]
    pub(super) fn new(lock: &'a PsRwLock<T, R, W, L, P>, raised: Raised) -> Self {
        held::begin_write(&lock.raw);
        Self { lock, raised }
    }
}

impl<'a, T: ?Sized, R: Readers, L: Policy, P: Platform> PsWriteGuard<'a, T, R, Thread, L, P>
where
    Thread: Reads<R>,
{
    /// Goes on as a read in class [`Thread`], raised no more. No writer comes in between; readers do.
    ///
    /// Not a method, so that it hides none of the value's.
    ///
    /// ```
    /// use siftlock::{PsRwLock, PsWriteGuard};
    ///
    /// let lock: PsRwLock<_> = PsRwLock::new(5);
    /// let mut writer = lock.write();
    /// *writer += 1;
    /// let reader = PsWriteGuard::downgrade(writer);
    /// assert_eq!(*reader, 6);
    /// ```
    pub fn downgrade(this: Self) -> PsReadGuard<'a, T, Thread, R, Thread, L, P> {
        let this = ManuallyDrop::new(this);
        held::end_write(&this.lock.raw);
        // SAFETY: `new`'s condition; this guard unlocks no more.
        unsafe { this.lock.raw.downgrade(this.raised) };
        PsReadGuard::new(this.lock, Thread, Raised::NOTHING)
    }
}

// SAFETY: a guard that is shared gives out `&T` and nothing else; what makes it `!Sync` is `Raised`,
// which only its drop uses.
unsafe impl<T, C, R, W, L, P> Sync for PsReadGuard<'_, T, C, R, W, L, P>
where
    T: ?Sized + Sync,
    C: Context,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
}

// SAFETY: as above.
unsafe impl<T, R, W, L, P> Sync for PsWriteGuard<'_, T, R, W, L, P>
where
    T: ?Sized + Sync,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
}

impl<T: ?Sized, C: Context, R: Readers, W: Context, L: Policy, P: Platform> Drop
    for PsReadGuard<'_, T, C, R, W, L, P>
{
    #[inline]
    fn drop(&mut self) {
        held::end_read::<C, _, _, _, _>(&self.lock.raw);
        // SAFETY: `new`'s condition; a guard unlocks once.
        unsafe { self.lock.raw.read_unlock(self.class, self.raised) };
    }
}

impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> Drop
    for PsWriteGuard<'_, T, R, W, L, P>
{
    #[inline]
    fn drop(&mut self) {
        held::end_write(&self.lock.raw);
        // SAFETY: `new`'s condition; a guard unlocks once.
        unsafe { self.lock.raw.write_unlock(W::default(), self.raised) };
    }
}

impl<T: ?Sized, C: Context, R: Readers, W: Context, L: Policy, P: Platform> Deref
    for PsReadGuard<'_, T, C, R, W, L, P>
{
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: S1: while a reader is in, nobody writes.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> Deref
    for PsWriteGuard<'_, T, R, W, L, P>
{
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: S1: the writer is alone.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> DerefMut
    for PsWriteGuard<'_, T, R, W, L, P>
{
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: S1: the writer is alone, and this borrow of its guard excludes its others.
        unsafe { &mut *self.lock.value.get() }
    }
}

/// Shows the value.
impl<T, C, R, W, L, P> fmt::Debug for PsReadGuard<'_, T, C, R, W, L, P>
where
    T: ?Sized + fmt::Debug,
    C: Context,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// Shows the value.
impl<T, R, W, L, P> fmt::Debug for PsWriteGuard<'_, T, R, W, L, P>
where
    T: ?Sized + fmt::Debug,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
