//! The lock without data.

use crate::platform::Native;
use crate::policy::Standard;
use crate::{Limit, Policy};
use siftlock_core::platform::Platform;
use siftlock_core::rwsem::{self, ReadToken, Refused};
use std::fmt;

/// The lock of [`RwSem`](crate::RwSem) without data, for use through the traits of
/// [`lock_api`].
///
/// 24 bytes; all zero is unlocked. `L` is its [policy](crate::policy), `P` the
/// [platform](crate::platform).
///
/// The traits do not say why a call was refused, and those of 0.5 have no recursive reads. The
/// lock's own methods have both.
///
/// ```
/// use siftlock::lock_api::RwLock;
/// use siftlock::{RawRwSem, policy};
///
/// // Data under another policy.
/// static LOCK: RwLock<RawRwSem<policy::Patch10>, u32> = RwLock::new(5);
/// *LOCK.write() += 1;
/// assert_eq!(*LOCK.read(), 6);
/// ```
///
/// # Panics
/// A call that takes a share of the lock and cannot refuse panics if 2^23 shares are out. Only
/// leaked guards get there. A read that cannot refuse also panics if its thread reads the lock by
/// slot 1,024 times, and a writer waits for it. The lock stays usable. Any call panics in a thread
/// that comes while 2^24 others use locks.
///
/// # Context
/// All calls are for threads, none for signal handlers. Debug builds report a call that may wait in
/// a handler that [`context`](crate::context) has registered (Linux), or on a thread that is
/// [raised](crate::context).
#[repr(transparent)]
pub struct RawRwSem<L: Policy = Standard, P: Platform = Native> {
    pub(crate) lock: rwsem::RwSem<P, L>,
}

impl<L: Policy, P: Platform> RawRwSem<L, P> {
    /// An unlocked lock.
    #[must_use]
    pub const fn new() -> Self {
        Self { lock: rwsem::RwSem::new() }
    }
}

impl<L: Policy, P: Platform> RawRwSem<L, P> {
    /// Takes the lock for reading, waiting at most as long as `limit` says.
    ///
    /// ```
    /// use siftlock::{RawRwSem, Refused, lock_api::RawRwLock};
    /// use std::time::{Duration, Instant};
    ///
    /// let lock: RawRwSem = RawRwSem::new();
    /// lock.lock_exclusive();
    /// let limit = Duration::from_millis(1);
    /// assert_eq!(lock.read_within(limit).unwrap_err(), Refused::TimedOut);
    /// assert_eq!(lock.write_within(Instant::now()), Err(Refused::TimedOut));
    /// ```
    ///
    /// # Errors
    /// See [`Refused`].
    #[inline]
    #[track_caller]
    pub fn read_within(&self, limit: impl Limit) -> Result<ReadToken<L::Guards>, Refused> {
        // The clock is read only where there is something to wait for, here and in all calls below.
        match self.lock.try_read() {
            Some(token) => Ok(token),
            None => self.lock.read_until(limit.deadline::<P>()),
        }
    }

    /// Takes the lock for reading even if writers wait for it, waiting while a writer has it.
    ///
    /// It is for a thread that has the lock already. A plain read would wait for a writer that
    /// waits for this very thread.
    ///
    /// # Panics
    /// If 2^23 shares are out; or if the thread reads the lock by slot 1,024 times, and a writer
    /// waits for it.
    #[inline]
    #[track_caller]
    pub fn read_recursive(&self) -> ReadToken<L::Guards> {
        self.lock.read_recursive()
    }

    /// Takes the lock for reading even if writers wait for it, unless a writer has it.
    #[inline]
    #[must_use]
    pub fn try_read_recursive(&self) -> Option<ReadToken<L::Guards>> {
        self.lock.try_read_recursive()
    }

    /// Takes the lock for reading even if writers wait for it, waiting at most as long as `limit`
    /// says while a writer has it.
    ///
    /// # Errors
    /// See [`Refused`].
    #[inline]
    #[track_caller]
    pub fn read_recursive_within(
        &self,
        limit: impl Limit,
    ) -> Result<ReadToken<L::Guards>, Refused> {
        match self.lock.try_read_recursive() {
            Some(token) => Ok(token),
            None => self.lock.read_recursive_until(limit.deadline::<P>()),
        }
    }

    /// Takes the lock for writing, waiting at most as long as `limit` says.
    ///
    /// # Errors
    /// [`Refused::TimedOut`].
    #[inline]
    #[track_caller]
    pub fn write_within(&self, limit: impl Limit) -> Result<(), Refused> {
        if self.lock.try_write() { Ok(()) } else { self.lock.write_until(limit.deadline::<P>()) }
    }

    /// Takes the lock for reading, with the right to upgrade, waiting at most as long as `limit`
    /// says.
    ///
    /// # Errors
    /// See [`Refused`].
    #[track_caller]
    pub fn upgradable_within(&self, limit: impl Limit) -> Result<(), Refused> {
        if self.lock.try_upgradable() {
            Ok(())
        } else {
            self.lock.upgradable_until(limit.deadline::<P>())
        }
    }

    /// Turns an upgradable read into a write, waiting at most as long as `limit` says for the other
    /// readers to leave. No writer comes in between.
    ///
    /// # Errors
    /// [`Refused::TimedOut`]: the caller still has its upgradable read.
    ///
    /// # Safety
    /// The caller has the lock by an upgradable read.
    #[track_caller]
    pub unsafe fn upgrade_within(&self, limit: impl Limit) -> Result<(), Refused> {
        // SAFETY: the caller's promise; where the first call fails it still holds.
        unsafe {
            if self.lock.try_upgrade() {
                Ok(())
            } else {
                self.lock.upgrade_until(limit.deadline::<P>())
            }
        }
    }
}

impl<L: Policy, P: Platform> Default for RawRwSem<L, P> {
    fn default() -> Self {
        Self::new()
    }
}

/// Shows whether the lock is held; does not wait.
impl<L: Policy, P: Platform> fmt::Debug for RawRwSem<L, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawRwSem")
            .field("locked", &self.lock.is_locked())
            .field("locked_for_writing", &self.lock.is_locked_for_writing())
            .finish()
    }
}

const _: () = assert!(size_of::<usize>() != 8 || size_of::<RawRwSem>() == 24);
