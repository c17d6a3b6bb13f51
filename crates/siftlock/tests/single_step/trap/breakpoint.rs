//! The state of the walk, and the handler of a trap.

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
    /// The walk is before the chosen pass.
    Waiting,
    /// The walk is behind a pass that is not the chosen one.
    Passing,
    /// The walk is behind the chosen pass.
    Visited,
}

/// An instruction of the list.
#[derive(Clone, Copy)]
pub(super) struct Listed {
    pub(super) address: usize,
    /// How many handlers it is in.
    pub(super) depth: u32,
    /// The instruction is the path's, not the test's.
    pub(super) counts: bool,
}

/// The state of the one thread that walks, and of its handlers.
pub(super) struct State {
    pub(super) phase: Phase,
    /// The chosen instruction.
    pub(super) chosen: *mut u8,
    /// Passes still to come before the chosen one.
    pub(super) passes: usize,
    /// The address behind it in each pass from here on; 0 where only the processor knows.
    pub(super) behind: *const usize,
    pub(super) reached: bool,
    /// The breakpoint's place, and the byte that belongs there.
    pub(super) address: *mut u8,
    pub(super) byte: u8,
    /// The breakpoint is there.
    pub(super) is_set: bool,
    /// How deep the thread is in acts of the test, not of the path.
    pub(super) aside: u32,
    /// The breakpoint has been taken away for as long.
    pub(super) hidden: bool,
    /// How many handlers run, and in which of them the breakpoint has been taken away; or 0.
    pub(super) depth: u32,
    pub(super) hidden_in: u32,
    pub(super) list: *mut Listed,
    pub(super) listed: usize,
    pub(super) visitor: Option<Visitor>,
}

/// The longest path: a million instructions.
pub(super) const LONGEST: usize = 1 << 20;

pub(super) static mut STATE: State = State {
    phase: Phase::Idle,
    chosen: ptr::null_mut(),
    passes: 0,
    behind: ptr::null(),
    reached: false,
    address: ptr::null_mut(),
    byte: 0,
    is_set: false,
    aside: 1,
    hidden: false,
    depth: 0,
    hidden_in: 0,
    list: ptr::null_mut(),
    listed: 0,
    visitor: None,
};

/// Puts the breakpoint at `address`.
///
/// # Safety
/// No breakpoint is set, and `address` is in memory that can be written.
#[inline(always)]
pub(super) unsafe fn put(address: *mut u8) {
    let state = &raw mut STATE;
    // SAFETY: the state is this thread's; the rest by the caller.
    unsafe {
        ((*state).address, (*state).byte) = (address, *address);
        (*state).is_set = true;
        poke(address, BREAKPOINT);
    }
}

/// Takes the breakpoint away. Returns whether it was there.
#[inline(always)]
pub(super) fn lift() -> bool {
    let state = &raw mut STATE;
    // SAFETY: the state is this thread's; where the breakpoint is, can be written.
    unsafe {
        let was_set = (*state).is_set;
        if was_set {
            poke((*state).address, (*state).byte);
            (*state).is_set = false;
        }
        was_set
    }
}

/// Writes into code, or into any memory; ordered behind and before all else.
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

/// Makes plain accesses alone where a breakpoint may be near: so it calls no function, however
/// small.
extern "C" fn on_trap(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::ucontext_t) {
    const FLAGS: usize = libc::REG_EFL as usize;
    const NEXT: usize = libc::REG_RIP as usize;
    let state = &raw mut STATE;
    // SAFETY: the state is this thread's; the context the system's own, for as long as this runs.
    unsafe {
        let registers = &raw mut (*context).uc_mcontext.gregs;
        if lift() {
            // Back to the beginning of the instruction that was there.
            (*registers)[NEXT] -= 1;
        }
        if (*state).phase as u8 != Phase::Listing as u8 {
            (*registers)[FLAGS] &= !TRAP_FLAG;
        }
        match (*state).phase {
            Phase::Listing => {
                if (*state).listed < LONGEST {
                    *(*state).list.wrapping_add((*state).listed) = Listed {
                        address: (*registers)[NEXT] as usize,
                        depth: (*state).depth,
                        counts: (*state).aside == 0,
                    };
                    (*state).listed += 1;
                }
            }
            Phase::Waiting => {
                let behind = *(*state).behind;
                (*state).behind = (*state).behind.wrapping_add(1);
                if (*state).passes == 0 {
                    (*state).phase = Phase::Visited;
                    (*state).reached = true;
                    if let Some(visitor) = (*state).visitor {
                        visitor(Visit::Chosen(&(*context).uc_sigmask));
                    }
                } else {
                    (*state).phase = Phase::Passing;
                    (*state).passes -= 1;
                }
                if behind == 0 {
                    (*registers)[FLAGS] |= TRAP_FLAG;
                } else {
                    put(behind as *mut u8);
                }
            }
            Phase::Passing => {
                (*state).phase = Phase::Waiting;
                put((*state).chosen);
            }
            Phase::Visited => {
                (*state).phase = Phase::Idle;
                if let Some(visitor) = (*state).visitor {
                    visitor(Visit::Next);
                }
            }
            Phase::Idle => {}
        }
    }
}
