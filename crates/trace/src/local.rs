//! The calling thread's table, in *initial-exec* thread-local storage: reading it is two loads and no call.
//!
//! `thread_local!` in a shared library is a call, which costs more than all else that is done for most lock calls.

use crate::thread::Thread;
use core::arch::{asm, global_asm};

global_asm!(
    ".pushsection .tbss.siftlock_trace_local,\"awT\",%nobits",
    ".p2align 3",
    ".globl siftlock_trace_local",
    ".hidden siftlock_trace_local",
    ".type siftlock_trace_local, %tls_object",
    ".size siftlock_trace_local, 8",
    "siftlock_trace_local:",
    ".zero 8",
    ".popsection",
);

/// The calling thread's table, if it has one.
#[inline(always)]
pub(crate) fn get() -> Option<&'static Thread> {
    let thread: *const Thread;
    // SAFETY: by the ABI, reads the variable at the distance from the thread pointer that the loader has written.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!(
            "mov {thread}, qword ptr [rip + siftlock_trace_local@GOTTPOFF]",
            "mov {thread}, qword ptr fs:[{thread}]",
            thread = out(reg) thread,
            options(readonly, nostack, preserves_flags),
        );
        #[cfg(target_arch = "aarch64")]
        asm!(
            "adrp {thread}, :gottprel:siftlock_trace_local",
            "ldr {thread}, [{thread}, :gottprel_lo12:siftlock_trace_local]",
            "mrs {pointer}, tpidr_el0",
            "ldr {thread}, [{thread}, {pointer}]",
            thread = out(reg) thread,
            pointer = out(reg) _,
            options(readonly, nostack, preserves_flags),
        );
        // A table is never freed, and used by one thread at a time.
        thread.as_ref()
    }
}

/// Gives the calling thread a table, or null.
pub(crate) fn set(thread: *const Thread) {
    // SAFETY: as above, a write.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!(
            "mov {place}, qword ptr [rip + siftlock_trace_local@GOTTPOFF]",
            "mov qword ptr fs:[{place}], {thread}",
            place = out(reg) _,
            thread = in(reg) thread,
            options(nostack, preserves_flags),
        );
        #[cfg(target_arch = "aarch64")]
        asm!(
            "adrp {place}, :gottprel:siftlock_trace_local",
            "ldr {place}, [{place}, :gottprel_lo12:siftlock_trace_local]",
            "mrs {pointer}, tpidr_el0",
            "str {thread}, [{place}, {pointer}]",
            place = out(reg) _,
            pointer = out(reg) _,
            thread = in(reg) thread,
            options(nostack, preserves_flags),
        );
    }
}
