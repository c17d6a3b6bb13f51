//! The platform calls of the fast paths: the caller's number, and interrupts off and on.
//!
//! They are C functions, or the instructions themselves if `siftlock_inline` is set. The
//! instructions are for kernels that keep no account of masked interrupts (as lockdep does). Under
//! a hypervisor that forbids these instructions the module then refuses to load.

use crate::glue;
use siftlock_core::platform::{Class, Raised};

/// The state in which only interrupts are off: the bit of class 3, as in `module/platform.c`.
#[cfg(siftlock_inline)]
const IRQ: Raised = Raised::new(1 << Class::Irq as u64);

/// Raises a thread. Its interrupts are on, unless `held` says that it turned them off.
#[cfg(siftlock_inline)]
#[inline]
pub fn from_thread(to: Class, held: Raised) -> Raised {
    match to {
        Class::Irq => {
            // SAFETY: the kernel may do this; `restore` takes it back. Not `nomem`: later accesses
            // must not move before it.
            unsafe { core::arch::asm!("cli", options(nostack, preserves_flags)) };
            Raised::new(held.state() | IRQ.state())
        }
        _ => from_anywhere(to, held),
    }
}

/// Raises a thread.
#[cfg(not(siftlock_inline))]
#[inline]
pub fn from_thread(to: Class, held: Raised) -> Raised {
    from_anywhere(to, held)
}

/// Raises a caller in any context. If its interrupts are off already, there is nothing to raise.
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
    /// The processor's flag that interrupts may come.
    const MAY_COME: u64 = 1 << 9;
    let flags: u64;
    // SAFETY: the kernel may do this; `restore` takes it back. The stack is as before. Not `nomem`:
    // later accesses must not move before it.
    unsafe {
        core::arch::asm!("pushfq", "pop {}", "cli", out(reg) flags, options(preserves_flags));
    };
    if flags & MAY_COME == 0 { held } else { Raised::new(held.state() | IRQ.state()) }
}

/// Takes back what `held` says.
#[cfg(siftlock_inline)]
#[inline]
pub fn restore(held: Raised) {
    if held == IRQ {
        // SAFETY: interrupts were on before the caller turned them off. Not `nomem`: earlier
        // accesses must not move behind it.
        unsafe { core::arch::asm!("sti", options(nostack, preserves_flags)) };
    } else {
        glue::siftlock_k_restore(held.state());
    }
}

/// Takes back what `held` says.
#[cfg(not(siftlock_inline))]
#[inline]
pub fn restore(held: Raised) {
    if held != Raised::NOTHING {
        glue::siftlock_k_restore(held.state());
    }
}

#[cfg(siftlock_inline)]
mod offsets {
    //! `TASK_PID`, which the build takes from the kernel's own headers.
    include!(env!("SIFTLOCK_OFFSETS"));
}

/// The calling task's number.
#[cfg(siftlock_inline)]
#[inline]
pub fn number() -> u32 {
    let number: u64;
    // SAFETY: the processor's own variable names the current task, which is alive. The task's
    // number does not change while the task runs this code, so every read gives the same.
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
