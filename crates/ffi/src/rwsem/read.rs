//! Reads.

use super::{Lock, RwSem, with};
use crate::answer::refused;
use crate::deadline::Deadline;
use libc::{EBUSY, EPERM, c_int, timespec};

/// Takes the lock for reading. Waits while a writer holds it, or while it is reserved for a waiter.
/// Where reads last longer than a sleep takes, it may also wait for a writer that waits.
///
/// EAGAIN: some eight million reads (2^23) are not unlocked. Also if a writer waits for 1,024 reads
/// of the calling thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_read(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| lock.read_until(None).map(drop).map_err(refused)) }
}

/// Takes the lock for reading, or answers EBUSY where siftlock_rwsem_read would wait or fail.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_try_read(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| lock.try_read().map(drop).ok_or(EBUSY)) }
}

/// Takes the lock for reading, and waits until the deadline at most.
///
/// The deadline is a time of the clock CLOCK_MONOTONIC or CLOCK_REALTIME, not a length of time. A
/// free lock is taken even if the deadline has passed. A wait never ends early. It ends late if
/// CLOCK_REALTIME is set forward meanwhile.
///
/// ETIMEDOUT: the deadline has passed. EAGAIN: as in siftlock_rwsem_read. EINVAL: another clock, a
/// deadline that is null or not aligned, or a tv_nsec below 0 or above 999,999,999.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_read_until(
    lock: *mut RwSem,
    clock: c_int,
    deadline: *const timespec,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller's promise.
        let deadline = unsafe { Deadline::new(clock, deadline) }?;
        deadline.take(|| lock.try_read(), |until| lock.read_until(until))
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Takes the lock for reading once more, in a thread that reads it already. Does not wait for
/// waiting writers.
///
/// Other threads should not use it: they would starve writers. Each read needs an unlock of its
/// own.
///
/// EAGAIN: as in siftlock_rwsem_read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_read_recursive(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| lock.read_recursive_until(None).map(drop).map_err(refused)) }
}

/// Unlocks a read of the calling thread. Does not block.
///
/// EPERM: no thread reads, or one thread alone reads, by an upgradable read. If other threads read
/// or wait as well, this call does not notice that the read is upgradable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_read_unlock(lock: *mut RwSem) -> c_int {
    let call = |lock: &Lock| {
        // Most reads are in a slot. The attempt there is short, and inline.
        // SAFETY: no token of a read is kept.
        if let Ok(waiter) = unsafe { lock.unlock_slot() } {
            waiter.wake();
            return Ok(());
        }
        // SAFETY: the caller's promise: it reads, or the core sees that it does not.
        unsafe { lock.read_unlock_untokened() }.map_err(|_not_held| EPERM)
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}
