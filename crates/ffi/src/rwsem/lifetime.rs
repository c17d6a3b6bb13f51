//! The beginning and the end of a lock.

use super::{Lock, RwSem, with};
use crate::answer::is_place;
use crate::prepare::no_lock;
use libc::{EBUSY, c_int};

/// Makes an unlocked lock in any memory. Zeroed memory needs no call, nor does a lock that
/// begins as SIFTLOCK_RWSEM_INIT.
///
/// No thread may hold a lock in this memory, or wait for it. Does not block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_init(lock: *mut RwSem) -> c_int {
    if !is_place(lock) {
        return no_lock();
    }
    // SAFETY: the caller gives memory that fits a lock.
    unsafe { lock.cast::<Lock>().write(Lock::new()) };
    0
}

/// Ends a lock and leaves an unlocked one behind. A lock has nothing to free, so the call only
/// checks that the lock is not held.
///
/// EBUSY: the lock is held, and stays as it is. No thread may call another function of the lock
/// meanwhile. Does not block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_destroy(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    let answer = unsafe { with(lock, |lock| if lock.is_locked() { Err(EBUSY) } else { Ok(()) }) };
    if answer == 0 {
        // SAFETY: the call above answered 0, so a lock is here. No other thread uses it.
        unsafe { *lock.cast::<Lock>() = Lock::new() };
    }
    answer
}
