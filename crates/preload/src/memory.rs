//! Whether other processes can reach a lock that its program did not declare as shared.
//!
//! POSIX leaves that undefined, and glibc's lock excludes all the same. Ours would not, once it is
//! read by slots: a writer in another process does not see them. So before a lock's read bias comes
//! on, the kernel is asked about its memory, and such a lock is read by shares for ever.
//!
//! **How it is asked**, without a file: by `mremap` of no bytes. Of a mapping that processes share
//! that makes a second one of the same pages, which is given back at once. Of a private one it is
//! refused.
//!
//! **How often.** Once for each lock, and a program may make a lock for a hundred reads. So it
//! takes a bounded part of the time: after each asking no lock is asked about for [`PAUSE`] times
//! what it took, and is read by shares until then.

use crate::system::{self, call};
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use libc::EINVAL;

const UNKNOWN: u32 = 0;
const PRIVATE: u32 = 1;
const SHARED: u32 = 2;

/// What is known of a lock's memory.
#[repr(transparent)]
pub(crate) struct Memory(AtomicU32);

impl Memory {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(UNKNOWN))
    }

    /// Whether the memory at this address, where the lock is, is known to belong to the process
    /// alone.
    pub(crate) fn is_private(&self, lock: *const ()) -> bool {
        // Relaxed: who asks once more is told the same.
        match self.0.load(Ordering::Relaxed) {
            UNKNOWN => self.ask(lock) == PRIVATE,
            known => known == PRIVATE,
        }
    }

    #[cold]
    fn ask(&self, lock: *const ()) -> u32 {
        let now = system::now();
        // Relaxed, all: times, and as above.
        if now.as_nanos() < NEXT.load(Ordering::Relaxed) {
            return UNKNOWN;
        }
        let known = ask_kernel(lock.addr());
        self.0.store(known, Ordering::Relaxed);
        let then = system::now();
        let took = then.nanos_since(now).min(MOST);
        NEXT.fetch_max(then.after(took * PAUSE).as_nanos(), Ordering::Relaxed);
        known
    }
}

/// After an asking, none for so many times what it took.
const PAUSE: u64 = 16;

/// Nanoseconds: a thread that seems to have asked for longer was stopped meanwhile.
const MOST: u64 = 100_000;

/// When the next lock may be asked about, in nanoseconds of [`system::now`].
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The bytes of a page; 0 = not known yet.
static PAGE: AtomicUsize = AtomicUsize::new(0);

/// Asks for it once.
pub(crate) fn prepare() {
    // SAFETY: looks at a table that the kernel has left to the process.
    let page = unsafe { libc::getauxval(libc::AT_PAGESZ) };
    // Relaxed, here and below: a number.
    PAGE.store(page as usize, Ordering::Relaxed);
}

/// Whatever the kernel does not say means shared: then a lock is read more slowly, and never
/// wrongly.
fn ask_kernel(address: usize) -> u32 {
    let page = PAGE.load(Ordering::Relaxed);
    if page == 0 {
        return UNKNOWN;
    }
    let from = address & !(page - 1);
    let args = [from, 0, page, libc::MREMAP_MAYMOVE as usize, 0, 0];
    // SAFETY: makes a second mapping, or none. The first stays as it is.
    let answer = unsafe { call(libc::SYS_mremap, args) };
    if answer >= 0 {
        // SAFETY: the mapping that was just made, which nobody else knows.
        unsafe { call(libc::SYS_munmap, [answer.cast_unsigned(), page, 0, 0, 0, 0]) };
    }
    if answer == -(EINVAL as isize) { PRIVATE } else { SHARED }
}
