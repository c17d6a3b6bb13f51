//! Why a handler was not registered.

use std::{fmt, io};

/// Why a handler was not registered. The signal keeps the handler that it had.
#[derive(Debug)]
#[non_exhaustive]
pub enum RegisterError {
    /// There is no such signal, or the C library keeps it for itself.
    NoSuchSignal(i32),
    /// `SIGKILL` and `SIGSTOP` have no handlers.
    NotCatchable(i32),
    /// The signal has been registered before. Registrations last as long as the process. A second
    /// handler has to ask for it: [`beside_others`](crate::context::Handler::beside_others).
    Registered(i32),
    /// The signal has been registered before, at another class or with other options. The two
    /// handlers cannot be called beside each other.
    Differs(i32),
    /// The signal is that of a fault. This handler would return to the instruction that raised it,
    /// for ever.
    Fault(i32),
    /// A flag that a registered handler cannot have, as bits.
    Flags(i32),
    /// Both [`direct`](crate::context::Handler::direct) and
    /// [`then_earlier`](crate::context::Handler::then_earlier) were asked for. A handler that is
    /// called as a function has no context for the earlier handler.
    DirectThenEarlier(i32),
    /// This crate is part of a library that was loaded with `dlopen`. A thread's first access to
    /// the library's thread-local variables allocates, and may be in the handler. See
    /// [`in_prepared_threads`](crate::context::Handler::in_prepared_threads).
    LazyStorage(i32),
    /// The system refused.
    System(io::Error),
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSignal(signal) => write!(
                f,
                "a program cannot use signal {signal}: take one from 1 to 31, or from SIGRTMIN() to \
                 SIGRTMAX()"
            ),
            Self::NotCatchable(signal) => {
                write!(f, "signal {signal} has no handlers: take another")
            }
            Self::Registered(signal) => write!(
                f,
                "signal {signal} is registered already: say beside_others() for this handler, so that both \
                 are called, or take another signal"
            ),
            Self::Differs(signal) => write!(
                f,
                "signal {signal} is registered already, at another class, with other flags or otherwise \
                 called: register both alike"
            ),
            Self::Fault(signal) => write!(
                f,
                "signal {signal} is that of a fault, to which this handler would return for ever: take \
                 another, or write a handler that does away with the fault"
            ),
            Self::Flags(flags) => write!(
                f,
                "a registered handler cannot have the flags {flags:#x}: SA_SIGINFO is always set, \
                 SA_NODEFER and SA_RESETHAND never"
            ),
            Self::DirectThenEarlier(signal) => write!(
                f,
                "the handler of signal {signal} is to be called as a function, where it has no context \
                 for the earlier handler: leave out direct() or then_earlier()"
            ),
            Self::LazyStorage(signal) => write!(
                f,
                "the handler of signal {signal} might allocate: this library was loaded with dlopen, and \
                 its thread-local storage is made at a thread's first access. Have the program start \
                 with it (link it, or LD_PRELOAD), or prepare all threads that can get the signal and \
                 say in_prepared_threads()"
            ),
            Self::System(error) => {
                write!(f, "the system did not install the signal's handler: {error}")
            }
        }
    }
}

impl std::error::Error for RegisterError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::System(error) => Some(error),
            _ => None,
        }
    }
}
