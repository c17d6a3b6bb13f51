//! The thread's `errno`, which neither a handler nor the end of a raise may change.

/// Calls `f`, after which `errno` is as before.
pub(super) fn kept<T>(f: impl FnOnce() -> T) -> T {
    // SAFETY: the address of the thread's own `errno`.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    let result = f();
    // SAFETY: as above.
    unsafe { *errno = before };
    result
}
