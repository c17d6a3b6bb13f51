//! What the fast paths ask: the caller's number, and interrupts off and on.
//!
//! By C functions, or, where `siftlock_inline` is set, by the instructions themselves: for kernels
//! that do not keep an account of interrupts (as lockdep does). The module then refuses to be
//! loaded under a hypervisor that forbids these instructions.

use crate::glue;
use siftlock_core::platform::{Class, Raised};

/// Interrupts are off, and nothing else: the bit of class 3, as in `module/platform.c`.
#[cfg(siftlock_inline)]
const IRQ: Raised = Raised::new(1 << Class::Irq as u64);

/// Raises a thread, whose interrupts are on unless it `held` them off.
#[cfg(siftlock_inline)]
#[inline]
pub fn from_thread(to: Class, held: Raised) -> Raised {
    match to {
        Class::Irq => {
            // SAFETY: allowed in the kernel; `restore` takes it back. Not `nomem`: what comes later
            // must not move before.
            unsafe { core::arch::asm!("cli", options(nostack, preserves_flags)) };
            Raised::new(held.state() | IRQ.state())
        }
        _ => from_anywhere(to, held),
    }
}

/// The same.
#[cfg(not(siftlock_inline))]
#[inline]
pub fn from_thread(to: Class, held: Raised) -> Raised {
    from_anywhere(to, held)
}

/// Raises whoever calls; where interrupts are off there is nothing to raise.
#[inline]
pub fn from_anywhere(to: Class, held: Raised) -> Raised {
    #[cfg(siftlock_inline)]
    if to == Class::Irq {
        return interrupts_off(held);
    }
    Raised::new(glue::siftlock_k_raise(to as u32, held.state()))
}

#[cfg(siftlock_inline)]
#[inline]
fn interrupts_off(held: Raised) -> Raised {
    /// The processor's flag of interrupts that may come.
    const MAY_COME: u64 = 1 << 9;
    let flags: u64;
    // SAFETY: as in `from_thread`; the stack is as before.
    unsafe {
        core::arch::asm!("pushfq", "pop {}", "cli", out(reg) flags, options(preserves_flags));
    };
    if flags & MAY_COME == 0 { held } else { Raised::new(held.state() | IRQ.state()) }
}

/// Takes back what was raised.
#[cfg(siftlock_inline)]
#[inline]
pub fn restore(held: Raised) {
    if held == IRQ {
        // SAFETY: they were on before they were raised. Not `nomem`: nothing of before moves
        // behind.
        unsafe { core::arch::asm!("sti", options(nostack, preserves_flags)) };
    } else {
        glue::siftlock_k_restore(held.state());
    }
}

/// The same.
#[cfg(not(siftlock_inline))]
#[inline]
pub fn restore(held: Raised) {
    if held != Raised::NOTHING {
        glue::siftlock_k_restore(held.state());
    }
}

#[cfg(siftlock_inline)]
mod offsets {
    //! Written by the build from the kernel's own headers: `TASK_PID`.
    include!(env!("SIFTLOCK_OFFSETS"));
}

/// The calling task's number.
#[cfg(siftlock_inline)]
#[inline]
pub fn number() -> u32 {
    let number: u64;
    // SAFETY: the processor's own variable names the current task, which lives, and its number does
    // not change while the task runs in here; so neither does what this reads.
    unsafe {
        core::arch::asm!(
            "movq %gs:current_task, {number}",
            "movl {pid}({number}), {number:e}",
            number = out(reg) number,
            pid = const offsets::TASK_PID,
            options(att_syntax, pure, nomem, nostack, preserves_flags),
        );
    }
    number as u32
}

/// The calling task's number.
#[cfg(not(siftlock_inline))]
#[inline]
pub fn number() -> u32 {
    glue::siftlock_k_number()
}
