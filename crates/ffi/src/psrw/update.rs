//! Writes that begin or end as a read of the data: updates and downgrades.

use super::thread::{keep, writer_raised};
use super::{Lock, PsRwLock, with};
use crate::answer::refused;
use libc::{EINVAL, c_int, c_void};
use siftlock::context::Thread;

/// Takes the lock for writing, in a thread. Before the write it calls `prepare(argument)`, as soon
/// as no other writer can come in between. So the write finds the data that `prepare` saw.
///
/// Meanwhile handlers go on reading, and threads that ask for the lock wait. So `prepare` may
/// allocate, and take other locks. It reads the data without a call of this lock, and does not
/// change it. It must not leave by an exception, by longjmp or by pthread_exit, nor be cancelled:
/// the lock would stay shut.
///
/// If `prepare` answers 0, the thread writes when this call returns, and siftlock_psrw_write_unlock
/// ends the write. Any other answer of `prepare` is the answer of this call, and the lock is not
/// taken.
///
/// EINVAL: `prepare` is null. EAGAIN: too many threads, as in siftlock_psrw_read, even if the call
/// would not sleep. Then `prepare` is not called.
#[unsafe(no_mangle)]
#[must_use]
pub unsafe extern "C" fn siftlock_psrw_update(
    lock: *mut PsRwLock,
    prepare: Option<unsafe extern "C" fn(argument: *mut c_void) -> c_int>,
    argument: *mut c_void,
) -> c_int {
    let call = |lock: &Lock| {
        let prepare = prepare.ok_or(EINVAL)?;
        // SAFETY: the caller gives a function for this argument.
        let prepared = || match unsafe { prepare(argument) } {
            0 => Ok(()),
            error => Err(error),
        };
        let ((), raised) = lock.raw.try_update(Thread, prepared).map_err(refused)??;
        keep(lock, raised);
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}

/// Turns the calling thread's write into a read. Handlers that were kept away run then. No writer
/// comes in between. Does not block.
///
/// EPERM: nobody writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn siftlock_psrw_downgrade(lock: *mut PsRwLock) -> c_int {
    let call = |lock: &Lock| {
        let raised = writer_raised(lock)?;
        // SAFETY: the caller says that it is the writer, so its write returned this state.
        unsafe { lock.raw.downgrade(raised) };
        Ok(())
    };
    // SAFETY: the caller's promise.
    unsafe { with(lock, call) }
}
