//! Access to the value through a guard.

use super::guard::MappedPsWriteGuard;
use super::{Policy, PsReadGuard, PsWriteGuard, Readers};
use crate::context::Context;
use siftlock_core::platform::Platform;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// The access that every guard gives. `C` is the class of a read.
macro_rules! shows {
    ($Guard:ident $(, $C:ident)?) => {
        // SAFETY: a guard that is shared gives out `&T` and nothing else; `Raised` and the pointer
        // make it `!Sync`, and only its drop uses `Raised`.
        unsafe impl<T, $($C,)? R, W, L, P> Sync for $Guard<'_, T, $($C,)? R, W, L, P>
        where
            T: ?Sized + Sync,
            $($C: Context,)?
            R: Readers,
            W: Context,
            L: Policy,
            P: Platform,
        {
        }

        impl<T: ?Sized, $($C: Context,)? R: Readers, W: Context, L: Policy, P: Platform> Deref
            for $Guard<'_, T, $($C,)? R, W, L, P>
        {
            type Target = T;

            #[inline]
            fn deref(&self) -> &T {
                // SAFETY: S1: while a reader is in, nobody writes, and a writer is alone. The
                // value, or this part of it, is there as long as the lock is.
                unsafe { self.value.as_ref() }
            }
        }

        prints!(Debug, $Guard $(, $C)?);
        prints!(Display, $Guard $(, $C)?);
    };
}

/// A guard is printed as its value is.
macro_rules! prints {
    ($Trait:ident, $Guard:ident $(, $C:ident)?) => {
        /// Shows the value.
        impl<T, $($C,)? R, W, L, P> fmt::$Trait for $Guard<'_, T, $($C,)? R, W, L, P>
        where
            T: ?Sized + fmt::$Trait,
            $($C: Context,)?
            R: Readers,
            W: Context,
            L: Policy,
            P: Platform,
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::$Trait::fmt(&**self, f)
            }
        }
    };
}

/// The further access that a writer's guard gives.
macro_rules! changes {
    ($Guard:ident) => {
        impl<T: ?Sized, R: Readers, W: Context, L: Policy, P: Platform> DerefMut
            for $Guard<'_, T, R, W, L, P>
        {
            #[inline]
            fn deref_mut(&mut self) -> &mut T {
                // SAFETY: S1: the writer is alone, and this borrow excludes all others of its
                // guard.
                unsafe { self.value.as_mut() }
            }
        }
    };
}

shows!(PsReadGuard, C);
shows!(PsWriteGuard);
shows!(MappedPsWriteGuard);
changes!(PsWriteGuard);
changes!(MappedPsWriteGuard);
