//! The system, as the protocol of deferred signals sees it.

use super::info::{self, Info};
use super::table::{self, Event};
use super::{action, errno, memory, pending, set};
use siftlock_core::defer::{Arrival, Notes, Refused, Signal, SignalSystem, Signals, When};
use siftlock_core::platform::Class;
use std::ptr;

/// The context that a wrapper was given.
pub(super) struct Frame(*mut libc::ucontext_t);

impl Frame {
    /// # Safety
    /// The system gave `context` to a wrapper that has not returned.
    pub(super) unsafe fn new(context: *mut libc::c_void) -> Self {
        Self(context.cast())
    }

    fn context(&self) -> &libc::ucontext_t {
        // SAFETY: the context of a wrapper that has not returned.
        unsafe { &*self.0 }
    }

    /// The address at which the thread was interrupted; 0 where that is not known.
    pub(super) fn program_counter(&self) -> usize {
        let machine = &self.context().uc_mcontext;
        #[cfg(target_arch = "x86_64")]
        return machine.gregs[libc::REG_RIP as usize] as usize;
        #[cfg(all(target_arch = "x86", target_env = "gnu"))]
        return machine.gregs[libc::REG_EIP as usize] as usize;
        #[cfg(target_arch = "aarch64")]
        return machine.pc as usize;
        #[cfg(target_arch = "arm")]
        return machine.arm_pc as usize;
        #[cfg(all(target_arch = "riscv64", target_env = "gnu"))]
        return machine.__gregs[libc::REG_PC] as usize;
        #[cfg(not(any(
            target_arch = "x86_64",
            all(any(target_arch = "x86", target_arch = "riscv64"), target_env = "gnu"),
            target_arch = "aarch64",
            target_arch = "arm"
        )))]
        {
            let _ = machine;
            0
        }
    }
}

/// An address of the calling thread's own.
pub(super) fn mine() -> *const () {
    pending(|pending| ptr::from_ref(pending).cast())
}

/// Linux.
pub(super) struct System;

// SAFETY: the notes are kept thread by thread. `action` installs wrappers with the masks that the
// trait wants, and without `SA_NODEFER`.
unsafe impl SignalSystem for System {
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

    /// Refused if another handler was installed over the wrapper. That handler has seen the signal
    /// once.
    fn kick(signal: Signal) -> Result<(), Refused> {
        if errno::kept(|| action::is_ours(signal)) {
            info::kick(signal, mine())
        } else {
            Err(Refused)
        }
    }

    fn is_pending(signal: Signal) -> bool {
        set::pending().has(signal)
    }

    fn absorb(signal: Signal) -> Option<Arrival<Info>> {
        info::take_pending(signal, mine())
    }

    fn merge(noted: &mut Info, later: &Info) {
        noted.add_overrun_of(later);
    }

    fn send(signal: Signal, info: &Info) -> Result<(), Refused> {
        info::send(signal, info)
    }

    fn is_blocked(signal: Signal) -> bool {
        set::now().has(signal)
    }

    fn unblock(signals: Signals) {
        set::unblock(signals);
    }

    fn blocked_in(frame: &Frame) -> Signals {
        set::from(&frame.context().uc_sigmask)
    }

    fn block_in(frame: &mut Frame, signals: Signals) {
        if !signals.is_empty() {
            // SAFETY: the context of a wrapper that has not returned.
            set::add(unsafe { &mut (*frame.0).uc_sigmask }, signals);
        }
    }

    fn enter(signal: Signal) -> libc::sigset_t {
        // The signal itself is always blocked, as the system does it.
        let others = table::up_to(table::class(signal)).without(set::NEVER_BLOCKED);
        set::block(others.and(Signals::of(signal)))
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

    fn call(signal: Signal, info: &Info, when: When, frame: Option<&mut Frame>) {
        // A direct handler is called on a thread that was raised for the call, from below.
        let direct = frame.is_none() && table::is_direct(signal);
        let interrupted = if direct { Class::Thread } else { super::level() };
        let event = Event {
            signal,
            info: &info.siginfo(),
            came_at: info.came_at(),
            put_off: when == When::PutOff,
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
