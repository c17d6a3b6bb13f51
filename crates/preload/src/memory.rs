//! Whether other processes can reach a lock that its program did not declare as shared.
//!
//! POSIX leaves the use of such a lock undefined, and glibc's lock excludes all the same. This lock
//! would not exclude once it is read by slots: a writer in another process does not see them. So
//! before a lock's read bias comes on, the library asks the kernel about the lock's memory. A lock
//! in shared memory is read by shares for ever.
//!
//! **How the library asks**, without a file: by `mremap` of no bytes. For a mapping that processes
//! share, this call makes a second mapping of the same pages, which is given back at once. For a
//! private mapping the kernel refuses the call.
//!
//! **How often.** Once for each lock, and a program may make a lock for a hundred reads. So the
//! questions take a bounded part of the time: after each question the library asks none for
//! [`PAUSE`] times its duration. Until then other locks are read by shares.

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
        // Relaxed: a second question gets the same answer.
        match self.0.load(Ordering::Relaxed) {
            UNKNOWN => self.ask(lock) == PRIVATE,
            known => known == PRIVATE,
        }
    }

    #[cold]
    fn ask(&self, lock: *const ()) -> u32 {
        let now = system::now();
        // Relaxed, all: times, which publish nothing, and an answer that never changes.
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

/// After a question, the library asks none for so many times its duration.
const PAUSE: u64 = 16;

/// The longest duration that counts for a question, in nanoseconds: a longer one is due to
/// preemption.
const MOST: u64 = 100_000;

/// When the next lock may be asked about, in nanoseconds of [`system::now`].
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The bytes of a page; 0 = not known yet.
static PAGE: AtomicUsize = AtomicUsize::new(0);

/// Asks for the size of a page, once.
pub(crate) fn prepare() {
    // SAFETY: looks at a table that the kernel has left to the process.
    let page = unsafe { libc::getauxval(libc::AT_PAGESZ) };
    // Relaxed, here and below: a number.
    PAGE.store(page as usize, Ordering::Relaxed);
}

/// Every answer but a refusal by `EINVAL` means shared: then a lock is read more slowly, and never
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
