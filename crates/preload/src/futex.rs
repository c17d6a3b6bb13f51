//! Sleeping on a word, private to the process.

use crate::system::call;
use crate::thread::mine;
use core::ptr::{from_ref, null};
use libc::{CLOCK_REALTIME, ETIMEDOUT, c_int, timespec};
use siftlock_core::platform::Instant;
use siftlock_core::sync::AtomicU32;

/// Sleeps while `*word == seen`, at most until `until` on the monotonic clock. May return early.
///
/// If `until` stands for the thread's realtime deadline, the kernel waits by the realtime clock,
/// which may be set meanwhile. When the kernel finds that this deadline is over,
/// [`Mine`](crate::thread::Mine) notes that.
pub(crate) fn wait(word: &AtomicU32, seen: u32, until: Option<Instant>) {
    let mine = mine();
    if until.is_some_and(|until| until.as_nanos() == mine.realtime_ends.get()) {
        let at = mine.realtime.get();
        if wait_until(word, seen, libc::FUTEX_CLOCK_REALTIME, &at) == -ETIMEDOUT as isize {
            mine.is_over.set(true);
        }
        return;
    }
    let at = until.map(|at| timespec {
        tv_sec: (at.as_nanos() / 1_000_000_000).cast_signed(),
        tv_nsec: (at.as_nanos() % 1_000_000_000).cast_signed(),
    });
    wait_until(word, seen, 0, at.as_ref().map_or(null(), from_ref));
}

const _: () = assert!(CLOCK_REALTIME == 0, "the one that the flag means");

fn wait_until(word: &AtomicU32, seen: u32, clock: c_int, at: *const timespec) -> isize {
    let how = libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG | clock;
    let any = libc::FUTEX_BITSET_MATCH_ANY as u32 as usize;
    let args = [
        word.as_ptr().expose_provenance(),
        how as usize,
        seen as usize,
        at.expose_provenance(),
        0,
        any,
    ];
    // The bitset form takes an absolute time. Each error (the word has changed, a signal, the time
    // is over) is a reason to return. SAFETY: the word and the time are valid during the call.
    unsafe { call(libc::SYS_futex, args) }
}

/// Wakes at most so many threads that sleep on `word`.
pub(crate) fn wake(word: &AtomicU32, at_most: c_int) {
    let how = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    let args = [word.as_ptr().expose_provenance(), how as usize, at_most as usize, 0, 0, 0];
    // SAFETY: the kernel looks only at the address.
    unsafe { call(libc::SYS_futex, args) };
}
