//! Guards of a part of the value.

use super::guard::MappedPsWriteGuard;
use super::{Policy, PsReadGuard, PsWriteGuard, Readers};
use crate::context::Context;
use siftlock_core::platform::Platform;
use std::ptr::NonNull;

impl<'a, T: ?Sized, C: Context, R: Readers, W: Context, L: Policy, P: Platform>
    PsReadGuard<'a, T, C, R, W, L, P>
{
    /// Goes on as a guard of a part of the value, which `part` chooses. The lock stays held in
    /// between.
    ///
    /// `part` runs under the guard, so the guard's rules bind it. If it panics, the lock is
    /// unlocked. Not a method, so that it hides no method of the value.
    ///
    /// ```
    /// use siftlock::{PsReadGuard, PsRwLock};
    ///
    /// let lock = PsRwLock::new((5, "five"));
    /// let name = PsReadGuard::map(lock.read(), |pair| &pair.1);
    /// assert_eq!(*name, "five");
    /// assert!(lock.try_write().is_none());
    /// ```
    #[inline]
    pub fn map<U: ?Sized>(
        this: Self,
        part: impl FnOnce(&T) -> &U,
    ) -> PsReadGuard<'a, U, C, R, W, L, P> {
        let value = NonNull::from(part(&this));
        PsReadGuard::of(this.hold, value)
    }

    /// [`map`](Self::map), if there is such a part.
    ///
    /// # Errors
    /// The guard as it was, if `part` returns `None`.
    #[inline]
    pub fn try_map<U: ?Sized>(
        this: Self,
        part: impl FnOnce(&T) -> Option<&U>,
    ) -> Result<PsReadGuard<'a, U, C, R, W, L, P>, Self> {
        match part(&this).map(NonNull::from) {
            Some(value) => Ok(PsReadGuard::of(this.hold, value)),
            None => Err(this),
        }
    }

    /// [`map`](Self::map), if `part` finds a part.
    ///
    /// # Errors
    /// The guard as it was, and the error of `part`.
    #[expect(clippy::type_complexity, reason = "a guard names what its lock does")]
    #[inline]
    pub fn try_map_or_err<U: ?Sized, E>(
        this: Self,
        part: impl FnOnce(&T) -> Result<&U, E>,
    ) -> Result<PsReadGuard<'a, U, C, R, W, L, P>, (Self, E)> {
        match part(&this).map(NonNull::from) {
            Ok(value) => Ok(PsReadGuard::of(this.hold, value)),
            Err(error) => Err((this, error)),
        }
    }
}

/// The parts of a write guard's value.
macro_rules! parts_of {
    ($Guard:ident) => {
        impl<'a, T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform>
            $Guard<'a, T, R, W, L, P>
        {
            /// Goes on as a guard of a part of the value, which `part` chooses. The lock stays held
            /// in between, and the thread raised.
            ///
            /// `part` runs in the write section, so [the rule](crate::psrw#in-a-write-section)
            /// binds it. If it panics, the lock is unlocked. Not a method, so that it hides no
            /// method of the value.
            ///
            /// ```
            /// use siftlock::{PsRwLock, PsWriteGuard};
            ///
            /// let lock = PsRwLock::new((5, [0, 0]));
            /// let mut counts = PsWriteGuard::map(lock.write(), |pair| &mut pair.1);
            /// counts[1] += 1;
            /// drop(counts);
            /// assert_eq!(*lock.read(), (5, [0, 1]));
            /// ```
            #[inline]
            pub fn map<U: ?Sized>(
                mut this: Self,
                part: impl FnOnce(&mut T) -> &mut U,
            ) -> MappedPsWriteGuard<'a, U, R, W, L, P> {
                let value = NonNull::from(part(&mut this));
                MappedPsWriteGuard::of(this.hold, value)
            }

            /// [`map`](Self::map), if there is such a part.
            ///
            /// # Errors
            /// The guard as it was, if `part` returns `None`.
            #[inline]
            pub fn try_map<U: ?Sized>(
                mut this: Self,
                part: impl FnOnce(&mut T) -> Option<&mut U>,
            ) -> Result<MappedPsWriteGuard<'a, U, R, W, L, P>, Self> {
                match part(&mut this).map(NonNull::from) {
                    Some(value) => Ok(MappedPsWriteGuard::of(this.hold, value)),
                    None => Err(this),
                }
            }

            /// [`map`](Self::map), if `part` finds a part.
            ///
            /// # Errors
            /// The guard as it was, and the error of `part`.
            #[inline]
            pub fn try_map_or_err<U: ?Sized, E>(
                mut this: Self,
                part: impl FnOnce(&mut T) -> Result<&mut U, E>,
            ) -> Result<MappedPsWriteGuard<'a, U, R, W, L, P>, (Self, E)> {
                match part(&mut this).map(NonNull::from) {
                    Ok(value) => Ok(MappedPsWriteGuard::of(this.hold, value)),
                    Err(error) => Err((this, error)),
                }
            }
        }
    };
}

parts_of!(PsWriteGuard);
parts_of!(MappedPsWriteGuard);
