//! `siftlock_psrw`: threads and signal handlers read it, and threads write.
//!
//! It is the lock of the Rust type `PsRwLock` with its usual classes.

pub mod lifetime;
pub mod thread;

// After the others in the header, too.
pub mod update;

pub mod handler;

use crate::answer::{Answer, is_place, number};
use crate::layout::is_zeroed;
use crate::prepare::no_lock;
use libc::c_int;
use siftlock::psrw::RawPsRwLock;
use std::mem::transmute;
use std::sync::atomic::AtomicU64;

/// A reader-writer lock that signal handlers read, too: those that siftlock_register has
/// registered.
///
/// A handler waits for other handlers and for the write itself, however slow the reading threads
/// are. A writer keeps handlers away while it writes, without a system call.
///
/// Zeroed memory is an unlocked lock, and so is SIFTLOCK_PSRW_INIT. The words are the library's
/// own. What holds for siftlock_rwsem holds here as well, but for three things:
///
/// - A write must not allocate, free, or take another lock. A handler may have interrupted another
///   thread in malloc, and the handler waits for the writer.
/// - A thread that reads must not read the lock again, by whichever function. A handler that
///   interrupts it may.
/// - Reads are counted one by one, so readers share a cache line.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct PsRwLock {
    words: [u64; 3],
}

/// What is in the words.
///
/// cbindgen:ignore
#[repr(C)]
struct Lock {
    raw: RawPsRwLock,
    /// How far the writer inside has raised its thread.
    raised: AtomicU64,
}

const _: () = assert!(size_of::<Lock>() <= size_of::<PsRwLock>());
const _: () = assert!(align_of::<Lock>() <= align_of::<PsRwLock>());
// SAFETY: a lock is atomics without padding between.
const _: () =
    assert!(is_zeroed(unsafe { transmute::<Lock, [u8; size_of::<Lock>()]>(Lock::unlocked()) }));

impl Lock {
    const fn unlocked() -> Self {
        Self { raw: RawPsRwLock::new(), raised: AtomicU64::new(0) }
    }
}

/// Calls `call` with the lock at this address, if a lock can be there.
///
/// # Safety
/// `lock` is null, unaligned or a lock, which nobody ends during the call.
unsafe fn with(lock: *mut PsRwLock, call: impl FnOnce(&Lock) -> Answer) -> c_int {
    if !is_place(lock) {
        return no_lock();
    }
    // SAFETY: the caller's promise. The lock's words are atomics, so all threads may share it.
    number(call(unsafe { &*lock.cast::<Lock>() }))
}
