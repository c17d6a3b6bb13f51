//! Writes.

use super::{Lock, RwSem, held_for_writing, with};
use crate::answer::refused;
use crate::deadline::Deadline;
use libc::{EBUSY, EPERM, c_int, timespec};

/// Takes the lock for writing. Waits while anybody holds it, the calling thread included, or while
/// it is reserved for a waiter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_write(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| lock.write_until(None).map_err(refused)) }
}

/// Takes the lock for writing, or answers EBUSY if anybody holds it or waits for it.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_try_write(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| if lock.try_write() { Ok(()) } else { Err(EBUSY) }) }
}

/// Takes the lock for writing, and waits until the deadline at most.
///
/// Deadline, clock and errors are those of siftlock_rwsem_read_until, except EAGAIN.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_write_until(
    lock: *mut RwSem,
    clock: c_int,
    deadline: *const timespec,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller's promise.
        let deadline = unsafe { Deadline::new(clock, deadline) }?;
        deadline.take(|| lock.try_write().then_some(()), |until| lock.write_until(until))
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Unlocks a write of the calling thread. Does not block.
///
/// EPERM: nobody writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_write_unlock(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise: it writes, or nobody does.
    unsafe { with(lock, |lock| lock.write_unlock_if_held().map_err(|_not_held| EPERM)) }
}

/// Turns the calling thread's write into a read. No writer comes in between. Does not block.
///
/// EPERM: nobody writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_downgrade(lock: *mut RwSem) -> c_int {
    let call = |lock: &Lock| {
        held_for_writing(lock)?;
        // SAFETY: a writer holds the lock, and the caller says that it is that writer.
        let _token = unsafe { lock.downgrade() };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}
