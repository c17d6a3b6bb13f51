//! Where one lock stands after another.
//!
//! A lock is destroyed by writing rubble over it: a late write changes the rubble, and a late look
//! finds in it a first waiter whose record does not exist, which the registry reports.

use crate::lock::Lock;
use crate::support::Platform;
use siftlock::context::Thread;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) struct Ground<P>(UnsafeCell<Lock<(), P>>);

// SAFETY: the threads of a test share it by the rules of the functions below.
unsafe impl<P> Sync for Ground<P> {}

impl<P: Platform> Ground<P> {
    /// Unlocked, and the first waiter is one whose record does not exist.
    const RUBBLE: [u64; 2] = [0x3f_ffff << 42, 0xa5a5_a5a5_a5a5_a5a4];

    /// Without a lock.
    pub(crate) fn new() -> Self {
        let ground = Self(UnsafeCell::new(Lock::new(())));
        ground.put(Self::RUBBLE);
        ground
    }

    /// Makes an unlocked lock. No thread can still be in a call of the one before: all have
    /// returned.
    pub(crate) fn build(&self) {
        let found = self.words().each_ref().map(|word| word.load(Ordering::SeqCst));
        assert_eq!(found, Self::RUBBLE, "a thread has written to a lock that was gone");
        self.put([0; 2]);
    }

    /// Takes the lock for writing, so that all others are past the step that lets them out, and
    /// destroys it. Nobody else will come.
    pub(crate) fn destroy(&self) {
        let raised = self.lock().raw().write(Thread);
        self.put(Self::RUBBLE);
        P::restore(raised);
    }

    pub(crate) fn lock(&self) -> &Lock<(), P> {
        // SAFETY: `build` has put a lock there, and it stands until all have been let out of it.
        unsafe { &*self.0.get() }
    }

    /// The lock's word and its list.
    pub(crate) fn words(&self) -> &[AtomicU64; 2] {
        // SAFETY: the lock is two words, all of them atomics.
        unsafe { &*self.0.get().cast() }
    }

    fn put(&self, values: [u64; 2]) {
        let words = self.words().iter();
        words.zip(values).for_each(|(word, value)| word.store(value, Ordering::SeqCst));
    }
}
