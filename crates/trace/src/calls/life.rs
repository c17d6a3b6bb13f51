//! Locks begin and end.

use crate::inside::Inside;
use crate::next::{self, Place};
use crate::record::Birth;
use crate::registry;
use crate::stacks::Taken;
use libc::{c_int, pthread_rwlockattr_t};

/// Makes a lock of any memory.
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
        let stack = inside.thread.births.spend(Taken::here);
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
