//! The calls, on locks of this process alone. Each answers 0 or a number of `errno.h`.
//!
//! Which readers pass a waiting writer is told in [`overdue`](crate::overdue), and what a handler does that has
//! interrupted a call in [`nested`](crate::nested).

use crate::deadline::Deadline;
use crate::lock::Lock;
use crate::overdue::TURN;
use crate::platform::System;
use crate::system;
use crate::thread::mine;
use core::hint::cold_path;
use libc::{EAGAIN, EBUSY, EDEADLK, EPERM, ETIMEDOUT, c_int};
use siftlock_core::Refused;
use siftlock_core::platform::Instant;
use siftlock_core::rwsem::{Policy, RwSem};

/// Takes the lock to read.
#[inline]
pub(crate) fn read(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if nested.is_inside() {
        cold_path();
        return read_otherwise(lock, None);
    }
    nested.begin();
    let got_in = lock.sem.try_read().is_some();
    nested.end();
    if got_in {
        return 0;
    }
    cold_path();
    read_otherwise(lock, None)
}

/// Takes the lock to read, until the deadline at most.
pub(crate) fn read_until(lock: &Lock, deadline: Result<Deadline, c_int>) -> c_int {
    match deadline {
        Err(error) => error,
        Ok(deadline) => read_otherwise(lock, Some(&deadline)),
    }
}

/// Waits, or is a handler's call.
#[cold]
#[inline(never)]
fn read_otherwise(lock: &Lock, deadline: Option<&Deadline>) -> c_int {
    let nested = &mine().nested;
    if nested.is_inside() && nested.has_room() {
        let answer = read_as(lock, lock.counted(), deadline, PASSES_AT_ONCE);
        if answer == 0 {
            nested.remember(lock);
        }
        return answer;
    }
    let was_inside = nested.is_inside();
    nested.begin();
    let answer = match lock.prefers_writers() {
        true => read_as(lock, &lock.sem, deadline, WAITS_FIRST),
        false => read_as(lock, lock.passing(), deadline, WAITS_FIRST),
    };
    if !was_inside {
        nested.end();
    }
    answer
}

/// A handler does not know what its thread, inside a call, has of the lock already.
const PASSES_AT_ONCE: bool = true;
const WAITS_FIRST: bool = false;

fn read_as<L: Policy>(
    lock: &Lock,
    sem: &RwSem<System, L>,
    deadline: Option<&Deadline>,
    passes: bool,
) -> c_int {
    let wait = |end| sem.read_until(end).map(drop);
    if sem.try_read().is_some() {
        return 0;
    }
    if lock.is_mine() {
        return EDEADLK;
    }
    if lock.prefers_writers() {
        return loop {
            if let Some(answer) = wait_once(deadline, None, &wait) {
                break answer;
            }
        };
    }
    if !passes && let Some(answer) = wait_once(deadline, Some(TURN), &wait) {
        return answer;
    }
    let mut turn = TURN;
    lock.overdue.while_waiting(|| {
        loop {
            if sem.try_read_recursive().is_some() {
                return 0;
            }
            // A writer is inside. Longer each time: who waits for long keeps its place in the queue for long.
            turn = turn.saturating_mul(2);
            if let Some(answer) = wait_once(deadline, Some(turn), &wait) {
                return answer;
            }
        }
    })
}

/// Takes the lock to read, unless a writer has it, or, where writers go first, one waits.
#[inline]
pub(crate) fn try_read(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if !nested.is_inside() {
        nested.begin();
        let got_in = try_read_as(lock, &lock.sem);
        nested.end();
        return if got_in { 0 } else { EBUSY };
    }
    cold_path();
    try_read_nested(lock)
}

#[cold]
#[inline(never)]
fn try_read_nested(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    let got_in = match nested.is_inside() && nested.has_room() {
        true => try_read_as(lock, lock.counted()) && nested.remember(lock),
        false => try_read_as(lock, &lock.sem),
    };
    if got_in { 0 } else { EBUSY }
}

#[inline(always)]
fn try_read_as<L: Policy>(lock: &Lock, sem: &RwSem<System, L>) -> bool {
    sem.try_read().is_some() || !lock.prefers_writers() && sem.try_read_recursive().is_some()
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
    if lock.is_mine() {
        return EDEADLK;
    }
    loop {
        let answer = wait_once(deadline, None, &|end| lock.sem.write_until(end));
        match answer {
            Some(0) => {
                lock.name_me();
                return 0;
            }
            Some(error) => return error,
            // It has waited for a reader in a slot for a turn, or somebody has set the clock back.
            None => {
                let now = system::now();
                lock.overdue.stand_aside(deadline.and_then(|deadline| deadline.on_own_clock(now)));
            }
        }
    }
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

/// Waits until the deadline, and for a turn of so many nanoseconds at most. `None`: the turn is over.
fn wait_once(
    deadline: Option<&Deadline>,
    turn: Option<u64>,
    wait: &impl Fn(Option<Instant>) -> Result<(), Refused>,
) -> Option<c_int> {
    // The clock is not asked where the wait has no end.
    let turn_ends = turn.map(|turn| system::now().after(turn));
    let ends = deadline.and_then(|deadline| deadline.on_own_clock(system::now()));
    let taken = match (deadline, ends) {
        (Some(deadline), Some(ends)) if turn_ends.is_none_or(|turn| ends <= turn) => {
            deadline.wait(ends, |end| wait(Some(end)))
        }
        _ => wait(turn_ends),
    };
    match taken {
        Ok(()) => Some(0),
        Err(Refused::TimedOut) => deadline.is_some_and(Deadline::is_over).then_some(ETIMEDOUT),
        // Too many of something, which may be fewer later.
        Err(_) => Some(EAGAIN),
    }
}

/// Releases what the calling thread has of the lock, or another thread's read: there is nothing that says which.
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
