//! The thread's `errno`, which no handler, no end of a raise and no lock call may change.

/// Calls `f`, after which `errno` is as before.
pub(in crate::platform) fn kept<T>(f: impl FnOnce() -> T) -> T {
    // SAFETY: the address of the thread's own `errno`.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    let result = f();
    // SAFETY: as above.
    unsafe { *errno = before };
    result
}
