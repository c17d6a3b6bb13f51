//! Forks: the child has one thread, and none of the signals that have arrived.

use super::system::System;
use super::{DESK, memory};
use std::sync::atomic::{AtomicBool, Ordering};

/// One registration at a time. Held across forks, so that the child finds none half done; a lock of
/// `std` could not be let go there.
static REGISTERING: AtomicBool = AtomicBool::new(false);

/// Until dropped no other thread registers, or forks.
pub(super) struct Registering(());

pub(super) fn registering() -> Registering {
    prepare();
    Registering(())
}

impl Drop for Registering {
    fn drop(&mut self) {
        resume();
    }
}

extern "C" fn prepare() {
    // Acquire: pairs with the release in `resume`.
    while REGISTERING.swap(true, Ordering::Acquire) {
        std::thread::yield_now();
    }
}

extern "C" fn resume() {
    // Release: pairs with the acquire in `prepare`.
    REGISTERING.store(false, Ordering::Release);
}

extern "C" fn in_child() {
    resume();
    DESK.with(|desk| desk.forked::<System>());
    memory::close_others();
}

/// Has the system call us at forks. Once; the registering caller alone.
pub(super) fn watch(_alone: &Registering) -> Result<(), libc::c_int> {
    static WATCHES: AtomicBool = AtomicBool::new(false);
    // Relaxed: under the lock.
    if WATCHES.load(Ordering::Relaxed) {
        return Ok(());
    }
    // SAFETY: functions that live as long as the process.
    match unsafe { libc::pthread_atfork(Some(prepare), Some(resume), Some(in_child)) } {
        0 => {
            WATCHES.store(true, Ordering::Relaxed);
            Ok(())
        }
        error => Err(error),
    }
}
