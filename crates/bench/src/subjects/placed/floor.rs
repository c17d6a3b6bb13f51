//! The floor of masked times: a section that masks and never waits.

use std::marker::PhantomData;

use siftlock_core::platform::{Class, Platform, Raised};
use siftlock_core::psrw::Context;

use super::Placed;
use crate::subjects::Lock;
use crate::subjects::floors::Limit;

/// A bare pair of atomics on one word. `P` raises the thread as for a sifting lock that no other
/// thread wants. It keeps a context out for the time of its sections, plus the time that the
/// machine adds to any lock's time.
pub(crate) struct MaskedLimit<P> {
    word: Limit,
    platform: PhantomData<fn() -> P>,
}

impl<P: Platform> MaskedLimit<P> {
    #[inline]
    fn raised<T>(to: Class, work: impl FnOnce() -> T) -> T {
        if to == Class::Thread {
            return work();
        }
        let raised = P::raise(to, Raised::NOTHING);
        let out = work();
        P::restore(raised);
        out
    }
}

impl<P: Platform> Placed for MaskedLimit<P> {
    const EXCLUDES: bool = false;

    fn unlocked() -> Self {
        Self { word: Limit::unlocked(), platform: PhantomData }
    }

    #[inline]
    fn reading<C: Context, T>(&self, _at: C, section: impl FnOnce() -> T) -> T {
        Self::raised(C::CLASS, || self.word.reading(section))
    }

    #[inline]
    fn try_reading<C: Context, T>(&self, _at: C, section: impl FnOnce() -> T) -> Option<T> {
        Self::raised(C::CLASS, || self.word.try_reading(section))
    }

    #[inline]
    fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
        Self::raised(Class::Irq, || self.word.writing(section))
    }

    #[inline]
    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        Self::raised(Class::Irq, || self.word.try_writing(section))
    }
}
