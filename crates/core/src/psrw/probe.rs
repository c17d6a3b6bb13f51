//! The parts of a lock that a model may set and see, and a user may not.

use super::context::{Context, Readers, Writes};
use super::{Policy, PsRwLock};
use crate::platform::Platform;
use crate::sync::{AtomicU64, Ordering};

/// The words of a lock that nobody uses at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The word.
    pub word: u64,
    /// Whether somebody waits.
    pub has_waiters: bool,
}

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// A lock that is found in some state: with many readers, say, that never leave.
    #[must_use]
    pub fn found(word: u64) -> Self
    where
        W: Writes<R>,
    {
        Self { word: AtomicU64::new(word), ..Self::new() }
    }

    /// The words, to be looked at when all threads are done.
    pub fn snapshot(&self) -> Snapshot {
        // Relaxed: the threads have been joined.
        let word = self.word.load(Ordering::Relaxed);
        Snapshot { word, has_waiters: self.waiters.lock::<P>().first().is_some() }
    }
}
