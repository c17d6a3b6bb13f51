//! The answers of the functions, and the check of the pointers that they are given.

use libc::{EAGAIN, ETIMEDOUT, c_int};
use siftlock_core::Refused;

/// Success, or a value of `errno.h`.
///
/// cbindgen:ignore
pub(crate) type Answer = Result<(), c_int>;

/// The answer as C reads it: 0, or the error.
pub(crate) fn number(answer: Answer) -> c_int {
    match answer {
        Ok(()) => 0,
        Err(error) => error,
    }
}

/// Whether a value of its type can be at a pointer: it is neither null nor unaligned.
pub(crate) fn is_place<T>(place: *const T) -> bool {
    !place.is_null() && place.is_aligned()
}

/// The POSIX error for a refusal.
pub(crate) fn refused(why: Refused) -> c_int {
    match why {
        Refused::TimedOut => ETIMEDOUT,
        // Too many readers or threads. A later call may find fewer.
        _ => EAGAIN,
    }
}
