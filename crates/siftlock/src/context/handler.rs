//! Registering handlers.

use super::interrupt::Interrupt;
use crate::platform::signals::{self, Entry, Event, Options, RegisterError};
use siftlock_core::defer::Signal;
use siftlock_core::psrw::{Context, Irq, SoftIrq};
use std::fmt;
use std::marker::PhantomData;

/// A class that handlers can be registered at: [`SoftIrq`] or [`Irq`].
#[diagnostic::on_unimplemented(
    message = "no handler is registered at the class `{Self}`",
    note = "let the handler take `&Interrupt<'_, SoftIrq>` or `&Interrupt<'_, Irq>`"
)]
pub trait HandlerClass: Context {}

impl HandlerClass for SoftIrq {}
impl HandlerClass for Irq {}

/// Registers `handler` for `signal` at class `C`, with the flags of [`Handler::new`]. [`Handler`]
/// has further options.
///
/// Blocks while another thread registers, or forks. Not for handlers.
///
/// # Errors
/// See [`RegisterError`].
///
/// # Safety
/// The conditions of [`Handler::new`].
pub unsafe fn register<C: HandlerClass>(
    signal: libc::c_int,
    handler: impl Handle<C>,
) -> Result<Registration, RegisterError> {
    // SAFETY: the caller's promise.
    unsafe { Handler::new(handler) }.register(signal)
}

