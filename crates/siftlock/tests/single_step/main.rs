//! A signal after every single instruction: of each way into the lock and out of it, of raising and
//! lowering, and of the wrapper that notes signals.
//!
//! Each test walks a path under the processor's trap flag, to list its instructions. Then it walks
//! the path once for each of them, and sends a signal to its own thread there, at a breakpoint (see
//! `trap`). The handler reads the lock. After each run the lock and the thread must be at rest. The
//! handler must have been called once for each signal, at once or when the thread was lowered.
//!
//! The same thread plays the other parties, at its sleeps and naps, and the clock is a counter (see
//! `script`). So every run of a path is the same.
//!
//! `SIFTLOCK_SINGLE_STEP=1` visits each instruction each time that it comes. That takes minutes.

#![cfg(all(target_os = "linux", target_arch = "x86_64", target_pointer_width = "64"))]

#[path = "../contexts/support.rs"]
#[allow(dead_code, unused_imports, unused_macros, reason = "a part of it is used here")]
mod support;

mod deferral;
mod fast;
mod handler;
mod script;
mod slow;
mod trap;
mod walk;
mod wrapper;
