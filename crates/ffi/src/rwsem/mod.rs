//! `siftlock_rwsem`: many threads read it, or one writes.
//!
//! It is the lock of the Rust type `RwSem`. A C program keeps no token of a read, so an unlock
//! looks for the hold in the record of its thread.

pub mod lifetime;
pub mod read;
pub mod write;

// Apart from the modules above, which rustfmt sorts: the header keeps the order of the modules.
pub mod upgrade;

use crate::answer::{Answer, is_place, number};
use crate::layout::assert_layout;
use crate::prepare::no_lock;
use libc::{EPERM, c_int};
use siftlock::platform::Native;
use siftlock::policy::Standard;

/// A reader-writer lock: many threads read, or one writes.
///
/// Zeroed memory is an unlocked lock. Its words are the library's own: use the functions. Do not
/// copy a lock, do not move it while it is held, and do not share it between processes.
///
/// A lock is held by a thread, and the same thread unlocks it. No function is for signal handlers.
/// None is a cancellation point, and none changes errno.
///
/// A thread that reads and calls siftlock_rwsem_read or siftlock_rwsem_upgradable again can
/// deadlock: a writer may wait for the first read, and the second read for the writer. Use
/// siftlock_rwsem_read_recursive for the inner read.
///
/// Every function answers 0, or an error of errno.h. There are two exceptions: siftlock_psrw_update
/// answers what its `prepare` did if that is not 0, and siftlock_prepare answers nothing. Every
/// function with a lock as its argument answers EINVAL if the pointer is null or not aligned. EPERM
/// says that no thread holds the lock in the way that the call needs. If other threads hold it in
/// that way, or are about to, the mistake is not noticed, and the behaviour is undefined.
#[derive(Debug)]
#[repr(C, align(8))]
pub struct RwSem {
    words: [u64; 3],
}

/// The content of the words.
///
/// cbindgen:ignore
type Lock = siftlock_core::rwsem::RwSem<Native, Standard>;

assert_layout!(Lock, Lock::new(), RwSem);

/// Calls `call` with the lock at this address, if a lock can be there.
///
/// # Safety
/// `lock` is null, unaligned, or a lock that no thread ends during the call.
unsafe fn with(lock: *mut RwSem, call: impl FnOnce(&Lock) -> Answer) -> c_int {
    if !is_place(lock) {
        return no_lock();
    }
    // SAFETY: the caller's promise. The lock's words are atomics, so all threads may share it.
    number(call(unsafe { &*lock.cast::<Lock>() }))
}

/// `EPERM` unless a writer holds the lock. The lock does not know which thread that is.
fn held_for_writing(lock: &Lock) -> Answer {
    if lock.is_locked_for_writing() { Ok(()) } else { Err(EPERM) }
}
