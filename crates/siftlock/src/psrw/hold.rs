//! Holds: a guard's part in the lock, apart from the value that it shows.

use super::{Policy, RawPsRwLock, Readers, Reads, held};
use crate::context::{Context, Thread};
use siftlock_core::platform::{Platform, Raised};
use std::mem::ManuallyDrop;

/// A read in class `C`, until it is dropped.
pub(super) struct ReadHold<'a, C: Context, R: Readers, W: Context, L: Policy, P: Platform> {
    raw: &'a RawPsRwLock<R, W, L, P>,
    class: C,
    raised: Raised,
}

/// A write, until it is dropped.
pub(super) struct WriteHold<'a, R: Readers, W: Context, L: Policy, P: Platform> {
    raw: &'a RawPsRwLock<R, W, L, P>,
    raised: Raised,
}

impl<'a, C: Context, R: Readers, W: Context, L: Policy, P: Platform> ReadHold<'a, C, R, W, L, P> {
    /// The caller has the lock by a read in class `C` that returned `raised`.
    #[inline]
    pub(super) fn new(raw: &'a RawPsRwLock<R, W, L, P>, class: C, raised: Raised) -> Self {
        held::begin_read::<C, _, _, _, _>(raw);
        Self { raw, class, raised }
    }
}

impl<'a, R: Readers, W: Context, L: Policy, P: Platform> WriteHold<'a, R, W, L, P> {
    /// The caller has the lock by a write that returned `raised`.
    #[inline]
    pub(super) fn new(raw: &'a RawPsRwLock<R, W, L, P>, raised: Raised) -> Self {
        held::begin_write(raw);
        Self { raw, raised }
    }
}

impl<'a, R: Readers, L: Policy, P: Platform> WriteHold<'a, R, Thread, L, P>
where
    Thread: Reads<R>,
{
    /// Goes on as a read in class [`Thread`].
    pub(super) fn downgrade(self) -> ReadHold<'a, Thread, R, Thread, L, P> {
        let this = ManuallyDrop::new(self);
        held::end_write(this.raw);
        // SAFETY: `new`'s condition; this hold unlocks no more.
        unsafe { this.raw.downgrade(this.raised) };
        ReadHold::new(this.raw, Thread, Raised::NOTHING)
    }
}

impl<C: Context, R: Readers, W: Context, L: Policy, P: Platform> Drop
    for ReadHold<'_, C, R, W, L, P>
{
    #[inline]
    fn drop(&mut self) {
        held::end_read::<C, _, _, _, _>(self.raw);
        // SAFETY: `new`'s condition; a hold unlocks once.
        unsafe { self.raw.read_unlock(self.class, self.raised) };
    }
}

impl<R: Readers, W: Context, L: Policy, P: Platform> Drop for WriteHold<'_, R, W, L, P> {
    #[inline]
    fn drop(&mut self) {
        held::end_write(self.raw);
        // SAFETY: `new`'s condition; a hold unlocks once.
        unsafe { self.raw.write_unlock(W::default(), self.raised) };
    }
}
