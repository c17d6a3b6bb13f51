//! What a function answers.

use libc::{EAGAIN, ETIMEDOUT, c_int};
use siftlock_core::Refused;

/// Success, or a value of `errno.h`.
///
/// cbindgen:ignore
pub(crate) type Answer = Result<(), c_int>;

/// As C reads it.
pub(crate) fn number(answer: Answer) -> c_int {
    match answer {
        Ok(()) => 0,
        Err(error) => error,
    }
}

/// Whether a pointer can be one to a value of its type.
pub(crate) fn is_place<T>(place: *const T) -> bool {
    !place.is_null() && place.is_aligned()
}

/// Why the lock was not taken, by POSIX's numbers.
pub(crate) fn refused(why: Refused) -> c_int {
    match why {
        Refused::TimedOut => ETIMEDOUT,
        // Too many of something, which may be fewer later.
        _ => EAGAIN,
    }
}