/// A function or a closure that can be a handler.
pub trait Handle<C>: Fn(&Interrupt<'_, C>) + Send + Sync + 'static {}

impl<C, F: Fn(&Interrupt<'_, C>) + Send + Sync + 'static> Handle<C> for F {}

/// A handler, and how it is to be called.
///
/// It stays registered as long as the process lives, for two reasons. To take it back, a thread
/// would have to wait until no other thread has the signal noted, or is about to call the handler.
/// And the system's default action, back in its place, may end the process for a signal that was
/// put off. Let the handler look at a flag of its own, or [replace](crate::PsRwLock) the data that
/// it uses.
///
/// ```
/// use siftlock::context::{Handler, Interrupt, SoftIrq};
///
/// fn child_ended(_: &Interrupt<'_, SoftIrq>) {}
///
/// // SAFETY: does nothing.
/// let child = unsafe { Handler::new(child_ended) }.flags(libc::SA_RESTART | libc::SA_NOCLDSTOP);
/// child.then_earlier().register(libc::SIGCHLD)?;
/// # Ok::<(), siftlock::context::RegisterError>(())
/// ```
#[derive(Clone, Copy)]
#[must_use = "a handler is called once it is registered"]
pub struct Handler<C: HandlerClass, F = fn(&Interrupt<'_, C>)> {
    handler: F,
    options: Options,
    class: PhantomData<C>,
}

impl<C: HandlerClass, F: Handle<C>> Handler<C, F> {
    /// This function or closure, with `SA_RESTART`. `SIGSEGV` and `SIGBUS` get `SA_ONSTACK` as
    /// well, so that their handler runs where the thread's stack has overflowed.
    ///
    /// # Safety
    /// A handler may come between any two instructions of any thread that is not raised to its
    /// class: in the middle of an allocation, of a call of the C library, of safe code that has
    /// borrowed a thread-local `RefCell`. So it may only do async-signal-safe things. Atomics are
    /// safe. Reads of this crate's locks with the [`Interrupt`] are safe as long as the handler
    /// does not change the value.
    pub unsafe fn new(handler: F) -> Self {
        Self::of(handler)
    }

    pub(super) fn of(handler: F) -> Self {
        let options = Options {
            flags: None,
            direct: false,
            chains: false,
            prepared: false,
            beside: false,
            only_sent: false,
        };
        Self { handler, options, class: PhantomData }
    }

    /// Refuses the signals of faults.
    pub(super) fn only_sent(mut self) -> Self {
        self.options.only_sent = true;
        self
    }

    /// Sets these flags for `sigaction` instead. `SA_RESTART`, `SA_ONSTACK`, `SA_NOCLDSTOP` and
    /// `SA_NOCLDWAIT` are possible. `SA_NODEFER` is not, since a handler's own class is masked
    /// during it. A handler that must let its own signal in unblocks it by `pthread_sigmask`, and
    /// uses only the `try_…` forms of locks.
    ///
    /// `std` gives each thread an alternate stack of 8 KiB or little more, for its own handler of
    /// stack overflows. The system's frame takes up to a half of it. The rest is enough for a
    /// handler that reads a lock, but not for handlers that interrupt each other on it. A handler
    /// of `SIGSEGV` that needs more stack asks for flags without `SA_ONSTACK`. It is then not
    /// called at a stack overflow.
    pub fn flags(mut self, flags: libc::c_int) -> Self {
        self.options.flags = Some(flags);
        self
    }

    /// Calls the handler that was installed before, if there was one, after this one; see
    /// [`Interrupt::call_earlier`]. Not together with [`direct`](Self::direct).
    pub fn then_earlier(mut self) -> Self {
        self.options.chains = true;
        self
    }

    /// Lets the handler be called as a function where a thread is lowered, not by the system. That
    /// is much faster than a second signal.
    ///
    /// Such a call has no context ([`Interrupt::ucontext`] is null), runs on the thread's own
    /// stack, and must not leave by `longjmp`.
    pub fn direct(mut self) -> Self {
        self.options.direct = true;
        self
    }

    /// Registers it even if the signal is registered already, at this class and with the same
    /// options. The handlers are called one after the other, the first one first, each with the
    /// same [`Interrupt`]. A handler that leaves by `longjmp` leaves out the later ones.
    pub fn beside_others(mut self) -> Self {
        self.options.beside = true;
        self
    }

    /// Registers it even where this crate is part of a library that was loaded with `dlopen`.
    /// Without this option [`register`](Self::register) refuses: a thread's first access to a
    /// thread-local variable of such a library allocates, and hangs in a handler that has
    /// interrupted the allocator.
    ///
    /// # Safety
    /// Each thread that can get the signal has used a lock, or [`Masked`](super::Masked), in that
    /// library before. Thread-local variables of the handler's own are in the same storage.
    pub unsafe fn in_prepared_threads(mut self) -> Self {
        self.options.prepared = true;
        self
    }

    /// Registers it for `signal`, for as long as the process lives. It replaces the handler that
    /// was installed; see [`then_earlier`](Self::then_earlier).
    ///
    /// During the handler all registered signals of its class and below are masked, except
    /// `SIGABRT` and the signals of faults. Blocks while another thread registers, or forks. Not
    /// for handlers.
    ///
    /// # Errors
    /// See [`RegisterError`].
    pub fn register(self, signal: libc::c_int) -> Result<Registration, RegisterError> {
        let handler = Box::into_raw(Box::new(self.handler));
        let entry = Entry::new(handler.cast(), call::<C, F>);
        match signals::register(signal, C::CLASS, entry, self.options) {
            Ok(signal) => Ok(Registration { signal }),
            Err(error) => {
                // SAFETY: made above, and not registered.
                drop(unsafe { Box::from_raw(handler) });
                Err(error)
            }
        }
    }
}

impl<C: HandlerClass, F> fmt::Debug for Handler<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handler").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Calls a handler of class `C`. A panic in it ends the process here.
extern "C" fn call<C: HandlerClass, F: Handle<C>>(handler: *const (), event: &Event<'_>) {
    // SAFETY: `register` stores a handler of this type beside this function, for ever. It is
    // `Sync`.
    let handler = unsafe { &*handler.cast::<F>() };
    handler(&Interrupt::new(event));
}

/// A registered handler. It stays registered when this is dropped.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    signal: Signal,
}

impl Registration {
    /// The signal's number.
    #[must_use]
    pub fn signal(&self) -> i32 {
        self.signal.number()
    }

    /// Whether the signal still has the registered handler. A program that calls `sigaction` for it
    /// replaces that handler, and the new one is called even on a raised thread.
    ///
    /// Makes a system call. Async-signal-safe.
    ///
    /// # Errors
    /// The signal has another handler.
    pub fn check(&self) -> Result<(), Replaced> {
        if signals::is_ours(self.signal) { Ok(()) } else { Err(Replaced(self.signal())) }
    }
}

/// Another handler was installed for a registered signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replaced(pub i32);

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "another handler was installed for the registered signal {}, by sigaction or signal: it \
             must not use locks, and if it calls the registered one, that has no context where it is \
             put off. Register it instead, or install it before and let the registered one call it \
             (then_earlier)",
            self.0
        )
    }
}

impl std::error::Error for Replaced {}
