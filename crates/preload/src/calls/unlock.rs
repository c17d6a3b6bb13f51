//! Unlocking. The caller does not say whether it ends a read or a write, so an unlock looks for the
//! hold that it ends.
//!
//! It looks at the cheapest places first: the thread's slots; its write; its notes; the records of
//! all threads. A note may be left of an earlier lock at this address, so slots come before notes.
//! If no place has a hold, nobody has the lock.

use crate::lock::{Lock, Noted};
use crate::platform::System;
use crate::thread::mine;
use core::hint::cold_path;
use libc::{EPERM, c_int};
use siftlock_core::rwsem::{NotThere, ToWake};

/// Releases the calling thread's hold of the lock, or else another thread's read. `EPERM`: there is
/// neither.
#[inline]
pub(crate) fn unlock(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if nested.is_inside() {
        cold_path();
        return unlock_otherwise(lock);
    }
    nested.begin();
    // SAFETY: no call of this library keeps a token.
    after(unsafe { lock.sem.unlock_slot() }, || unlock_write_or_note(lock))
}

/// Ends the call if this step of an unlock released something, and makes the next step otherwise.
#[inline(always)]
fn after(step: Result<ToWake<System, Noted>, NotThere>, next: impl FnOnce() -> c_int) -> c_int {
    match step {
        Ok(waiter) if waiter.is_nobody() => {
            mine().nested.end();
            0
        }
        Ok(waiter) => wake(waiter),
        Err(NotThere) => next(),
    }
}

// Each step below is a tail call of the step before it, so the way through saves no registers.

#[cold]
#[inline(never)]
fn wake(waiter: ToWake<System, Noted>) -> c_int {
    waiter.wake();
    mine().nested.end();
    0
}

at_line! {
    #[inline(never)]
    fn unlock_write_or_note(lock: &Lock) -> c_int {
        if !lock.is_mine() {
            // SAFETY: no call of this library keeps a token.
            return after(unsafe { lock.sem.unlock_note() }, || unlock_at_last(lock));
        }
        lock.name_nobody();
        // SAFETY: the thread has the lock to write.
        if !unsafe { lock.sem.write_unlock_alone() } {
            return unlock_write(lock);
        }
        mine().nested.end();
        0
    }
}

/// Releases the write of the calling thread, which has cleared its name, though others have come.
#[cold]
#[inline(never)]
fn unlock_write(lock: &Lock) -> c_int {
    // SAFETY: the thread has the lock to write.
    let released = unsafe { lock.sem.write_unlock_among_others() };
    mine().nested.end();
    released.map_or(EPERM, |()| 0)
}

#[cold]
#[inline(never)]
fn unlock_at_last(lock: &Lock) -> c_int {
    mine().nested.end();
    unlock_otherwise(lock)
}

/// Unlocks in a handler that has interrupted a call; or ends a share that the thread remembers for
/// such a handler, or a read that no step has found.
#[cold]
#[inline(never)]
fn unlock_otherwise(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if nested.unlock(lock) {
        return 0;
    }
    let was_inside = nested.is_inside();
    nested.begin();
    let answer = if lock.is_mine() {
        lock.name_nobody();
        // SAFETY: the thread has the lock to write.
        unsafe { lock.sem.write_unlock() };
        0
    } else {
        // SAFETY: no call of this library keeps a token, and no read is upgradable.
        unsafe { lock.sem.unlock_found() }.map_or(EPERM, |()| 0)
    };
    if !was_inside {
        nested.end();
    }
    answer
}
