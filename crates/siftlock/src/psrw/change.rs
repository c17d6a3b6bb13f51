//! Changing the value as a whole: allocations and frees happen outside of the write section.

use super::{Policy, PsRwLock, PsWriteGuard, Readers, held};
use crate::context::Thread;
use siftlock_core::platform::Platform;
use std::convert::Infallible;
use std::mem;

/// Changing the value as a whole, for locks that threads write: **the way to write a lock that
/// handlers read, wherever the value owns memory.**
impl<T, R: Readers, L: Policy, P: Platform> PsRwLock<T, R, Thread, L, P> {
    /// Writes `value`, and returns the old one, which the caller drops outside of the write
    /// section.
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

    /// Writes what `prepare` makes of the old value, and returns the old value, which the caller
    /// drops outside of the write section.
    ///
    /// No writer comes between the look at the old value and the write of the new one. While
    /// `prepare` runs, threads that want the lock wait, and handlers do not: no signal is put off.
    /// So `prepare` may allocate, and wait for other locks. If it panics, the value stays as it
    /// was.
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
    /// As [`write`](Self::write), and with more than four million threads even if it would not have
    /// to sleep; and if `prepare` panics. If `prepare` reads or writes this lock, debug builds
    /// panic, and release builds wait for ever.
    #[track_caller]
    pub fn update(&self, prepare: impl FnOnce(&T) -> T) -> T {
        let Ok(old) = self.try_update(|old| Ok::<T, Infallible>(prepare(old)));
        old
    }

    /// Does what [`update`](Self::update) does, unless `prepare` fails: then the value stays as it
    /// was.
    ///
    /// ```
    /// use siftlock::PsRwLock;
    ///
    /// static LIMIT: PsRwLock<u32> = PsRwLock::new(7);
    ///
    /// fn set(text: &str) -> Result<u32, std::num::ParseIntError> {
    ///     LIMIT.try_update(|_old| text.parse())
    /// }
    ///
    /// assert!(set("many").is_err());
    /// assert_eq!(set("9"), Ok(7));
    /// assert_eq!(*LIMIT.read(), 9);
    /// ```
    ///
    /// # Errors
    /// The error of `prepare`.
    ///
    /// # Panics
    /// As [`update`](Self::update).
    #[track_caller]
    pub fn try_update<E>(&self, prepare: impl FnOnce(&T) -> Result<T, E>) -> Result<T, E> {
        held::check_write(&self.raw);
        let prepared = self.raw.try_update(Thread, || {
            let _noted = held::Preparing::begin(&self.raw);
            // SAFETY: S1, S5: nobody writes while this thread is the one writer that may.
            prepare(unsafe { &*self.value.get() })
        });
        match prepared {
            Ok(prepared) => prepared
                .map(|(new, raised)| mem::replace(&mut *PsWriteGuard::new(self, raised), new)),
            Err(refused) => panic!("{refused}"),
        }
    }
}
