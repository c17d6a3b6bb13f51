//! Locks begin and end.

use crate::inside::Inside;
use crate::next::{self, Place};
use crate::record::Birth;
use crate::registry;
use crate::stacks::Taken;
use core::sync::atomic::{AtomicU64, Ordering};
use libc::{c_int, pthread_rwlockattr_t};

/// The first locks of a process, up to this number, have the stack that created them, whatever it
/// costs: some ten milliseconds in all. A program makes most of the locks that it keeps early, many
/// at once. Later locks have their stack as the budget allows.
const ALWAYS: u64 = 1000;

static BIRTHS: AtomicU64 = AtomicU64::new(0);

/// Initialises a lock.
///
/// # Safety
/// As `pthread_rwlock_init`.
pub(crate) unsafe extern "C" fn init(
    lock: Place,
    attributes: *const pthread_rwlockattr_t,
) -> c_int {
    // SAFETY: the caller's promise.
    let answer = unsafe { next::init::get()(lock, attributes) };
    if answer == 0
        && let Some(inside) = Inside::enter()
    {
        let births = &inside.thread.births;
        // Relaxed: only the count matters, and nothing is published by it.
        let is_early = BIRTHS.fetch_add(1, Ordering::Relaxed) < ALWAYS;
        let stack = match is_early {
            true => Some(births.overspend(Taken::here)),
            false => births.spend(Taken::here),
        };
        registry::lock().begin(lock.addr(), Birth::Init, stack.as_ref());
    }
    answer
}

/// Ends a lock.
///
/// # Safety
/// As `pthread_rwlock_destroy`.
pub(crate) unsafe extern "C" fn destroy(lock: Place) -> c_int {
    // SAFETY: the caller's promise.
    let answer = unsafe { next::destroy::get()(lock) };
    if answer == 0
        && let Some(_inside) = Inside::enter()
    {
        registry::lock().end(lock.addr());
    }
    answer
}
