//! What happens at a trap: the state of the walk, and the handler.

use super::{Visit, Visitor};
use std::arch::asm;
use std::{io, mem, ptr};

const TRAP_FLAG: i64 = 1 << 8;
pub(super) const BREAKPOINT: u8 = 0xcc;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    /// Each instruction traps, and is listed.
    Listing,
    /// The breakpoint is there.
    Waiting,
    /// Behind a pass that is not the chosen one: the breakpoint is to be put back.
    Passing,
    /// Behind the chosen one.
    Visited,
}

/// All of one thread, the one that walks, and its handlers.
pub(super) struct State {
    pub(super) phase: Phase,
    /// The breakpoint's place, and the byte that belongs there.
    pub(super) address: *mut u8,
    pub(super) byte: u8,
    /// It is there.
    pub(super) is_set: bool,
    /// Passes still to come before the chosen one.
    pub(super) passes: usize,
    /// What is done now belongs to the test, not to the path.
    pub(super) aside: u32,
    pub(super) list: *mut usize,
    pub(super) listed: usize,
    pub(super) visitor: Option<Visitor>,
}

/// The longest path: a million instructions.
pub(super) const LONGEST: usize = 1 << 20;

pub(super) static mut STATE: State = State {
    phase: Phase::Idle,
    address: ptr::null_mut(),
    byte: 0,
    is_set: false,
    passes: 0,
    aside: 1,
    list: ptr::null_mut(),
    listed: 0,
    visitor: None,
};

/// Writes into code, or anything; ordered behind and before all else.
#[inline(always)]
pub(super) unsafe fn poke(address: *mut u8, byte: u8) {
    // SAFETY: by the caller: writable.
    unsafe { asm!("mov byte ptr [{}], {}", in(reg) address, in(reg_byte) byte) };
}

#[inline(always)]
pub(super) fn set_flag() {
    // SAFETY: the flag makes signals that `on_trap` handles.
    unsafe { asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
}

#[inline(always)]
pub(super) fn clear_flag() {
    // SAFETY: without the flag all is as usual.
    unsafe { asm!("pushfq", "and qword ptr [rsp], ~0x100", "popfq") };
}

pub(super) fn install() {
    // SAFETY: a valid action, with all signals in its mask; the handler fits SA_SIGINFO.
    let done = unsafe {
        let mut action: libc::sigaction = mem::zeroed();
        action.sa_sigaction = on_trap as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigfillset(&mut action.sa_mask);
        libc::sigaction(libc::SIGTRAP, &action, ptr::null_mut())
    };
    assert_eq!(done, 0, "{}", io::Error::last_os_error());
}

/// Plain accesses alone, where a breakpoint may be near; so no function, however small.
extern "C" fn on_trap(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::ucontext_t) {
    const FLAGS: usize = libc::REG_EFL as usize;
    const NEXT: usize = libc::REG_RIP as usize;
    let state = &raw mut STATE;
    // SAFETY: the state is this thread's; the context the system's own, for as long as this runs.
    unsafe {
        if (*state).is_set {
            poke((*state).address, (*state).byte);
            (*state).is_set = false;
        }
        let registers = &raw mut (*context).uc_mcontext.gregs;
        match (*state).phase {
            Phase::Listing => {
                if (*state).aside == 0 && (*state).listed < LONGEST {
                    *(*state).list.wrapping_add((*state).listed) = (*registers)[NEXT] as usize;
                    (*state).listed += 1;
                }
            }
            Phase::Waiting => {
                // Back to the beginning of the instruction that was there.
                (*registers)[NEXT] -= 1;
                (*registers)[FLAGS] |= TRAP_FLAG;
                if (*state).aside == 0 && (*state).passes == 0 {
                    (*state).phase = Phase::Visited;
                    if let Some(visitor) = (*state).visitor {
                        visitor(Visit::Chosen(&(*context).uc_sigmask));
                    }
                } else {
                    (*state).phase = Phase::Passing;
                    if (*state).aside == 0 {
                        (*state).passes -= 1;
                    }
                }
            }
            Phase::Passing => {
                (*registers)[FLAGS] &= !TRAP_FLAG;
                (*state).phase = Phase::Waiting;
                (*state).is_set = true;
                poke((*state).address, BREAKPOINT);
            }
            Phase::Visited => {
                (*registers)[FLAGS] &= !TRAP_FLAG;
                if let Some(visitor) = (*state).visitor {
                    visitor(Visit::Next);
                }
            }
            Phase::Idle => (*registers)[FLAGS] &= !TRAP_FLAG,
        }
    }
}
