//! How many threads of this process can run at once, by the affinity mask. Where it is one, no
//! thread spins.

use crate::system::call;
use core::sync::atomic::{AtomicU32, Ordering};

/// 0: not known.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// So many processors a set has room for. The kernel refuses one that is too small.
const MOST: usize = 8_192;

/// The number.
pub(crate) fn count() -> u32 {
    // Relaxed: a number, and publishes nothing.
    match NUMBER.load(Ordering::Relaxed) {
        0 => ask(),
        number => number,
    }
}

/// Asks once.
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
    // Relaxed: as above.
    NUMBER.store(number, Ordering::Relaxed);
    number
}
