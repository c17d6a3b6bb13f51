//! Access for models, not for users: a lock with a given word, and its words at rest.

use super::context::{Context, Readers, Writes};
use super::{Policy, PsRwLock};
use crate::platform::Platform;
use crate::sync::{AtomicU64, Ordering};

/// The words of a lock that no thread uses at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The word.
    pub word: u64,
    /// Whether the queue has a waiter.
    pub has_waiters: bool,
}

impl<R: Readers, W: Context, L: Policy, P: Platform> PsRwLock<R, W, L, P> {
    /// A lock with this word, for example with many readers that never leave.
    #[must_use]
    pub fn found(word: u64) -> Self
    where
        W: Writes<R>,
    {
        Self { word: AtomicU64::new(word), ..Self::new() }
    }

    /// The words, for a look when all threads are done.
    pub fn snapshot(&self) -> Snapshot {
        // Relaxed: the threads have been joined.
        let word = self.word.load(Ordering::Relaxed);
        Snapshot { word, has_waiters: self.waiters.lock::<P>().first().is_some() }
    }
}
