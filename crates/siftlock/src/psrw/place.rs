//! Where a call is made from, as a value: what says that it may be made at all.

use crate::context::{Context, Interrupt, Masked, NonPreemptible, Thread};

mod sealed {
    pub trait Sealed {}
}

/// Where code runs, or what it may be raised to: the argument of the `…_at` calls of
/// [`PsRwLock`](super::PsRwLock).
///
/// | place | said by |
/// | --- | --- |
/// | [`Thread`], [`NonPreemptible`] | any thread: write down the name |
/// | [`&Interrupt<C>`](Interrupt) | a registered handler of class `C`, which is lent it |
/// | [`&Masked<C>`](Masked) | a thread that keeps handlers of class `C` and below away |
///
/// Sealed: these are all. A wrong place can cost a deadlock, so there is no way to make one up.
pub trait Place: sealed::Sealed {
    /// The class that the call is made in.
    type Class: Context;
}

macro_rules! places {
    ($([$($parameters:tt)*] $place:ty => $class:ty;)*) => {$(
        impl<$($parameters)*> sealed::Sealed for $place {}
        impl<$($parameters)*> Place for $place {
            type Class = $class;
        }
    )*};
}

places! {
    [] Thread => Self;
    [] NonPreemptible => Self;
    [C: Context] &Interrupt<'_, C> => C;
    [C: Context] &Masked<C> => C;
}
