//! Unlocking: there is nothing that says what an unlock ends.
//!
//! The order is that of the price: the thread's first slot, its write, its first note where no slot
//! can stand for the read, its second slot, its other slots, its notes, and then all records. Notes
//! come last since one may be left of an earlier lock at this address. What an unlock ends is
//! there, or nobody has the lock.

use crate::lock::{Lock, Noted};
use crate::platform::System;
use crate::thread::mine;
use core::hint::cold_path;
use libc::{EPERM, c_int};
use siftlock_core::rwsem::{NotThere, ToWake};

/// Releases what the calling thread has of the lock, or another thread's read.
#[inline]
pub(crate) fn unlock(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if nested.is_inside() || nested.holds() {
        cold_path();
        return unlock_nested(lock);
    }
    nested.begin();
    // SAFETY: tokens are dropped as soon as they are given.
    after(unsafe { lock.sem.unlock_first_slot() }, || unlock_write_or_note(lock))
}

/// A step of an unlock is made: it was the last, or the next one follows.
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

// The following are calls that end their callers, which therefore save nothing on the way through.

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
    // SAFETY: as above.
    after(unsafe { lock.sem.unlock_first_note() }, || unlock_second_slot(lock))
}

/// Releases the write of the calling thread.
#[inline(always)]
fn unlock_mine(lock: &Lock) {
    lock.name_nobody();
    // SAFETY: it writes.
    unsafe { lock.sem.write_unlock() };
}

#[inline(never)]
fn unlock_second_slot(lock: &Lock) -> c_int {
    // SAFETY: as above.
    after(unsafe { lock.sem.unlock_second_slot() }, || unlock_at_last(lock))
}

#[inline(never)]
fn unlock_at_last(lock: &Lock) -> c_int {
    let answer = unlock_read(lock);
    mine().nested.end();
    answer
}

/// Releases a read, wherever it stands.
#[inline(always)]
fn unlock_read(lock: &Lock) -> c_int {
    // SAFETY: as above.
    if unsafe { lock.sem.unlock_any_slot() || lock.sem.unlock_noted() } {
        return 0;
    }
    cold_path();
    // SAFETY: as above.
    match unsafe { lock.sem.unlock_found() } {
        Ok(()) => 0,
        Err(_) => EPERM,
    }
}

/// By a handler that has interrupted a call, or while one holds a lock so.
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
