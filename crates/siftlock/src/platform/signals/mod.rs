//! The signals of this process: their registered levels, and masking them lazily.
//!
//! The core's [`defer`](siftlock_core::defer) has the protocol. This is its [`System`], and the
//! rest that a process needs: the table of handlers, the functions that the system calls, forks and
//! ends of threads.
//!
//! A handler reaches no lock, no allocation, and no thread-local variable that is made on first
//! use, as far as the linker allows (see [`context`](crate::context)).

mod action;
pub(super) mod errno;
mod error;
mod exit;
mod fork;
#[cfg(debug_assertions)]
mod handling;
mod info;
mod memory;
mod set;
mod storage;
mod strict;
mod system;
mod table;
mod wrapper;

pub(crate) use self::action::{is_ours, register};
pub use self::error::RegisterError;
pub(crate) use self::info::expirations;
pub(super) use self::memory::Book;
pub use self::strict::Strict;
pub use self::table::Earlier;
pub(crate) use self::table::{Entry, Event, Options, earlier};

use self::system::System;
use super::linux::slice;
use super::mine::mine;
use siftlock_core::defer::{PendingSignals, Raises, Signal};
use siftlock_core::platform::{Class, Raised};
use std::fmt::{self, Write as _};
use std::panic::Location;

/// Shows `look` which signals the calling thread defers.
#[inline]
fn pending<R>(look: impl FnOnce(&PendingSignals) -> R) -> R {
    mine(|mine| look(&mine.pending))
}

#[inline]
pub(super) fn raise(to: Class, held: Raised) -> Raised {
    let raised = pending(|pending| pending.raise(to, held));
    if matches!(to, Class::NonPreemptible) {
        slice::request();
    }
    raised
}

#[inline]
pub(super) fn restore(held: Raised) {
    let held_back = Raises::from_bits(held.state());
    pending(|pending| {
        if held_back.has(Class::NonPreemptible)
            && !pending.raises().without(held_back).has(Class::NonPreemptible)
        {
            slice::withdraw();
        }
        pending.lower::<System>(held);
    });
}

/// How often the calling thread was raised to each class.
#[cfg(debug_assertions)]
fn raises() -> Raises {
    pending(PendingSignals::raises)
}

/// The class at which the calling thread stands.
#[inline]
pub(super) fn level() -> Class {
    pending(PendingSignals::level)
}

/// The class of the calling code, which is about to wait for a lock. Only debug builds know in
/// which handler they are.
#[inline]
#[track_caller]
pub(super) fn level_of_waiter() -> Class {
    let level = level();
    #[cfg(debug_assertions)]
    let level = handling::level_of_waiter(level);
    level
}

/// Ends a call that the caller must not make at its level. Debug builds end the process in a
/// handler, and while the thread panics. If an allocator's lock panics here, the panic allocates,
/// too, and a second panic within it would end the process without this message.
#[cold]
#[track_caller]
pub(super) fn misused(why: fmt::Arguments<'_>) -> ! {
    #[cfg(debug_assertions)]
    if handling::is_handling() || std::thread::panicking() {
        abort(why);
    }
    panic!("{why}")
}

/// Ends the process, with a message, and without a registered handler of `SIGABRT`, which may be
/// the very handler that is at fault. Not by a panic, which allocates and locks: the caller may be
/// a handler, in the middle of an allocation.
#[cold]
#[track_caller]
pub(crate) fn abort(why: fmt::Arguments<'_>) -> ! {
    let at = Location::caller();
    // If the text cannot be written, there is no other place for it.
    let _ = writeln!(StandardError, "siftlock: {at}: {why}");
    // SAFETY: ends the process, by the default action or by a handler that is not ours.
    unsafe {
        if Signal::new(libc::SIGABRT).is_some_and(action::is_ours) {
            libc::signal(libc::SIGABRT, libc::SIG_DFL);
        }
        libc::abort()
    }
}

/// Takes text as it comes: no buffer, no lock, no allocation.
struct StandardError;

impl fmt::Write for StandardError {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: writes out what `text` is.
        let sent = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
        if sent < 0 { Err(fmt::Error) } else { Ok(()) }
    }
}
