//! The locks that are measured, ours and our peers', behind one small trait.
//!
//! [`Lock`] is generic, never a trait object: each experiment's loop is compiled once for each
//! lock, so that nothing but the lock itself lies between two sections. [`roster`] is the one
//! table that ties a name of the command line to a lock.
//!
//! A mutex takes part as a lock whose read is its lock.

mod busted;
mod counted;
mod floors;
mod guarded;
#[cfg(target_os = "linux")]
mod placed;
#[cfg(unix)]
mod pthread;
mod raw;
mod roster;
mod rwsem;

#[cfg(target_os = "linux")]
pub(crate) use self::placed::{AtThread, Placed, PlacedVisitor};
pub(crate) use self::roster::Subject;
#[cfg(target_os = "linux")]
pub(crate) use self::rwsem::{Eager, Ours};

/// A reader-writer lock as an experiment drives it.
///
/// A section runs while the lock is held and must not unwind: the process would be left with a
/// locked lock, and every thread of the run with it.
pub(crate) trait Lock: Send + Sync + 'static {
    /// Whether the lock promises that a writer is alone. A subject without this promise is a floor,
    /// not a lock, and is not judged.
    const EXCLUDES: bool = true;

    /// Whether each thread gets an instance of its own, so that no line is shared at all.
    const PRIVATE: bool = false;

    /// How many system calls that wake the calling thread has made so far, if the lock counts.
    fn wakes() -> Option<u64> {
        None
    }

    /// An unlocked lock.
    fn unlocked() -> Self;

    /// Runs `section` with the lock held for reading.
    fn reading<T>(&self, section: impl FnOnce() -> T) -> T;

    /// Runs `section` with the lock held for writing.
    fn writing<T>(&self, section: impl FnOnce() -> T) -> T;

    /// Runs `section` with the lock held for reading. `None` at once if the thread would have to
    /// wait.
    fn try_reading<T>(&self, section: impl FnOnce() -> T) -> Option<T>;

    /// Runs `section` with the lock held for writing. `None` at once if the thread would have to
    /// wait.
    fn try_writing<T>(&self, section: impl FnOnce() -> T) -> Option<T>;
}

/// Work that can be done with any lock: how a [`Subject`], known only when the program runs,
/// becomes a type that the compiler knows.
pub(crate) trait Visitor {
    /// The result of the work.
    type Output;

    /// Does the work with a lock of type `L`.
    fn visit<L: Lock>(self) -> Self::Output;
}

/// The part of a subject in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The lock of this project.
    Ours,
    /// Our lock with another policy. It takes part by name only, or where an experiment asks for
    /// it.
    Variant,
    /// A lock that a user would pick instead.
    Peer,
    /// A lock that is read from several contexts, for the experiments of the 2008 lock. In other
    /// experiments it takes part by name only.
    Placed,
    /// A bound that no lock can beat: the same loop without any waiting.
    Floor,
    /// A broken lock, which a run must catch. It is neither listed nor suggested.
    Hidden,
}
