//! A thread that is raised for a while.

use crate::platform::Native;
use siftlock_core::platform::{Platform, Raised};
use siftlock_core::psrw::Context;
use std::fmt;
use std::marker::PhantomData;

/// Keeps the calling thread raised to class `C`, until it is dropped. Meanwhile no registered
/// handler of that class or below interrupts the thread. Signals that arrive are handled when it is
/// dropped.
///
/// Several may be nested, and dropped in any order. It never blocks, and may be used in handlers.
/// It makes no system call, unless a signal came meanwhile, or the class is
/// [`NonPreemptible`](crate::context::NonPreemptible) and the system grants longer time slices.
/// Where signals cannot be registered, it does nothing.
///
/// ```
/// use siftlock::context::{Masked, SoftIrq};
///
/// let masked = Masked::<SoftIrq>::new();
/// // No handler of level SoftIrq comes in here.
/// drop(masked);
/// ```
#[must_use = "the thread is raised only until this is dropped"]
pub struct Masked<C: Context> {
    /// Not `Send`, since this thread is raised.
    raised: Raised,
    class: PhantomData<C>,
}

impl<C: Context> Masked<C> {
    /// Raises the calling thread.
    #[inline]
    #[expect(clippy::new_without_default, reason = "a default that masks would surprise")]
    pub fn new() -> Self {
        Self { raised: Native::raise(C::CLASS, Raised::NOTHING), class: PhantomData }
    }
}

impl<C: Context> Drop for Masked<C> {
    #[inline]
    fn drop(&mut self) {
        Native::restore(self.raised);
    }
}

impl<C: Context> fmt::Debug for Masked<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Masked").field(&C::CLASS).finish()
    }
}
