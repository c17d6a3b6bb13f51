//! The token that a handler is given.

use crate::platform::signals::{self, Earlier, Event};
use siftlock_core::platform::Class;
use siftlock_core::psrw::Context;
use std::marker::PhantomData;

/// Says that this code runs in a registered handler of class `C`: only such a handler is lent one, for
/// the one call.
///
/// Not `Send` or `Sync`: it is this thread that was interrupted.
#[derive(Debug)]
pub struct Interrupt<'a, C> {
    event: &'a Event<'a>,
    class: PhantomData<(C, *mut ())>,
}

impl<'a, C: Context> Interrupt<'a, C> {
    pub(super) fn new(event: &'a Event<'a>) -> Self {
        Self { event, class: PhantomData }
    }

    /// The signal's number.
    #[must_use]
    pub fn signal(&self) -> i32 {
        self.event.signal.number()
    }

    /// What the signal brought along, as the system gave it when it arrived.
    #[must_use]
    pub fn info(&self) -> &libc::siginfo_t {
        self.event.info
    }

    /// The interrupted context, a `ucontext_t`: where the thread really is. Null where the handler is
    /// called as a function: if it was registered as [direct](super::Handler::direct), if the system had
    /// no room for a real-time signal, or if another handler was installed over it.
    #[must_use]
    pub fn ucontext(&self) -> *mut libc::c_void {
        self.event.ucontext
    }

    /// How often the timer has run out that sent the signal: 1 and its overruns. 1 if it was not a timer.
    ///
    /// A timer that runs out again while its signal is put off adds to this, as in the system's own
    /// queue.
    #[must_use]
    pub fn expirations(&self) -> u32 {
        signals::expirations(self.event.info)
    }

    /// The address of the instruction that the signal interrupted when it arrived. Of a signal that was
    /// [put off](Self::was_put_off) that is one of the raised region; the [context](Self::ucontext)
    /// shows where the thread was lowered.
    ///
    /// Of signals that merged, it is the first one's. Of a signal that the program blocked while it was put
    /// off, so that it went back to the system, it is where the program let it in again: it arrived there
    /// once more, and was not put off.
    ///
    /// `None` where it is not known: on processors other than x86, ARM and 64-bit RISC-V (of these, with musl
    /// only on x86-64 and ARM), and for a signal that the crate took out of the system's queue.
    #[must_use]
    pub fn interrupted_at(&self) -> Option<usize> {
        (self.event.came_at != 0).then_some(self.event.came_at)
    }

    /// Whether the signal arrived earlier, while the thread was raised, and was put off until now. Not where
    /// it [went back to the system](Self::interrupted_at) meanwhile.
    #[must_use]
    pub fn was_put_off(&self) -> bool {
        self.event.put_off
    }

    /// Whether the thread stands at this class or above: a fault has interrupted it, and what a lock's
    /// waiting form would wait for may be this very thread. Use
    /// [`try_read_at`](crate::PsRwLock::try_read_at).
    #[must_use]
    pub fn is_fault_when_raised(&self) -> bool {
        self.event.interrupted >= C::CLASS && self.event.interrupted > Class::Thread
    }

    /// Calls the handler that was installed before this one was registered, if there was one, with
    /// what a handler gets.
    ///
    /// It is called on this stack and with this mask, whatever it was installed with; but one that takes
    /// a context not where there is [none](Self::ucontext).
    pub fn call_earlier(&self) -> Earlier {
        signals::earlier(self.event)
    }
}
