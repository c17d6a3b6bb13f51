//! Work that is done once, before the first lock call.

use crate::errno::kept;
use libc::{EINVAL, c_int};
use std::hint::black_box;

/// Prepares the process for locks. Programs need not call it: it runs before main, or when the
/// shared library is loaded.
///
/// Call it where the linker has dropped the constructor of the static library. Until then reads are
/// slower, but correct. One call is enough, and more do no harm.
///
/// May block: for some milliseconds where the process has threads already. Allocates, and opens
/// files.
#[unsafe(no_mangle)]
pub extern "C" fn siftlock_prepare() {
    kept(siftlock::platform::prepare);
}

/// The answer to a pointer at which no lock can be.
///
/// A linker takes an object of a static library only if an object that it took before refers to
/// it. So each function with a lock as its argument refers to `prepare`, through this function: the
/// constructor is in the object of `prepare`. The reference is in the refusal, so no fast path is
/// longer.
#[cold]
#[inline(never)]
pub(crate) fn no_lock() -> c_int {
    black_box(siftlock::platform::prepare as fn());
    EINVAL
}
