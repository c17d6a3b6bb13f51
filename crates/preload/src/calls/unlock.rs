//! Unlocking. The caller does not say whether it ends a read or a write, so an unlock looks for the
//! hold that it ends.
//!
//! It looks at the cheapest places first: the thread's first slot; its write; its first note, if
//! the lock has no bias; its second slot; its other slots; its notes; the records of all threads.
//! A note may be left of an earlier lock at this address. So if a slot may stand for the read, the
//! slots come before the notes. If no place has a hold, nobody has the lock.

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
    if nested.is_inside() || nested.holds() {
        cold_path();
        return unlock_nested(lock);
    }
    nested.begin();
    // SAFETY: no call of this library keeps a token.
    after(unsafe { lock.sem.unlock_first_slot() }, || unlock_write_or_note(lock))
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

#[inline(never)]
fn unlock_write_or_note(lock: &Lock) -> c_int {
    if lock.is_mine() {
        unlock_mine(lock);
        mine().nested.end();
        return 0;
    }
    // SAFETY: no call of this library keeps a token.
    after(unsafe { lock.sem.unlock_first_note() }, || unlock_second_slot(lock))
}

/// Releases the write of the calling thread.
#[inline(always)]
fn unlock_mine(lock: &Lock) {
    lock.name_nobody();
    // SAFETY: the thread has the lock to write.
    unsafe { lock.sem.write_unlock() };
}

#[inline(never)]
fn unlock_second_slot(lock: &Lock) -> c_int {
    // SAFETY: no call of this library keeps a token.
    after(unsafe { lock.sem.unlock_second_slot() }, || unlock_at_last(lock))
}

#[inline(never)]
fn unlock_at_last(lock: &Lock) -> c_int {
    let answer = unlock_read(lock);
    mine().nested.end();
    answer
}

/// Releases a read of the calling thread, or else of another thread.
#[inline(always)]
fn unlock_read(lock: &Lock) -> c_int {
    // SAFETY: no call of this library keeps a token.
    if unsafe { lock.sem.unlock_any_slot() || lock.sem.unlock_noted() } {
        return 0;
    }
    cold_path();
    // SAFETY: no call of this library keeps a token, and no read is upgradable.
    match unsafe { lock.sem.unlock_found() } {
        Ok(()) => 0,
        Err(_) => EPERM,
    }
}

/// Unlocks in a handler that has interrupted a call, or while the thread remembers a share that
/// such a handler took.
#[cold]
#[inline(never)]
fn unlock_nested(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if nested.unlock(lock) {
        return 0;
    }
    let was_inside = nested.is_inside();
    nested.begin();
    let answer = if lock.is_mine() {
        unlock_mine(lock);
        0
    } else {
        unlock_read(lock)
    };
    if !was_inside {
        nested.end();
    }
    answer
}
