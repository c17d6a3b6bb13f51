//! What the protocol asks of the system.

use super::info::{self, Info};
use super::table::{self, Event};
use super::{DESK, errno, memory, set};
use siftlock_core::defer::{Arrival, Kernel, Notes, QueueFull, Signal, Signals};
use siftlock_core::platform::Class;
use std::ptr;

/// The context that a wrapper was given.
pub(super) struct Frame(*mut libc::ucontext_t);

impl Frame {
    /// # Safety
    /// `context` is what the system gave to a wrapper that has not returned.
    pub(super) unsafe fn new(context: *mut libc::c_void) -> Self {
        Self(context.cast())
    }
}

/// An address of the calling thread's own.
pub(super) fn mine() -> *const () {
    DESK.with(|desk| ptr::from_ref(desk).cast())
}

/// Linux.
pub(super) struct System;

// SAFETY: the notes are kept thread by thread. `action` installs wrappers with the masks that the
// trait wants, and without `SA_NODEFER`.
unsafe impl Kernel for System {
    type Info = Info;
    type Frame = Frame;
    type Mask = libc::sigset_t;

    fn notes() -> Option<&'static Notes<Info>> {
        memory::notes()
    }

    fn make_notes() -> &'static Notes<Info> {
        memory::make_notes()
    }

    fn class(signal: Signal) -> Class {
        table::class(signal)
    }

    fn above(class: Class) -> Signals {
        table::above(class)
    }

    fn is_direct(signal: Signal) -> bool {
        table::is_direct(signal)
    }

    fn kick(signal: Signal) -> Result<(), QueueFull> {
        info::kick(signal, mine())
    }

    fn is_pending(signal: Signal) -> bool {
        set::pending().has(signal)
    }

    fn absorb(signal: Signal) -> Option<Info> {
        match info::take_pending(signal, mine())? {
            Arrival::Kick => None,
            Arrival::Sent(info) | Arrival::Fault(info) => Some(info),
        }
    }

    fn send(signal: Signal, info: &Info) -> Result<(), QueueFull> {
        info::send(signal, info)
    }

    fn is_blocked(signal: Signal) -> bool {
        set::now().has(signal)
    }

    fn unblock(signals: Signals) {
        set::unblock(signals);
    }

    fn block_in(frame: &mut Frame, signals: Signals) {
        if !signals.is_empty() {
            // SAFETY: the context of a wrapper that has not returned.
            set::add(unsafe { &mut (*frame.0).uc_sigmask }, signals);
        }
    }

    fn enter(signal: Signal) -> libc::sigset_t {
        set::block(table::up_to(table::class(signal)).without(set::NEVER_BLOCKED))
    }

    fn hold() -> libc::sigset_t {
        set::block(table::above(Class::Thread))
    }

    fn has(mask: &libc::sigset_t, signal: Signal) -> bool {
        set::has(mask, signal)
    }

    fn leave(mut mask: libc::sigset_t, signals: Signals) {
        set::add(&mut mask, signals);
        set::put_back(&mask);
    }

    fn call(signal: Signal, info: &Info, frame: Option<&mut Frame>) {
        // A direct handler is called raised, from below.
        let direct = frame.is_none() && table::is_direct(signal);
        let interrupted = if direct { Class::Thread } else { super::level() };
        let event = Event {
            signal,
            info: &info.siginfo(),
            ucontext: frame.map_or(ptr::null_mut(), |frame| frame.0.cast()),
            interrupted,
        };
        // Not every call comes from a wrapper.
        errno::kept(|| {
            #[cfg(debug_assertions)]
            super::handling::during(&event, table::class(signal), || table::call(&event));
            #[cfg(not(debug_assertions))]
            table::call(&event);
        });
    }
}
