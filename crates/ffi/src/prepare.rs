//! Work that is done once, before the first lock call.

use crate::errno::kept;
use libc::{EINVAL, c_int};
use std::hint::black_box;

/// Prepares the process for locks. Programs need not call it: it runs before main, or when the
/// shared library is loaded.
///
/// Call it where the linker has dropped the constructor of the static library. Until then reads are
/// slower, and still correct. One call is enough, and more do no harm.
///
/// May block: for some milliseconds where the process has threads already. Allocates, and opens
/// files.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_prepare() {
    kept(siftlock::platform::prepare);
}

/// What a call answers that was given no lock.
///
/// A linker takes a part of a static library if a part that it took before names it. So each
/// function that takes a lock names `prepare`, in whose part the constructor is. It does so where
/// it refuses, so no fast path is longer.
#[cold]
#[inline(never)]
pub(crate) fn no_lock() -> c_int {
    black_box(siftlock::platform::prepare as fn());
    EINVAL
}
