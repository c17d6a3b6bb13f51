//! The place where one lock stands after another.
//!
//! A lock is destroyed by writing rubble over it. A late write changes the rubble. A late look
//! finds in it a first waiter whose record does not exist, which the registry reports.

use crate::lock::{Lock, Words};
use crate::support::Platform;
use siftlock::context::Thread;
use std::cell::UnsafeCell;

pub(crate) struct Ground<P>(UnsafeCell<Lock<(), P>>);

// SAFETY: the threads of a test share it by the rules of the functions below.
unsafe impl<P> Sync for Ground<P> {}

impl<P: Platform> Ground<P> {
    /// An unlocked word, with a first waiter whose record does not exist.
    const RUBBLE: (u64, usize) = (0x3f_ffff << 42, 0xa5a5_a5a4);

    /// Without a lock.
    pub(crate) fn new() -> Self {
        let ground = Self(UnsafeCell::new(Lock::with_classes(())));
        ground.words().set(Self::RUBBLE);
        ground
    }

    /// Makes an unlocked lock. No thread is still in a call of the lock before: all calls have
    /// returned.
    pub(crate) fn build(&self) {
        assert_eq!(
            self.words().get(),
            Self::RUBBLE,
            "a thread has written to a lock that was gone"
        );
        self.words().set((0, 0));
    }

    /// Takes the lock for writing, so that all others are past the step that lets them out, and
    /// destroys it. Nobody else will come.
    pub(crate) fn destroy(&self) {
        let raised = self.lock().raw().write(Thread);
        self.words().set(Self::RUBBLE);
        P::restore(raised);
    }

    pub(crate) fn lock(&self) -> &Lock<(), P> {
        // SAFETY: `build` has put a lock there, and the lock stands until all threads have been let
        // out of it.
        unsafe { &*self.0.get() }
    }

    /// The words that lie there, of a lock or of rubble.
    pub(crate) fn words(&self) -> &Words {
        Words::of(self.lock().raw())
    }
}
