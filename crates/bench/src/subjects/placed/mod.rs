//! Locks as the experiments of the 2008 lock drive them: each reader says in which context it
//! reads.
//!
//! These experiments use [`Placed`] as the others use [`Lock`]. Each can stand for the other:
//! [`AtThread`] is a placed lock that only threads use, [`Unplaced`] a lock that knows no contexts.

mod floor;
mod psrw;
mod standard;
mod table;

use siftlock_core::psrw::Context;

use super::Lock;

pub(crate) use self::floor::MaskedLimit;
pub(crate) use self::psrw::{Psrw, Psrw2008};
pub(crate) use self::standard::StandardRwLock;

/// A reader-writer lock that is read from several contexts and written by threads.
///
/// A section runs while the lock is held and must not unwind.
pub(crate) trait Placed: Send + Sync + 'static {
    /// See [`Lock::EXCLUDES`].
    const EXCLUDES: bool = true;

    /// Whether threads that may sleep or lose their processor read it as they are, without being
    /// raised.
    const THREADS: bool = true;

    /// Whether it knows threads that must not sleep. If not, they read as any thread.
    const NON_PREEMPTIBLES: bool = true;

    /// Whether it can be read from a signal handler.
    const HANDLERS: bool = true;

    /// An unlocked lock.
    fn unlocked() -> Self;

    /// Runs `section` with the lock held for reading, from a context of class `C`.
    fn reading<C: Context, T>(&self, at: C, section: impl FnOnce() -> T) -> T;

    /// Runs `section` with the lock held for reading, from a context of class `C`. `None` if the
    /// reader would have to wait for long.
    fn try_reading<C: Context, T>(&self, at: C, section: impl FnOnce() -> T) -> Option<T>;

    /// Runs `section` with the lock held for writing.
    fn writing<T>(&self, section: impl FnOnce() -> T) -> T;

    /// Runs `section` with the lock held for writing. `None` if the writer would have to wait for
    /// long.
    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T>;
}

/// Work that can be done with any placed lock.
pub(crate) trait PlacedVisitor {
    /// The result of the work.
    type Output;

    /// Does the work with a lock of type `L`.
    fn visit<L: Placed>(self) -> Self::Output;
}

/// A placed lock that is used by threads only.
pub(crate) struct AtThread<L>(pub(crate) L);

impl<L: Placed> Lock for AtThread<L> {
    const EXCLUDES: bool = L::EXCLUDES;

    fn unlocked() -> Self {
        Self(L::unlocked())
    }

    #[inline]
    fn reading<T>(&self, section: impl FnOnce() -> T) -> T {
        self.0.reading(siftlock_core::psrw::Thread, section)
    }

    #[inline]
    fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
        self.0.writing(section)
    }

    #[inline]
    fn try_reading<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        self.0.try_reading(siftlock_core::psrw::Thread, section)
    }

    #[inline]
    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        self.0.try_writing(section)
    }
}

/// A lock that masks nothing. No handler may read it: the handler could interrupt the lock's own
/// holder, and wait for the holder for ever. A floor never waits, so a handler may read it.
pub(crate) struct Unplaced<L>(L);

impl<L: Lock> Placed for Unplaced<L> {
    const EXCLUDES: bool = L::EXCLUDES;
    const NON_PREEMPTIBLES: bool = !L::EXCLUDES;
    const HANDLERS: bool = !L::EXCLUDES;

    fn unlocked() -> Self {
        Self(L::unlocked())
    }

    #[inline]
    fn reading<C: Context, T>(&self, _at: C, section: impl FnOnce() -> T) -> T {
        self.0.reading(section)
    }

    #[inline]
    fn try_reading<C: Context, T>(&self, _at: C, section: impl FnOnce() -> T) -> Option<T> {
        self.0.try_reading(section)
    }

    #[inline]
    fn writing<T>(&self, section: impl FnOnce() -> T) -> T {
        self.0.writing(section)
    }

    #[inline]
    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T> {
        self.0.try_writing(section)
    }
}
