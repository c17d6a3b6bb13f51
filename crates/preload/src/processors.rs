//! How many threads of this process can run at once, by the affinity mask of the thread that asks.
//! If only one can, no thread spins.

use crate::system::call;
use core::sync::atomic::{AtomicU32, Ordering};

/// The number of processors; 0 = not known yet.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// How many processors a set has room for. The kernel refuses a set that is too small; then this is
/// taken for the number.
const MOST: usize = 8_192;

/// How many threads can run at once.
pub(crate) fn count() -> u32 {
    // Relaxed: a number, and publishes nothing.
    match NUMBER.load(Ordering::Relaxed) {
        0 => ask(),
        number => number,
    }
}

/// Asks the kernel for the number, and stores it.
#[cold]
pub(crate) fn ask() -> u32 {
    let mut set = [0_u64; MOST / 64];
    let place = set.as_mut_ptr().expose_provenance();
    // SAFETY: a place of that size for the calling thread's set.
    let bytes =
        unsafe { call(libc::SYS_sched_getaffinity, [0, size_of_val(&set), place, 0, 0, 0]) };
    let number =
        if bytes > 0 { set.iter().map(|word| word.count_ones()).sum() } else { MOST as u32 };
    let number = number.max(1);
    // Relaxed: a number, and publishes nothing.
    NUMBER.store(number, Ordering::Relaxed);
    number
}
