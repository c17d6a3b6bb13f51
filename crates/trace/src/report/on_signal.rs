//! A report at a signal, made by a thread of its own. The handler only posts to a semaphore, which
//! a handler is allowed to do.
//!
//! A forked child starts its own such thread. A program that handles the signal itself replaces
//! this handler.

use super::make;
use super::writing::tell;
use crate::registry::Signals;
use crate::settings;
use core::cell::UnsafeCell;
use core::mem::zeroed;
use libc::c_int;
use std::{io, thread};

/// The semaphore that the handler posts to.
struct Asked(UnsafeCell<libc::sem_t>);

// SAFETY: a semaphore may be used by several threads at once. Only a forked child initialises it
// again, while the child has one thread.
unsafe impl Sync for Asked {}

// SAFETY: zeroes are a value of `sem_t`. `start` makes it a semaphore before its first use.
static ASKED: Asked = Asked(UnsafeCell::new(unsafe { zeroed() }));

/// Starts the thread, if the user asks for reports at a signal.
pub(super) fn listen() {
    let signal = match settings::signal() {
        Ok(None) => return,
        Ok(Some(signal)) => signal,
        Err(error) => return tell(&error),
    };
    match start().and_then(|()| handle(signal)) {
        // SAFETY: the library stays loaded, and so does the handler.
        Ok(()) => drop(unsafe { libc::pthread_atfork(None, None, Some(in_child)) }),
        Err(error) => tell(&format!("no report at signal {signal}: {error}")),
    }
}

/// The child has its parent's handler of the signal, but only one thread. A new thread needs the
/// program's allocator, whose own handler of forks was mostly registered earlier, and has run.
unsafe extern "C" fn in_child() {
    if let Err(error) = start() {
        tell(&format!("no report at a signal: {error}"));
    }
}

fn start() -> io::Result<()> {
    // The thread begins with all signals blocked, so that the program's handlers run in the
    // program's threads.
    let _signals = Signals::block();
    // SAFETY: no handler uses it now. In a forked child this thread's signals are blocked, and
    // other threads start later.
    unsafe { libc::sem_init(ASKED.0.get(), 0, 0) };
    thread::Builder::new().name("siftlock-report".into()).spawn(wait).map(drop)
}

fn wait() {
    loop {
        // SAFETY: the semaphore was made before the thread began.
        if unsafe { libc::sem_wait(ASKED.0.get()) } == 0 {
            make();
        }
    }
}

fn handle(signal: c_int) -> io::Result<()> {
    // SAFETY: zeroes are a value of `sigaction`, with an empty set of signals. The handler only
    // calls functions that are safe in a handler.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        match libc::sigaction(signal, &action, core::ptr::null_mut()) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

unsafe extern "C" fn on_signal(_: c_int) {
    // SAFETY: the semaphore was made before the handler was registered. The interrupted code gets
    // its `errno` back.
    unsafe {
        let errno = *libc::__errno_location();
        libc::sem_post(ASKED.0.get());
        *libc::__errno_location() = errno;
    }
}
