//! Installing the wrapper.

use super::error::RegisterError;
use super::fork::{Registering, registering, watch};
use super::table::{self, Entry, Options};
use super::{set, storage, wrapper};
use crate::platform::exit::SIGNALS;
use crate::platform::linux::slice;
use crate::platform::{Portable, processors};
use siftlock_core::defer::{Signal, Signals};
use siftlock_core::platform::{Class, Platform};
use std::mem::MaybeUninit;
use std::{io, ptr};

/// Flags that say how the system treats the signal, not how it calls the handler; and the stack.
const ALLOWED: libc::c_int = libc::SA_SIGINFO
    | libc::SA_RESTART
    | libc::SA_ONSTACK
    | libc::SA_NOCLDSTOP
    | libc::SA_NOCLDWAIT;

/// Registers a handler at `class`.
pub(crate) fn register(
    number: libc::c_int,
    class: Class,
    entry: Entry,
    options: Options,
) -> Result<Signal, RegisterError> {
    let signal = check(number, options)?;
    if !options.prepared && storage::is_lazy().map_err(RegisterError::System)? {
        return Err(RegisterError::LazyStorage(number));
    }
    // No handler of ours interrupts this, so it finds all of the registration or nothing.
    let alone = registering();
    install(signal, class, entry, options, &alone).map(|()| signal)
}

fn check(number: libc::c_int, options: Options) -> Result<Signal, RegisterError> {
    let signal = Signal::new(number).ok_or(RegisterError::NoSuchSignal(number))?;
    if matches!(number, libc::SIGKILL | libc::SIGSTOP) {
        return Err(RegisterError::NotCatchable(number));
    }
    if signal.is_real_time() && !(libc::SIGRTMIN()..=libc::SIGRTMAX()).contains(&number) {
        return Err(RegisterError::NoSuchSignal(number));
    }
    if options.only_sent && set::FAULTS.has(signal) {
        return Err(RegisterError::Fault(number));
    }
    if options.direct && options.chains {
        return Err(RegisterError::DirectThenEarlier(number));
    }
    match options.flags.unwrap_or(0) & !ALLOWED {
        0 => Ok(signal),
        others => Err(RegisterError::Flags(others)),
    }
}

fn install(
    signal: Signal,
    class: Class,
    entry: Entry,
    options: Options,
    alone: &Registering,
) -> Result<(), RegisterError> {
    let is_first = !table::above(Class::Thread).has(signal);
    if !is_first && !options.beside {
        return Err(RegisterError::Registered(signal.number()));
    }
    if !is_first {
        let joined = table::join(signal, class, entry, options);
        return if joined { Ok(()) } else { Err(RegisterError::Differs(signal.number())) };
    }
    watch(alone).map_err(|error| RegisterError::System(io::Error::from_raw_os_error(error)))?;
    warm();
    table::fill(signal, class, entry, options);
    put_first(signal).map_err(RegisterError::System)?;
    // Handlers that were registered before, at this class or above, mask it from now on.
    for other in table::above(Class::Thread).without(Signals::of(signal)).each() {
        if table::class(other) >= class && is_ours(other) {
            put_again(other);
        }
    }
    Ok(())
}

/// Installs the wrapper of a signal whose slot has just been filled. The action that it replaces is
/// the earlier handler. A look beforehand could miss an action that another thread installs
/// meanwhile.
fn put_first(signal: Signal) -> io::Result<()> {
    // Faults wait, too: a wrapper on top of this thread would wait for the earlier handler, which
    // this thread is about to tell.
    let mask = set::block(set::FAULTS);
    let before = put(signal);
    match &before {
        Ok(before) => table::tell_earlier(signal, before),
        Err(_) => table::empty(signal),
    }
    set::put_back(&mask);
    before.map(drop)
}

/// Installs the wrapper once more, which the system does not refuse. If that replaces an action
/// that another thread has just installed, the action goes back.
fn put_again(signal: Signal) {
    if let Ok(before) = put(signal)
        && before.sa_sigaction != ours()
    {
        // SAFETY: an action that the program has installed.
        let _ = unsafe { change(signal, &before) };
    }
}

/// Makes the calls that allocate, or take a lock, at their first time, so that none of them comes
/// first in a handler.
fn warm() {
    processors();
    Portable::now();
    SIGNALS.warm();
    slice::find();
}

/// Installs the wrapper, masking what is registered at the signal's class and below. Returns what
/// it replaces.
fn put(signal: Signal) -> io::Result<libc::sigaction> {
    let mask = table::up_to(table::class(signal)).without(set::NEVER_BLOCKED);
    // SAFETY: plain numbers.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = ours();
    action.sa_mask = set::of(mask);
    action.sa_flags = table::flags(signal) | libc::SA_SIGINFO;
    // SAFETY: a valid action; the wrapper keeps to what a handler may do.
    unsafe { change(signal, &action) }
}

fn ours() -> libc::sighandler_t {
    wrapper::wrapper as *const () as libc::sighandler_t
}

/// Whether the wrapper is what is installed.
pub(crate) fn is_ours(signal: Signal) -> bool {
    // SAFETY: changes nothing.
    unsafe { change(signal, ptr::null()) }.is_ok_and(|now| now.sa_sigaction == ours())
}

/// Installs this action, or none if it is null. Returns what was installed.
///
/// # Safety
/// As for `sigaction`.
unsafe fn change(signal: Signal, to: *const libc::sigaction) -> io::Result<libc::sigaction> {
    let mut before = MaybeUninit::uninit();
    // SAFETY: the caller's promise, and a place for what was installed, which is filled on success.
    unsafe {
        match libc::sigaction(signal.number(), to, before.as_mut_ptr()) {
            0 => Ok(before.assume_init()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
