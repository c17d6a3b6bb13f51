//! The classes of contexts that can interrupt each other, and what a raised thread remembers for
//! its return.

use super::Platform;
use core::marker::PhantomData;

/// The kind of context in which code runs, lowest first. Only higher contexts interrupt a context.
/// So a class does not interrupt a thread that is *raised* to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Any thread; may sleep.
    Thread,
    /// A thread that must not block, or that must keep its processor.
    NonPreemptible,
    /// Deferred work, or a handler of signals of the lower level.
    SoftIrq,
    /// A handler that interrupts all others.
    Irq,
}

impl Class {
    /// The classes above [`Class::Thread`], lowest first.
    pub const HIGH: [Self; 3] = [Self::NonPreemptible, Self::SoftIrq, Self::Irq];
}

/// What a thread has raised, for [`Platform::restore`](super::Platform::restore). It belongs to the
/// thread that raised. The platform gives its 64 bits their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    state: u64,
    /// Not `Send`.
    thread: PhantomData<*mut ()>,
}

impl Raised {
    /// Nothing was raised. Restoring it does nothing.
    pub const NOTHING: Self = Self::new(0);

    /// Holds the state that the platform has to remember; 0 is [`NOTHING`](Self::NOTHING).
    #[inline]
    #[must_use]
    pub const fn new(state: u64) -> Self {
        Self { state, thread: PhantomData }
    }

    /// The state that the platform gave to [`new`](Self::new).
    #[inline]
    #[must_use]
    pub const fn state(self) -> u64 {
        self.state
    }
}

/// A call of class `class` may be about to wait. Debug builds report a caller that stands above it.
#[inline]
#[track_caller]
pub(crate) fn may_wait<P: Platform>(class: Class) {
    if cfg!(debug_assertions) {
        let stands = P::level();
        if stands > class {
            refuse_to_wait::<P>(class, stands);
        }
    }
}

#[cold]
#[track_caller]
fn refuse_to_wait<P: Platform>(class: Class, stands: Class) -> ! {
    P::misused(format_args!(
        "a lock's {class:?} form may wait, and its caller stands at {stands:?}: what it waits for may be \
         the context beneath. With a PsRwLock use the form of the caller's class, or a try form \
         without a time-out; an RwSem is not for handlers at all. (A guard that this thread has \
         forgotten keeps it there)"
    ))
}
