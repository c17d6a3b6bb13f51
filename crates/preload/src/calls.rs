//! The calls, on locks of this process alone. Each answers 0 or a number of `errno.h`.
//!
//! # Which readers pass a waiting writer
//! glibc's usual kinds let a thread that reads read again, and some programs need the reads of *other* threads to
//! pass as well, sooner or later: a reader that waits for another thread's read. So a thread that reads the lock passes
//! at once. Any other waits behind the writer for a [turn](FIRST_TURN) and then passes. A writer that has kept new
//! readers out for so long, since it waits for readers in slots, lets them in for a moment. Each turn is twice as
//! long as the one before: those who wait for long keep their place in the queue for long.
//!
//! On a lock of the kind that prefers writers nobody passes after a turn.

use crate::deadline::Deadline;
use crate::lock::Lock;
use crate::system;
use core::hint::cold_path;
use libc::{EAGAIN, EBUSY, EDEADLK, EPERM, ETIMEDOUT, c_int};
use siftlock_core::Refused;
use siftlock_core::platform::Instant;

/// Nanoseconds.
const FIRST_TURN: u64 = 10_000_000;

/// Takes the lock to read.
#[inline]
pub(crate) fn read(lock: &Lock) -> c_int {
    if lock.sem.try_read().is_some() {
        return 0;
    }
    cold_path();
    read_slow(lock, None)
}

/// Takes the lock to read, until the deadline at most.
pub(crate) fn read_until(lock: &Lock, deadline: Result<Deadline, c_int>) -> c_int {
    match deadline {
        Err(error) => error,
        Ok(_) if lock.sem.try_read().is_some() => 0,
        Ok(deadline) => read_slow(lock, Some(&deadline)),
    }
}

#[cold]
#[inline(never)]
fn read_slow(lock: &Lock, deadline: Option<&Deadline>) -> c_int {
    let wait = |end| lock.sem.read_until(end).map(drop);
    let pass = || lock.sem.try_read_recursive().is_some();
    waits(lock, deadline, wait, pass)
}

/// Takes the lock to read, unless a writer has it, or, where writers go first, one waits.
#[inline]
pub(crate) fn try_read(lock: &Lock) -> c_int {
    if lock.sem.try_read().is_some() {
        return 0;
    }
    cold_path();
    let passes = !lock.prefers_writers() && lock.sem.try_read_recursive().is_some();
    if passes { 0 } else { EBUSY }
}

/// Takes the lock to write.
#[inline]
pub(crate) fn write(lock: &Lock) -> c_int {
    if lock.sem.try_write() {
        lock.name_me();
        return 0;
    }
    cold_path();
    write_slow(lock, None)
}

/// Takes the lock to write, until the deadline at most.
pub(crate) fn write_until(lock: &Lock, deadline: Result<Deadline, c_int>) -> c_int {
    match deadline {
        Err(error) => error,
        Ok(deadline) => match try_write(lock) {
            0 => 0,
            _ => write_slow(lock, Some(&deadline)),
        },
    }
}

#[cold]
#[inline(never)]
fn write_slow(lock: &Lock, deadline: Option<&Deadline>) -> c_int {
    let answer = waits(lock, deadline, |end| lock.sem.write_until(end), || false);
    if answer == 0 {
        lock.name_me();
    }
    answer
}

/// Takes the lock to write, if nobody has it and nobody waits for it.
#[inline]
pub(crate) fn try_write(lock: &Lock) -> c_int {
    if !lock.sem.try_write() {
        return EBUSY;
    }
    lock.name_me();
    0
}

/// Waits turn by turn. After each that was in vain the caller may `pass`.
fn waits(
    lock: &Lock,
    deadline: Option<&Deadline>,
    wait: impl Fn(Option<Instant>) -> Result<(), Refused>,
    pass: impl Fn() -> bool,
) -> c_int {
    if lock.is_mine() {
        return EDEADLK;
    }
    let has_turns = !lock.prefers_writers();
    let mut turn = FIRST_TURN;
    loop {
        let now = system::now();
        let turn_ends = has_turns.then(|| now.after(turn));
        let ends = deadline.and_then(|deadline| deadline.on_own_clock(now));
        let taken = match (deadline, ends) {
            (Some(deadline), Some(ends)) if turn_ends.is_none_or(|turn| ends <= turn) => {
                deadline.wait(ends, |end| wait(Some(end)))
            }
            _ => wait(turn_ends),
        };
        match taken {
            Ok(()) => return 0,
            // Too many of something, which may be fewer later.
            Err(refused) if refused != Refused::TimedOut => return EAGAIN,
            Err(_) if has_turns && pass() => return 0,
            Err(_) if deadline.is_some_and(Deadline::is_over) => return ETIMEDOUT,
            Err(_) => turn = turn.saturating_mul(2),
        }
    }
}

/// Releases what the calling thread has of the lock, or another thread's read: there is nothing that says which.
#[inline]
pub(crate) fn unlock(lock: &Lock) -> c_int {
    // SAFETY: tokens are dropped as soon as they are given.
    if unsafe { lock.sem.unlock_first_slot() } {
        return 0;
    }
    if lock.is_mine() {
        lock.name_nobody();
        // SAFETY: it writes.
        unsafe { lock.sem.write_unlock() };
        return 0;
    }
    // SAFETY: as above.
    if unsafe { lock.sem.unlock_noted() } {
        return 0;
    }
    cold_path();
    // SAFETY: as above.
    match unsafe { lock.sem.unlock_found() } {
        Ok(()) => 0,
        Err(_) => EPERM,
    }
}
