//! Unlocking: there is nothing that says what an unlock ends.
//!
//! The order is that of the price: the thread's first slot, its write, its other slots, its notes,
//! and then all records. What an unlock ends is there, or nobody has the lock.

use crate::lock::Lock;
use crate::thread::mine;
use core::hint::cold_path;
use libc::{EPERM, c_int};

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
    let released = unsafe { lock.sem.unlock_first_slot() };
    if released {
        nested.end();
        return 0;
    }
    let answer = unlock_otherwise(lock);
    nested.end();
    answer
}

#[inline(always)]
fn unlock_otherwise(lock: &Lock) -> c_int {
    if lock.is_mine() {
        lock.name_nobody();
        // SAFETY: it writes.
        unsafe { lock.sem.write_unlock() };
        return 0;
    }
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
    // SAFETY: as above.
    let answer = if unsafe { lock.sem.unlock_first_slot() } { 0 } else { unlock_otherwise(lock) };
    if !was_inside {
        nested.end();
    }
    answer
}
