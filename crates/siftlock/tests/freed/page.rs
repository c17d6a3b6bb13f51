//! Memory that a lock loses.
//!
//! A lock is destroyed by writing over it values that lead a late look astray, and by taking its
//! page away. A late write changes these values. A late look at the count follows it to a record
//! that does not exist. Any touch of the missing page ends the process.

use crate::support::Platform;
use siftlock::RawRwSem;
use siftlock_core::rwsem::Policy;
use std::ffi::c_int;
use std::io;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

/// The lock with every way to leave it. A write unlock may also give the lock straight to a reader.
pub(crate) type Raw<P> = RawRwSem<Granting, P>;

pub(crate) struct Granting;

impl Policy for Granting {
    type Guards = siftlock_core::rwsem::policy::Local;
}

/// A page for one lock after another.
pub(crate) struct Page<P: Platform> {
    words: *mut [AtomicU64; 3],
    lock: PhantomData<Raw<P>>,
}

// SAFETY: the threads of a test share it by the rules of the functions below.
unsafe impl<P: Platform> Sync for Page<P> {}

impl<P: Platform> Page<P> {
    const SIZE: usize = 4096;
    /// A count that says: free, and the first waiter is one whose record does not exist.
    const NOBODY: u64 = 0xff_ffff << 32 | 0b10;
    const RUBBLE: [u64; 3] = [Self::NOBODY, 0xa5a5_a5a5_a5a5_a5a5, 0xa5a5_a5a5_a5a5_a5a5];

    pub(crate) fn new() -> Self {
        explain_missing_pages();
        assert!(size_of::<Raw<P>>() <= size_of::<[AtomicU64; 3]>());
        let (mode, access) = (libc::MAP_PRIVATE | libc::MAP_ANON, libc::PROT_READ);
        // SAFETY: asks for new memory.
        let page = unsafe { libc::mmap(ptr::null_mut(), Self::SIZE, access, mode, -1, 0) };
        assert_ne!(page, libc::MAP_FAILED, "{}", io::Error::last_os_error());
        let page = Self { words: page.cast(), lock: PhantomData };
        page.allow(libc::PROT_READ | libc::PROT_WRITE);
        page.put(Self::RUBBLE);
        page
    }

    /// Makes an unlocked lock. No thread is still in a call of the lock before: all calls have
    /// returned.
    pub(crate) fn build(&self) {
        self.allow(libc::PROT_READ | libc::PROT_WRITE);
        let found = self.words().each_ref().map(|word| word.load(Ordering::SeqCst));
        assert_eq!(found, Self::RUBBLE, "a thread has written to a lock that was gone");
        self.put([0; 3]);
    }

    /// The caller has the lock for writing, and nobody else will come.
    pub(crate) fn destroy(&self) {
        self.put(Self::RUBBLE);
        self.allow(libc::PROT_NONE);
    }

    pub(crate) fn lock(&self) -> &Raw<P> {
        // SAFETY: `build` has put a lock there, and the lock stands until all threads have been let
        // out of it.
        unsafe { &*self.words.cast() }
    }

    /// The lock's count and what lies behind it.
    pub(crate) fn words(&self) -> &[AtomicU64; 3] {
        // SAFETY: the page is there and large enough.
        unsafe { &*self.words }
    }

    fn put(&self, values: [u64; 3]) {
        let words = self.words().iter();
        words.zip(values).for_each(|(word, value)| word.store(value, Ordering::SeqCst));
    }

    fn allow(&self, access: i32) {
        // SAFETY: the page is ours, and nobody has anything to do with it at this moment, which is
        // what is tested.
        let done = unsafe { libc::mprotect(self.words.cast(), Self::SIZE, access) };
        assert_eq!(done, 0, "{}", io::Error::last_os_error());
    }
}

impl<P: Platform> Drop for Page<P> {
    fn drop(&mut self) {
        // SAFETY: the page is ours, and all threads have ended.
        unsafe { libc::munmap(self.words.cast(), 4096) };
    }
}

/// Installs a handler that explains why a missing page ends the process.
fn explain_missing_pages() {
    extern "C" fn on_fault(_: c_int) {
        const WHY: &str = "memory is touched that is not there: most likely a lock that was gone\n";
        // SAFETY: both calls are for signal handlers.
        unsafe {
            libc::write(libc::STDERR_FILENO, WHY.as_ptr().cast(), WHY.len());
            libc::_exit(1);
        }
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = on_fault as *const () as libc::sighandler_t;
        // SAFETY: the handler fits; a system raises one or the other of the two.
        unsafe {
            libc::signal(libc::SIGSEGV, handler);
            libc::signal(libc::SIGBUS, handler);
        }
    });
}
