//! A library with the crate in it, for `main` to load: it handles `SIGUSR1`.

#![cfg(target_os = "linux")]

use siftlock::context::{Handler, Interrupt, Irq, Masked, RegisterError};
use std::sync::atomic::{AtomicU32, Ordering};

static HANDLED: AtomicU32 = AtomicU32::new(0);

fn handle(_: &Interrupt<'_, Irq>) {
    drop(Masked::<Irq>::new());
    HANDLED.fetch_add(1, Ordering::Relaxed);
}

/// 0: registered. 1: refused, since handlers might allocate. 2: refused otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn agent_register(in_prepared_threads: bool) -> i32 {
    // SAFETY: it does nothing but count.
    let handler = unsafe { Handler::new(handle) };
    let handler = match in_prepared_threads {
        // SAFETY: the host has each thread use a lock of this library first, where it says so.
        true => unsafe { handler.in_prepared_threads() },
        false => handler,
    };
    match handler.register(libc::SIGUSR1) {
        Ok(_) => 0,
        Err(RegisterError::LazyStorage(libc::SIGUSR1)) => 1,
        Err(_) => 2,
    }
}

/// A thread must call this before its first signal.
#[unsafe(no_mangle)]
pub extern "C" fn agent_prepare_thread() {
    drop(Masked::<Irq>::new());
}

/// How often the handler was called.
#[unsafe(no_mangle)]
pub extern "C" fn agent_handled() -> u32 {
    HANDLED.load(Ordering::Relaxed)
}
