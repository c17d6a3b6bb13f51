//! The token that a handler is given.

use crate::platform::signals::{self, Earlier, Event};
use siftlock_core::platform::Class;
use siftlock_core::psrw::Context;
use std::marker::PhantomData;

/// Shows that this code runs in a registered handler of class `C`. Only such a handler is lent one,
/// for one call.
///
/// Not `Send` or `Sync`, since the signal interrupted this thread.
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

    /// The signal's information, as the system gave it when the signal arrived.
    #[must_use]
    pub fn info(&self) -> &libc::siginfo_t {
        self.event.info
    }

    /// The interrupted context, a `ucontext_t`: where the thread is now. It is null where the
    /// handler is called as a function. That happens if it was registered as
    /// [direct](super::Handler::direct), if the system had no room for a real-time signal, or if
    /// another handler was installed over it.
    #[must_use]
    pub fn ucontext(&self) -> *mut libc::c_void {
        self.event.ucontext
    }

    /// How often the timer that sent the signal has run out: 1, and its overruns. If no timer sent
    /// it, 1.
    ///
    /// A timer that runs out again while its signal is put off adds to this, as in the system's own
    /// queue.
    #[must_use]
    pub fn expirations(&self) -> u32 {
        signals::expirations(self.event.info)
    }

    /// The address of the instruction that the signal interrupted when it arrived. If the signal
    /// was [put off](Self::was_put_off), the instruction is in the raised region, and the
    /// [context](Self::ucontext) shows where the thread was lowered. If signals merged, the address
    /// is the first one's.
    ///
    /// If the program blocked the signal while it was put off, it went back to the system. Then the
    /// address is the place where the program let the signal in again: it arrived there once more,
    /// and was not put off.
    ///
    /// `None` where it is not known: for a signal that the crate took out of the system's queue,
    /// and on processors other than x86, ARM and 64-bit RISC-V. With musl it is known on x86-64 and
    /// ARM only.
    #[must_use]
    pub fn interrupted_at(&self) -> Option<usize> {
        (self.event.came_at != 0).then_some(self.event.came_at)
    }

    /// Whether the signal arrived earlier, while the thread was raised, and was put off until now.
    /// False if it [went back to the system](Self::interrupted_at) meanwhile.
    #[must_use]
    pub fn was_put_off(&self) -> bool {
        self.event.put_off
    }

    /// Whether the thread stands at this class or above. Then a fault has interrupted it, and a
    /// lock's waiting form might wait for this very thread. Use
    /// [`try_read_at`](crate::PsRwLock::try_read_at).
    #[must_use]
    pub fn is_fault_when_raised(&self) -> bool {
        self.event.interrupted >= C::CLASS && self.event.interrupted > Class::Thread
    }

    /// Calls the handler that was installed before this one was registered, if there was one, with
    /// a handler's arguments.
    ///
    /// It runs on this stack and under this mask, whatever options it was installed with. A handler
    /// that takes a context is not called where there is [none](Self::ucontext).
    pub fn call_earlier(&self) -> Earlier {
        signals::earlier(self.event)
    }
}
