//! The guards: a guard shows the value to its owner, and unlocks when it is dropped.

use super::hold::{ReadHold, WriteHold};
use super::{Policy, PsRwLock, Readers, Reads, policy::Standard};
use crate::context::{Context, Irq, Thread};
use crate::platform::Native;
use siftlock_core::platform::{Platform, Raised};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Holds a [`PsRwLock`] for reading, in class `C`, until it is dropped. Shows the value, or the
/// part of it that [`map`](Self::map) chose.
///
/// Not `Send`: a read above [`Thread`] raises its thread, and the raise belongs to that thread.
/// Guards may be dropped in any order. A panic under a guard unlocks, and leaves no poison.
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
    pub(super) hold: ReadHold<'a, C, R, W, L, P>,
    /// No reference: a writer may change the value while `hold` is being dropped.
    pub(super) value: NonNull<T>,
    shared: PhantomData<&'a T>,
}

/// Holds a [`PsRwLock`] for writing, until it is dropped. Meanwhile its thread is raised to the
/// highest class that reads the lock. **If handlers read the lock, do not allocate, free or lock
/// under this guard**: [the rule](crate::psrw#in-a-write-section).
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
    pub(super) hold: WriteHold<'a, R, W, L, P>,
    pub(super) value: NonNull<T>,
    lent: PhantomData<&'a mut T>,
}

/// Holds a [`PsRwLock`] for writing and shows a part of its value: the result of
/// [`PsWriteGuard::map`].
///
/// The rules of a [`PsWriteGuard`] hold for it. It has no downgrade, since the writer may have
/// reached the part by a call that excludes readers, such as `Mutex::get_mut`:
/// ```compile_fail,E0599
/// use siftlock::{MappedPsWriteGuard, PsRwLock, PsWriteGuard};
/// use std::sync::Mutex;
///
/// let lock = PsRwLock::new(Mutex::new(5));
/// let part = PsWriteGuard::map(lock.write(), |mutex| mutex.get_mut().unwrap());
/// let reader = MappedPsWriteGuard::downgrade(part);
/// ```
/// It is not `Send` either:
/// ```compile_fail,E0277
/// use siftlock::{PsRwLock, PsWriteGuard};
///
/// static LOCK: PsRwLock<(u32, u32)> = PsRwLock::new((1, 2));
/// let part = PsWriteGuard::map(LOCK.write(), |pair| &mut pair.0);
/// std::thread::spawn(move || drop(part));
/// ```
#[must_use = "the lock is held only as long as its guard"]
pub struct MappedPsWriteGuard<'a, T, R = (Thread, Irq), W = Thread, L = Standard, P = Native>
where
    T: ?Sized,
    R: Readers,
    W: Context,
    L: Policy,
    P: Platform,
{
    pub(super) hold: WriteHold<'a, R, W, L, P>,
    pub(super) value: NonNull<T>,
    lent: PhantomData<&'a mut T>,
}

impl<'a, T: ?Sized, C: Context, R: Readers, W: Context, L: Policy, P: Platform>
    PsReadGuard<'a, T, C, R, W, L, P>
{
    /// The caller has the lock by a read in class `C` that returned `raised`.
    #[inline]
    pub(super) fn new(lock: &'a PsRwLock<T, R, W, L, P>, class: C, raised: Raised) -> Self {
        Self::of(ReadHold::new(&lock.raw, class, raised), lock.value())
    }

    #[inline]
    pub(super) fn of(hold: ReadHold<'a, C, R, W, L, P>, value: NonNull<T>) -> Self {
        Self { hold, value, shared: PhantomData }
    }
}

impl<'a, T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform>
    PsWriteGuard<'a, T, R, W, L, P>
{
    /// The caller has the lock by a write that returned `raised`.
    #[inline]
    pub(super) fn new(lock: &'a PsRwLock<T, R, W, L, P>, raised: Raised) -> Self {
        let hold = WriteHold::new(&lock.raw, raised);
        Self { hold, value: lock.value(), lent: PhantomData }
    }
}

impl<'a, T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform>
    MappedPsWriteGuard<'a, T, R, W, L, P>
{
    #[inline]
    pub(super) fn of(hold: WriteHold<'a, R, W, L, P>, value: NonNull<T>) -> Self {
        Self { hold, value, lent: PhantomData }
    }
}

impl<'a, T: ?Sized, R: Readers, L: Policy, P: Platform> PsWriteGuard<'a, T, R, Thread, L, P>
where
    Thread: Reads<R>,
{
    /// Goes on as a read in class [`Thread`], and is raised no more. No writer comes in between,
    /// but other readers do.
    ///
    /// Not a method, so that it hides no method of the value.
    ///
    /// ```
    /// use siftlock::{PsRwLock, PsWriteGuard};
    ///
    /// let lock = PsRwLock::new(5);
    /// let mut writer = lock.write();
    /// *writer += 1;
    /// let reader = PsWriteGuard::downgrade(writer);
    /// assert_eq!(*reader, 6);
    /// ```
    pub fn downgrade(this: Self) -> PsReadGuard<'a, T, Thread, R, Thread, L, P> {
        PsReadGuard::of(this.hold.downgrade(), this.value)
    }
}
