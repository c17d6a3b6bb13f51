//! Changing the value as a whole: allocations and frees happen outside of the write section.

use super::{Policy, PsRwLock, PsWriteGuard, Readers, held};
use crate::context::Thread;
use siftlock_core::platform::Platform;
use std::mem;

/// Changing the value as a whole, for locks that threads write: **the way to write a lock that handlers
/// read, wherever the value owns memory.**
impl<T, R: Readers, L: Policy, P: Platform> PsRwLock<T, R, Thread, L, P> {
    /// Writes `value`, and returns the old one, which the caller drops outside of the write section.
    ///
    /// ```
    /// use siftlock::PsRwLock;
    ///
    /// static MODULES: PsRwLock<Vec<String>> = PsRwLock::new(Vec::new());
    ///
    /// let modules = vec!["main".to_owned(), "libc".to_owned()]; // allocates, out here
    /// let old = MODULES.replace(modules);
    /// drop(old); // frees, out here
    /// assert_eq!(MODULES.read().len(), 2);
    /// ```
    ///
    /// # Panics
    /// As [`write`](Self::write).
    #[track_caller]
    pub fn replace(&self, value: T) -> T {
        mem::replace(&mut *self.write(), value)
    }

    /// Writes what `prepare` makes of the old value, and returns the old value, which the caller drops
    /// outside of the write section.
    ///
    /// No writer comes between the look at the old value and the write of the new one. While `prepare`
    /// runs, threads that want the lock wait, and handlers do not: no signal is put off. So `prepare` may
    /// allocate, and wait for other locks. If it panics, the value stays as it was.
    ///
    /// ```
    /// use siftlock::PsRwLock;
    ///
    /// static MODULES: PsRwLock<Vec<String>> = PsRwLock::new(Vec::new());
    ///
    /// for name in ["main", "libc"] {
    ///     MODULES.update(|old| {
    ///         let mut new = old.clone();
    ///         new.push(name.to_owned());
    ///         new
    ///     });
    /// }
    /// assert_eq!(*MODULES.read(), ["main", "libc"]);
    /// ```
    ///
    /// # Panics
    /// As [`write`](Self::write); and if `prepare` panics. If `prepare` reads or writes this lock, debug
    /// builds panic, and release builds wait for ever.
    #[track_caller]
    pub fn update(&self, prepare: impl FnOnce(&T) -> T) -> T {
        held::check_write(&self.raw);
        let prepared = self.raw.update(Thread, || {
            let _noted = held::Preparing::begin(&self.raw);
            // SAFETY: S1, S5: nobody writes while this thread is the one writer that may.
            prepare(unsafe { &*self.value.get() })
        });
        match prepared {
            Ok((new, raised)) => mem::replace(&mut *PsWriteGuard::new(self, raised), new),
            Err(refused) => panic!("{refused}"),
        }
    }
}
