//! Writing.

use super::wait_once;
use crate::deadline::Deadline;
use crate::lock::Lock;
use crate::probes;
use crate::system;
use core::hint::cold_path;
use libc::{EBUSY, EDEADLK, c_int};

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

/// Takes the lock to write, and waits until the deadline at most, if there is one.
pub(crate) fn write_until(lock: &Lock, deadline: Result<Option<Deadline>, c_int>) -> c_int {
    match deadline {
        Err(error) => error,
        Ok(deadline) => match try_write(lock) {
            0 => 0,
            _ => write_slow(lock, deadline.as_ref()),
        },
    }
}

#[cold]
#[inline(never)]
fn write_slow(lock: &Lock, deadline: Option<&Deadline>) -> c_int {
    if lock.is_mine() {
        return EDEADLK;
    }
    probes::while_writer_waits(lock, || wait_to_write(lock, deadline))
}

#[inline(always)]
fn wait_to_write(lock: &Lock, deadline: Option<&Deadline>) -> c_int {
    loop {
        let refused = lock.overdue.refused();
        let answer = wait_once(deadline, None, &|end| lock.sem.write_until(end));
        match answer {
            Some(0) => {
                lock.name_me();
                return 0;
            }
            Some(error) => return error,
            // The writer has waited for a reader in a slot for a turn, or the clock was set back.
            None => {
                let now = system::now();
                let ends = deadline.and_then(|deadline| deadline.on_own_clock(now));
                lock.overdue.stand_aside(refused, ends);
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
