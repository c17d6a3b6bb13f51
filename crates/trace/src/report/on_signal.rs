//! A report at a signal, by a thread of its own: the handler only posts to a semaphore, which any
//! handler may do.
//!
//! A forked child has a thread of its own as well. A program that handles the signal itself takes
//! it away from here.

use super::make;
use crate::registry::Signals;
use crate::settings;
use core::cell::UnsafeCell;
use core::mem::zeroed;
use libc::c_int;
use std::thread;

/// What the handler posts to.
struct Asked(UnsafeCell<libc::sem_t>);

// SAFETY: a semaphore is made to be used by several threads. It is made anew in a forked child
// only, by its one thread.
unsafe impl Sync for Asked {}

// SAFETY: zeroes are memory for a semaphore; `listen` makes it one.
static ASKED: Asked = Asked(UnsafeCell::new(unsafe { zeroed() }));

/// Starts the thread, if a signal is asked for.
pub(super) fn listen() {
    match settings::signal() {
        Ok(None) => {}
        Ok(Some(signal)) => start(signal),
        Err(error) => eprintln!("siftlock: {error}"),
    }
}

fn start(signal: c_int) {
    // The thread begins with all signals blocked, so that the program's handlers run in the
    // program's threads.
    let signals = Signals::block();
    // SAFETY: no handler uses it yet: signals are blocked, and other threads come later.
    unsafe { libc::sem_init(ASKED.0.get(), 0, 0) };
    let started = thread::Builder::new().name("siftlock-report".into()).spawn(wait);
    match started {
        Ok(_) => handle(signal),
        Err(error) => eprintln!("siftlock: no report at a signal: {error}"),
    }
    drop(signals);
}

fn wait() {
    loop {
        // SAFETY: it was made before the thread began.
        if unsafe { libc::sem_wait(ASKED.0.get()) } == 0 {
            make();
        }
    }
}

fn handle(signal: c_int) {
    // SAFETY: zeroes are a value of it, and an empty set of signals. The handler does what handlers
    // may do.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal, &action, core::ptr::null_mut());
    }
}

unsafe extern "C" fn on_signal(_: c_int) {
    // SAFETY: it was made before the handler was registered. `errno` is kept for what was
    // interrupted.
    unsafe {
        let errno = *libc::__errno_location();
        libc::sem_post(ASKED.0.get());
        *libc::__errno_location() = errno;
    }
}
