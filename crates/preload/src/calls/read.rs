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
    after(lock.sem.read_first_slot(), |refused| read_next_share(lock, refused))
}

/// A step of a read for which nobody sleeps is made: it got in, or the next one follows.
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

// The following are calls that end their callers, which therefore save nothing on the way through.

#[inline(never)]
fn read_next_share(lock: &Lock, refused: SlotRefused) -> c_int {
    after(lock.sem.read_next_share(refused), |refused| read_second_slot(lock, refused))
}

#[inline(never)]
fn read_second_slot(lock: &Lock, refused: SlotRefused) -> c_int {
    after(lock.sem.read_second_slot(refused), |refused| read_other_slot(lock, refused))
}

#[inline(never)]
fn read_other_slot(lock: &Lock, refused: SlotRefused) -> c_int {
    after(lock.sem.read_other_slot(refused).ok_or(()), |()| {
        cold_path();
        mine().nested.end();
        read_otherwise(lock, None)
    })
}

/// Takes the lock to read, until the deadline at most, if there is one.
pub(crate) fn read_until(lock: &Lock, deadline: Result<Option<Deadline>, c_int>) -> c_int {
    match deadline {
        Err(error) => error,
        Ok(deadline) => read_otherwise(lock, deadline.as_ref()),
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

/// A handler does not know what its thread, inside a call, has of the lock already: perhaps a share
/// for which a waiting writer waits. So it passes that writer, whatever the kind.
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
    // The deadline has come: the reader passes now, or never.
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
            // A writer is inside. Longer each time: who waits for long keeps its place in the queue
            // for long.
            turn = turn.saturating_mul(2);
            if let Some(answer) = wait_once(deadline, Some(turn), &wait) {
                return at_last(answer);
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

/// What a try answers. A reader that is refused says so.
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
