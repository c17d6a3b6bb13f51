//! The calling thread's table, in *initial-exec* thread-local storage: finding it is two loads and
//! no call.
//!
//! `thread_local!` in a shared library is a call. That call would cost more than all else that the
//! library does for most lock calls.

use crate::thread::Thread;
use core::arch::global_asm;
use core::cell::Cell;
use siftlock_core::initial_exec;

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
    place().get()
}

/// Gives the calling thread a table, or takes it away.
pub(crate) fn set(thread: Option<&'static Thread>) {
    place().set(thread);
}

/// The word that holds the calling thread's table.
#[inline(always)]
fn place() -> &'static Cell<Option<&'static Thread>> {
    let place: *const Cell<Option<&'static Thread>> = initial_exec!("siftlock_trace_local").cast();
    // SAFETY: the word lives as long as its thread. No other thread has this reference, because the
    // cell is not `Sync`. The word begins as zeroes, which are `None`.
    unsafe { &*place }
}
