//! `siftlock_psrw`: threads and signal handlers read it, and threads write.
//!
//! It is the lock of the Rust type `PsRwLock` with its usual classes.

pub mod lifetime;
pub mod thread;

// Apart from the modules above, which rustfmt sorts: the header keeps the order of the modules.
pub mod update;

pub mod handler;

use crate::answer::{Answer, is_place, number};
use crate::layout::assert_layout;
use crate::prepare::no_lock;
use libc::c_int;
use siftlock::psrw::RawPsRwLock;
use std::sync::atomic::AtomicU64;

/// A reader-writer lock that signal handlers read, too, if siftlock_register has registered them.
///
/// A handler waits for the write itself, and for the handlers that the writer waits for. It never
/// waits for slow reading threads. A writer keeps handlers away from its thread while it writes,
/// without a system call.
///
/// Zeroed memory is an unlocked lock, and so is SIFTLOCK_PSRW_INIT. The words are the library's
/// own. The rules of siftlock_rwsem hold here as well, with these differences:
///
/// - Registered handlers may call the three functions whose names contain psrw_handler.
/// - A write must not allocate, free, or take another lock. A handler may have interrupted another
///   thread in malloc, and the handler waits for the writer.
/// - A thread that reads must not read the lock again, by any function. A handler that interrupts
///   the thread may.
/// - Reads are counted one by one, so readers share a cache line.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct PsRwLock {
    words: [u64; 3],
}

/// The content of the words.
///
/// cbindgen:ignore
#[repr(C)]
struct Lock {
    raw: RawPsRwLock,
    /// How far the writer inside has raised its thread.
    raised: AtomicU64,
}

assert_layout!(Lock, Lock::unlocked(), PsRwLock);

impl Lock {
    const fn unlocked() -> Self {
        Self { raw: RawPsRwLock::new(), raised: AtomicU64::new(0) }
    }
}

/// Calls `call` with the lock at this address, if a lock can be there.
///
/// # Safety
/// `lock` is null, unaligned, or a lock that no thread ends during the call.
unsafe fn with(lock: *mut PsRwLock, call: impl FnOnce(&Lock) -> Answer) -> c_int {
    if !is_place(lock) {
        return no_lock();
    }
    // SAFETY: the caller's promise. The lock's words are atomics, so all threads may share it.
    number(call(unsafe { &*lock.cast::<Lock>() }))
}
