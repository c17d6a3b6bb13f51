//! The classes of contexts that can interrupt each other, and what a thread that was raised to one
//! has to remember.

use super::Platform;
use core::marker::PhantomData;

/// What kind of context code runs in, lowest first. A context is interrupted by higher ones only,
/// so a thread that is *raised* to a class runs without being interrupted by that class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Any thread; may sleep.
    Thread,
    /// A thread that must not block, or that keeps its processor.
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

/// What a thread has raised, for [`Platform::restore`](super::Platform::restore): 64 bits whose
/// meaning is the platform's. Belongs to the thread that raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised {
    state: u64,
    /// Not `Send`.
    thread: PhantomData<*mut ()>,
}

impl Raised {
    /// Nothing was raised. Restoring it does nothing.
    pub const NOTHING: Self = Self::new(0);

    /// What the platform wants to remember; 0 is [`NOTHING`](Self::NOTHING).
    #[inline]
    #[must_use]
    pub const fn new(state: u64) -> Self {
        Self { state, thread: PhantomData }
    }

    /// What the platform remembered.
    #[inline]
    #[must_use]
    pub const fn state(self) -> u64 {
        self.state
    }
}

/// A call of this class is about to wait, or may be. Debug builds report one from above that class.
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
