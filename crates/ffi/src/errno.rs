//! The caller's errno.

/// Calls `call`, which may change errno, and restores errno afterwards.
pub(crate) fn kept<T>(call: impl FnOnce() -> T) -> T {
    // SAFETY: the place is the calling thread's own.
    let before = unsafe { *libc::__errno_location() };
    let result = call();
    // SAFETY: the place is the calling thread's own.
    unsafe { *libc::__errno_location() = before };
    result
}
