//! Upgradable reads: one thread at a time reads beside others, with the right to write next.

use super::{Lock, RwSem, held_for_writing, with};
use crate::answer::{Answer, refused};
use crate::deadline::Deadline;
use libc::{EBUSY, EPERM, c_int, timespec};

/// Takes the lock for an upgradable read, beside other readers. One thread at a time has such a
/// read, and may turn it into a write. Waits while a writer or another upgradable reader holds the
/// lock, or while other threads wait for it.
///
/// EAGAIN: some eight million reads (2^23) are not unlocked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_upgradable(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| lock.upgradable_until(None).map_err(refused)) }
}

/// Takes the lock for an upgradable read, or answers EBUSY where siftlock_rwsem_upgradable would
/// wait or fail.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_try_upgradable(lock: *mut RwSem) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { with(lock, |lock| if lock.try_upgradable() { Ok(()) } else { Err(EBUSY) }) }
}

/// Takes the lock for an upgradable read, and waits until the deadline at most.
///
/// Deadline, clock and errors are those of siftlock_rwsem_read_until.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_upgradable_until(
    lock: *mut RwSem,
    clock: c_int,
    deadline: *const timespec,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller's promise.
        let deadline = unsafe { Deadline::new(clock, deadline) }?;
        deadline.take(|| lock.try_upgradable().then_some(()), |until| lock.upgradable_until(until))
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Unlocks an upgradable read of the calling thread. Does not block.
///
/// EPERM: nobody has an upgradable read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_upgradable_unlock(lock: *mut RwSem) -> c_int {
    let call = |lock: &Lock| {
        held_upgradable(lock)?;
        // SAFETY: a thread has an upgradable read, and the caller says that it is that thread.
        unsafe { lock.upgradable_unlock() };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Turns the calling thread's upgradable read into a write, and waits for the other readers to
/// leave. No writer comes in between.
///
/// EPERM: nobody has an upgradable read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_upgrade(lock: *mut RwSem) -> c_int {
    let call = |lock: &Lock| {
        held_upgradable(lock)?;
        // SAFETY: a thread has an upgradable read, and the caller says that it is that thread.
        unsafe { lock.upgrade() };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Turns the calling thread's upgradable read into a write, or answers EBUSY if there are other
/// readers. In that case the thread still has its upgradable read.
///
/// EPERM: nobody has an upgradable read.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_try_upgrade(lock: *mut RwSem) -> c_int {
    let call = |lock: &Lock| {
        held_upgradable(lock)?;
        // SAFETY: a thread has an upgradable read, and the caller says that it is that thread.
        if unsafe { lock.try_upgrade() } { Ok(()) } else { Err(EBUSY) }
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Turns the calling thread's upgradable read into a write, and waits until the deadline at most.
///
/// ETIMEDOUT: the deadline has passed, and the thread still has its upgradable read. EPERM: nobody
/// has an upgradable read. Deadline, clock and EINVAL are those of siftlock_rwsem_read_until.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_rwsem_upgrade_until(
    lock: *mut RwSem,
    clock: c_int,
    deadline: *const timespec,
) -> c_int {
    let call = |lock: &Lock| {
        // SAFETY: the caller's promise.
        let deadline = unsafe { Deadline::new(clock, deadline) }?;
        held_upgradable(lock)?;
        // SAFETY: a thread has an upgradable read, and the caller says that it is that thread. An
        // attempt that fails leaves it that read.
        unsafe {
            deadline.take(|| lock.try_upgrade().then_some(()), |until| lock.upgrade_until(until))
        }
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Turns the calling thread's upgradable read into a plain read. Does not block.
///
/// EPERM: nobody has an upgradable read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_downgrade_upgradable(lock: *mut RwSem) -> c_int {
    let call = |lock: &Lock| {
        held_upgradable(lock)?;
        // SAFETY: a thread has an upgradable read, and the caller says that it is that thread.
        let _token = unsafe { lock.downgrade_upgradable() };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Turns the calling thread's write into an upgradable read. No writer comes in between. Does not
/// block.
///
/// EPERM: nobody writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_rwsem_downgrade_to_upgradable(lock: *mut RwSem) -> c_int {
    let call = |lock: &Lock| {
        held_for_writing(lock)?;
        // SAFETY: a writer holds the lock, and the caller says that it is that writer.
        unsafe { lock.downgrade_to_upgradable() };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// `EPERM` unless a thread has an upgradable read. The lock does not know which thread that is.
fn held_upgradable(lock: &Lock) -> Answer {
    if lock.is_locked_upgradable() { Ok(()) } else { Err(EPERM) }
}
