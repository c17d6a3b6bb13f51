//! Writes that cannot end the program, wherever they go.

use crate::registry::Signals;
use core::mem::zeroed;
use core::ptr::null_mut;
use libc::{SIGPIPE, SIGXFSZ};
use std::io::{self, Write};

/// Tells the user something on the standard error, if that can be written.
pub(super) fn tell(text: &str) {
    let _ = spared(|| io::stderr().write_all(format!("siftlock: {text}\n").as_bytes()));
}

/// Does a write. If a pipe has no reader, or a file may not grow, the system also sends a signal to
/// the writing thread, which would end the program. That signal is taken off.
pub(super) fn spared<T>(write: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let _signals = Signals::block();
    // SAFETY: the sets are places of this function; zeroes are a value of them.
    unsafe {
        let (mut before, mut sent) = (zeroed(), zeroed());
        libc::sigpending(&mut before);
        libc::sigemptyset(&mut sent);
        // A signal that waited before is the program's.
        for signal in [SIGPIPE, SIGXFSZ] {
            if libc::sigismember(&before, signal) == 0 {
                libc::sigaddset(&mut sent, signal);
            }
        }
        let written = write();
        if written.is_err() {
            libc::sigtimedwait(&sent, null_mut(), &zeroed());
        }
        written
    }
}
