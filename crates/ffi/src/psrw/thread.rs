//! Calls for threads.

use super::{Lock, PsRwLock, with};
use crate::answer::refused;
use crate::deadline::Deadline;
use libc::{EBUSY, EPERM, c_int, timespec};
use siftlock::context::Thread;
use siftlock_core::platform::Raised;
use std::sync::atomic::Ordering;

/// Takes the lock for reading, in a thread. Waits while a writer holds it or shuts reading threads
/// out.
///
/// EAGAIN: the thread would have to sleep, and when it first used a lock, more than 4,194,303
/// threads (2^22 - 1) were using locks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_read(lock: *mut PsRwLock) -> c_int {
    let call = |lock: &Lock| lock.raw.read_until(Thread, None).map(drop_raised).map_err(refused);
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Takes the lock for reading, in a thread, or answers EBUSY where siftlock_psrw_read would wait.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_psrw_try_read(lock: *mut PsRwLock) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| lock.raw.try_read(Thread).map(drop_raised).ok_or(EBUSY)) }
}

/// Takes the lock for reading, in a thread, and waits until the deadline at most.
///
/// Deadline, clock, EINVAL and ETIMEDOUT are those of siftlock_rwsem_read_until. EAGAIN: as in
/// siftlock_psrw_read.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_psrw_read_until(
    lock: *mut PsRwLock,
    clock: c_int,
    deadline: *const timespec,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller's promise.
        let deadline = unsafe { Deadline::new(clock, deadline) }?;
        let at_once = || lock.raw.try_read(Thread).map(drop_raised);
        deadline.take(at_once, |until| lock.raw.read_until(Thread, until).map(drop_raised))
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Unlocks a thread's read. Does not block.
///
/// EPERM: no thread reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_read_unlock(lock: *mut PsRwLock) -> c_int {
    let call = |lock: &Lock| {
        if !lock.raw.is_locked_for_reading(Thread) {
            return Err(EPERM);
        }
        // SAFETY: the caller says that it reads. A thread's read raises nothing.
        unsafe { lock.raw.read_unlock(Thread, Raised::NOTHING) };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Takes the lock for writing, in a thread. Waits while a thread or a handler holds it. Keeps
/// registered handlers away from the calling thread while it writes: they run at the unlock.
///
/// EAGAIN: as in siftlock_psrw_read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_write(lock: *mut PsRwLock) -> c_int {
    let call = |lock: &Lock| {
        let raised = lock.raw.write_until(Thread, None).map_err(refused)?;
        keep(lock, raised);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Takes the lock for writing, in a thread. Does not sleep.
///
/// EBUSY: another writer holds the lock or waits for its readers, the lock is reserved for a
/// waiter, or its readers do not leave within some microseconds.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_psrw_try_write(lock: *mut PsRwLock) -> c_int {
    let call = |lock: &Lock| {
        let raised = lock.raw.try_write(Thread).ok_or(EBUSY)?;
        keep(lock, raised);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Takes the lock for writing, in a thread, and waits until the deadline at most.
///
/// Deadline, clock, EINVAL and ETIMEDOUT are those of siftlock_rwsem_read_until. EAGAIN: as in
/// siftlock_psrw_read.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_psrw_write_until(
    lock: *mut PsRwLock,
    clock: c_int,
    deadline: *const timespec,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller's promise.
        let deadline = unsafe { Deadline::new(clock, deadline) }?;
        keep(lock, deadline.wait(|until| lock.raw.write_until(Thread, until))?);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Unlocks a thread's write. Handlers that were kept away run then. Does not block.
///
/// EPERM: nobody writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_write_unlock(lock: *mut PsRwLock) -> c_int {
    let call = |lock: &Lock| {
        let raised = writer_raised(lock)?;
        // SAFETY: the caller says that it is the writer, so its write returned this state.
        unsafe { lock.raw.write_unlock(Thread, raised) };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// The state that the write of the writer inside returned.
///
/// # Errors
/// `EPERM`: nobody writes.
pub(super) fn writer_raised(lock: &Lock) -> Result<Raised, c_int> {
    if !lock.raw.has_writer_inside() {
        return Err(EPERM);
    }
    // Relaxed: if the calling thread is the writer, it wrote the state itself.
    Ok(Raised::new(lock.raised.load(Ordering::Relaxed)))
}

/// Keeps the state that the unlock needs. Relaxed: only the writer inside reads it.
pub(super) fn keep(lock: &Lock, raised: Raised) {
    lock.raised.store(raised.state(), Ordering::Relaxed);
}

/// Drops the state of a thread's read, which raises nothing.
fn drop_raised(raised: Raised) {
    debug_assert_eq!(raised, Raised::NOTHING);
}
