//! The calls, measured.
//!
//! The fast path is here: the thread knows the lock, the call is not due, and the lock is free. All
//! else is in `slow`.

mod life;
mod slow;

pub(crate) use self::life::{destroy, init};
pub(crate) use self::slow::Request;

use crate::local;
use crate::next::{self, OfLock, Place};
use core::hint::cold_path;
use libc::c_int;

/// Takes a lock to read or to write. `wait` is the program's own call; `try_it` is the try for the
/// same kind of access.
///
/// With `SIFTS` a try passes waiting writers. So a read that may wait does not try first while a
/// writer waits.
///
/// # Safety
/// The caller gives a valid lock, which no thread destroys meanwhile.
#[inline(always)]
pub(crate) unsafe fn take<const WRITES: bool, const SIFTS: bool>(
    lock: Place,
    try_it: OfLock,
    wait: impl Fn() -> c_int,
) -> c_int {
    let request = || Request { lock, writes: WRITES, sifts: SIFTS, try_it, wait: Some(&wait) };
    if let Some(thread) = local::get()
        && let Some(cell) = thread.known(lock)
        && !cell.is_due()
    {
        // SAFETY: the caller's promise.
        let passes = SIFTS && !WRITES && unsafe { cell.has_waiting_writer() };
        // SAFETY: as above.
        if !passes && unsafe { try_it(lock) } == 0 {
            cell.count(WRITES);
            return 0;
        }
        cold_path();
        // SAFETY: as above.
        return unsafe { request().go_on(thread, cell, &wait) };
    }
    cold_path();
    // SAFETY: as above.
    unsafe { request().begin() }
}

/// Tries to take a lock, as the program asks.
///
/// # Safety
/// As for `take`.
#[inline(always)]
pub(crate) unsafe fn try_take<const WRITES: bool>(lock: Place, try_it: OfLock) -> c_int {
    if let Some(cell) = local::get().and_then(|thread| thread.known(lock))
        && !cell.is_due()
    {
        // SAFETY: the caller's promise, here and below.
        let answer = unsafe { try_it(lock) };
        cell.came(WRITES, answer);
        return answer;
    }
    cold_path();
    let request = Request { lock, writes: WRITES, sifts: false, try_it, wait: None };
    // SAFETY: as above.
    unsafe { request.begin() }
}

/// Releases a lock.
///
/// # Safety
/// As for `take`.
#[inline(always)]
pub(crate) unsafe fn unlock(lock: Place) -> c_int {
    if local::get().is_some_and(|thread| thread.measured.get() != 0) {
        cold_path();
        // SAFETY: the caller's promise.
        return unsafe { slow::unlock(lock) };
    }
    // SAFETY: as above.
    unsafe { next::unlock::get()(lock) }
}
