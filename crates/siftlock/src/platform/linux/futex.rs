//! Sleeping on a word, private to the process.
//!
//! By bare system calls, which are no cancellation points.

use crate::platform::signals::errno::kept;
use siftlock_core::platform::Instant;
use siftlock_core::sync::AtomicU32;
use std::ptr;

/// Sleeps while `*word == seen`, at most until `until` on the monotonic clock. May return early.
pub(super) fn wait(word: &AtomicU32, seen: u32, until: Option<Instant>) {
    let until = until.map(time);
    // Arguments of the types that Miri asks for.
    let timeout = until.as_ref().map_or(ptr::null(), ptr::from_ref).cast::<libc::timespec>();
    // The bitset form takes an absolute time. Errors (the word has changed, a signal, the time is
    // over) are all reasons to return.
    // SAFETY: `word` and `timeout` are valid during the call.
    kept(|| unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG,
            seen,
            timeout,
            ptr::null::<u32>(),
            libc::FUTEX_BITSET_MATCH_ANY.cast_unsigned(),
        )
    });
}

/// Wakes at most `at_most` threads that sleep on `word`.
pub(super) fn wake(word: &AtomicU32, at_most: libc::c_int) {
    // SAFETY: the kernel looks only at the address.
    kept(|| unsafe {
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG,
            at_most,
        )
    });
}

/// A time as this call takes it, which on 32-bit machines is not always the C library's `timespec`.
#[repr(C)]
struct Time {
    seconds: libc::c_long,
    nanoseconds: libc::c_long,
}

/// A moment too late for `Time` becomes the last one that it can hold, which is as good.
fn time(at: Instant) -> Time {
    let nanos = at.as_nanos();
    Time {
        seconds: libc::c_long::try_from(nanos / 1_000_000_000).unwrap_or(libc::c_long::MAX),
        nanoseconds: (nanos % 1_000_000_000) as libc::c_long,
    }
}
