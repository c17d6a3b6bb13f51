//! Recursive reads, for which `lock_api` 0.5 has no trait.

use crate::{Policy, RawRwSem};
use lock_api::{RwLock, RwLockReadGuard};
use siftlock_core::platform::Platform;
use siftlock_core::rwsem::ReadToken;
use std::time::{Duration, Instant};

/// Recursive reads of a lock. They pass waiting writers, so a thread that reads already may read
/// again.
///
/// Names and guards are those of `parking_lot` and `lock_api` 0.4. Use them for inner reads only: a
/// stream of recursive reads keeps writers out for ever. Where a caller cannot know whether its
/// read is an inner one, use a [`NotedRwSem`](crate::NotedRwSem), which knows. A thread may read
/// one lock 1,024 times at once; one more may panic while a writer waits for the thread.
///
/// ```
/// use siftlock::{ReadRecursive as _, RwSem};
/// use std::time::Duration;
///
/// let lock = RwSem::new(vec![1, 2]);
/// let outer = lock.read();
/// let inner = lock.read_recursive();
/// assert_eq!(inner.len() + outer.len(), 4);
/// drop((outer, inner));
///
/// let writer = lock.write();
/// assert!(lock.try_read_recursive().is_none());
/// assert!(lock.try_read_recursive_for(Duration::from_millis(1)).is_none());
/// ```
pub trait ReadRecursive {
    /// The guard of a read, recursive or not.
    type Guard<'a>
    where
        Self: 'a;

    /// Takes the lock for reading, waiting while a writer has it, but not for waiting writers. (A
    /// thread that reads already finds no writer inside. Any other that finds one queues as by
    /// `read`.)
    ///
    /// A writer has the lock from the moment when it waits only for readers [by
    /// slot](crate::policy). Then a thread that reads by a slot itself still gets in, and a thread
    /// that holds nothing waits. If a reader by slot in turn waits for such a thread, neither goes
    /// on: use a [`SendRwSem`](crate::SendRwSem), whose readers are all counted.
    ///
    /// # Panics
    /// If 2^23 shares are out, which only leaked guards can bring about; or if the thread has read
    /// the lock 1,024 times, and a writer waits for it.
    #[track_caller]
    fn read_recursive(&self) -> Self::Guard<'_>;

    /// Takes the lock for reading unless a writer has it.
    fn try_read_recursive(&self) -> Option<Self::Guard<'_>>;

    /// [`read_recursive`](Self::read_recursive), or `None` if a writer has the lock for all of
    /// `timeout`. See [`Limit`](crate::Limit).
    fn try_read_recursive_for(&self, timeout: Duration) -> Option<Self::Guard<'_>>;

    /// [`read_recursive`](Self::read_recursive), or `None` if a writer has the lock until
    /// `deadline`. See [`Limit`](crate::Limit).
    fn try_read_recursive_until(&self, deadline: Instant) -> Option<Self::Guard<'_>>;
}

type Lock<L, P, T> = RwLock<RawRwSem<L, P>, T>;

/// Reads by `take`, and makes a guard of the token.
fn guard<L: Policy, P: Platform, T: ?Sized>(
    lock: &Lock<L, P, T>,
    take: impl FnOnce(&RawRwSem<L, P>) -> Option<ReadToken<L::Guards>>,
) -> Option<RwLockReadGuard<'_, RawRwSem<L, P>, T>> {
    // SAFETY: the raw lock is only taken, and the read that was taken goes into a guard.
    let token = take(unsafe { lock.raw() })?;
    // SAFETY: the read was just taken, and has no guard yet.
    Some(unsafe { lock.make_read_guard_unchecked(token) })
}

impl<L: Policy, P: Platform, T: ?Sized> ReadRecursive for Lock<L, P, T> {
    type Guard<'a>
        = RwLockReadGuard<'a, RawRwSem<L, P>, T>
    where
        Self: 'a;

    #[inline]
    #[track_caller]
    fn read_recursive(&self) -> Self::Guard<'_> {
        // SAFETY: as in `guard`.
        let token = unsafe { self.raw() }.read_recursive();
        // SAFETY: as in `guard`.
        unsafe { self.make_read_guard_unchecked(token) }
    }

    #[inline]
    fn try_read_recursive(&self) -> Option<Self::Guard<'_>> {
        guard(self, RawRwSem::try_read_recursive)
    }

    #[inline]
    fn try_read_recursive_for(&self, timeout: Duration) -> Option<Self::Guard<'_>> {
        guard(self, |raw| raw.read_recursive_within(timeout).ok())
    }

    #[inline]
    fn try_read_recursive_until(&self, deadline: Instant) -> Option<Self::Guard<'_>> {
        guard(self, |raw| raw.read_recursive_within(deadline).ok())
    }
}
