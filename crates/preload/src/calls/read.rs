//! Reading.

use super::wait_once;
use crate::deadline::Deadline;
use crate::lock::Lock;
use crate::overdue::TURN;
use crate::platform::System;
use crate::probes;
use crate::thread::mine;
use core::hint::cold_path;
use libc::{EAGAIN, EBUSY, EDEADLK, ETIMEDOUT, c_int};
use siftlock_core::rwsem::{Policy, RwSem, SlotRefused};

/// Takes the lock to read.
#[inline]
pub(crate) fn read(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if nested.is_inside() {
        cold_path();
        return read_otherwise(lock, None);
    }
    nested.begin();
    after(lock.sem.read_slot(), |refused| read_next_share(lock, refused))
}

/// Ends the call if this step of a read got in, and makes the next step otherwise. No such step
/// sleeps.
#[inline(always)]
fn after<T, Left>(step: Result<T, Left>, next: impl FnOnce(Left) -> c_int) -> c_int {
    match step {
        Ok(_token) => {
            mine().nested.end();
            0
        }
        Err(left) => next(left),
    }
}

// Each step below is a tail call of the step before it, so the way through saves no registers.

at_line! {
    #[inline(never)]
    fn read_next_share(lock: &Lock, refused: SlotRefused) -> c_int {
        after(lock.sem.read_next_share(refused), |refused| read_other_slot(lock, refused))
    }
}

#[inline(never)]
fn read_other_slot(lock: &Lock, refused: SlotRefused) -> c_int {
    after(lock.sem.read_other_slot(refused).ok_or(()), |()| {
        cold_path();
        mine().nested.end();
        read_otherwise(lock, None)
    })
}

/// Takes the lock to read, and waits until the deadline at most, if there is one.
pub(crate) fn read_until(lock: &Lock, deadline: Result<Option<Deadline>, c_int>) -> c_int {
    match deadline {
        Err(error) => error,
        Ok(deadline) => read_otherwise(lock, deadline.as_ref()),
    }
}

/// Takes the lock to read, off the fast path: the call may wait, has a deadline, or is made by a
/// handler that has interrupted another call.
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

/// For a handler that has interrupted a call. It cannot know what its thread has of the lock:
/// perhaps a share for which a writer waits. So the handler passes that writer, on every kind of
/// lock.
const PASSES_AT_ONCE: bool = true;
const WAITS_FIRST: bool = false;

fn read_as<L: Policy>(
    lock: &Lock,
    sem: &RwSem<System, L>,
    deadline: Option<&Deadline>,
    passes: bool,
) -> c_int {
    if sem.try_read().is_some() {
        return 0;
    }
    if lock.is_mine() {
        return EDEADLK;
    }
    probes::while_reader_waits(lock, || wait_to_read(lock, sem, deadline, passes))
}

#[inline(always)]
fn wait_to_read<L: Policy>(
    lock: &Lock,
    sem: &RwSem<System, L>,
    deadline: Option<&Deadline>,
    passes: bool,
) -> c_int {
    let wait = |end| sem.read_until(end).map(drop);
    if lock.prefers_writers() && !passes {
        return loop {
            if let Some(answer) = wait_once(deadline, None, &wait) {
                break answer;
            }
        };
    }
    // At the deadline the reader tries once more, past waiting writers.
    let at_last = |answer| match answer {
        ETIMEDOUT if sem.try_read_recursive().is_some() => 0,
        _ => answer,
    };
    if !passes && let Some(answer) = wait_once(deadline, Some(TURN), &wait) {
        let answer = at_last(answer);
        if answer != 0 {
            lock.refuse();
        }
        return answer;
    }
    let mut turn = TURN;
    lock.overdue.while_waiting(|| {
        loop {
            if sem.try_read_recursive().is_some() {
                return 0;
            }
            // A writer keeps the reader out. Each wait is twice as long as the last, so a reader
            // that has waited for long keeps its place in the queue for long.
            turn = turn.saturating_mul(2);
            if let Some(answer) = wait_once(deadline, Some(turn), &wait) {
                return at_last(answer);
            }
        }
    })
}

/// Takes the lock to read, unless a writer has it or waits for readers in slots. Where writers go
/// first, the call also fails if the lock is reserved for a waiter.
#[inline]
pub(crate) fn try_read(lock: &Lock) -> c_int {
    let nested = &mine().nested;
    if !nested.is_inside() {
        nested.begin();
        let got_in = try_read_as(lock, &lock.sem);
        nested.end();
        return answer(lock, got_in);
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
    answer(lock, got_in)
}

/// The answer of a try. A refused reader [tells the writer](Lock::refuse).
#[inline(always)]
fn answer(lock: &Lock, got_in: bool) -> c_int {
    if got_in {
        return 0;
    }
    lock.refuse();
    if lock.sem.is_full() { EAGAIN } else { EBUSY }
}

#[inline(always)]
fn try_read_as<L: Policy>(lock: &Lock, sem: &RwSem<System, L>) -> bool {
    sem.try_read().is_some() || !lock.prefers_writers() && sem.try_read_recursive().is_some()
}
