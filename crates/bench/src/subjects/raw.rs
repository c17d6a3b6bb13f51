//! Locks with a call to take them and a call to leave them, without a guard between.

use super::Lock;

/// A lock as its own calls. Every raw lock is a [`Lock`].
pub(crate) trait Raw: Send + Sync + 'static {
    /// See [`Lock::EXCLUDES`].
    const EXCLUDES: bool = true;
    /// See [`Lock::PRIVATE`].
    const PRIVATE: bool = false;

    /// An unlocked lock.
    fn unlocked() -> Self;

    /// Takes the lock for reading.
    fn read(&self);

    /// Takes the lock for reading if that needs no waiting, and says whether it did.
    fn try_read(&self) -> bool;

    /// Leaves the lock.
    ///
    /// # Safety
    /// The calling thread holds it for reading, and has not left it yet.
    unsafe fn read_unlock(&self);

    /// Takes the lock for writing.
    fn write(&self);

    /// Takes the lock for writing if that needs no waiting, and says whether it did.
    fn try_write(&self) -> bool;

    /// Leaves the lock.
    ///
    /// # Safety
    /// The calling thread holds it for writing, and has not left it yet.
    unsafe fn write_unlock(&self);
}

impl<R: Raw> Lock for R {
    const EXCLUDES: bool = R::EXCLUDES;
    const PRIVATE: bool = R::PRIVATE;

    fn unlocked() -> Self {
        R::unlocked()
    }

    #[inline]
    fn reading<T>(&self, section: impl FnOnce() -> T) -> T {
        self.read();
        let out = section();
        // SAFETY: taken two lines up by this thread.
        unsafe { self.read_unlock() };
        out
    }

    #[inline]
    fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
        self.write();
        let out = section();
        // SAFETY: taken two lines up by this thread.
        unsafe { self.write_unlock() };
        out
    }

    #[inline]
    fn try_reading<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        if !self.try_read() {
            return None;
        }
        let out = section();
        // SAFETY: the try succeeded, in this thread.
        unsafe { self.read_unlock() };
        Some(out)
    }

    #[inline]
    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        if !self.try_write() {
            return None;
        }
        let out = section();
        // SAFETY: the try succeeded, in this thread.
        unsafe { self.write_unlock() };
        Some(out)
    }
}
