//! The lock under `lock_api` 0.4, which much of the ecosystem still uses: the same [`RawRwSem`]
//! with that version's wrapper and guards.
//!
//! That version has no place for the token by which a read without an atomic step is released, so
//! here every reader is counted: the policy is [`Counted`], and one with a read bias, or with reads
//! that note themselves, does not compile: its guards may end in any thread, which then would have to
//! know where the read is noted. [`RawLocalRwSem`] takes all policies, since its guards stay in their
//! thread.
//!
//! Recursive reads are methods of the wrapper here. When a plain recursive read deadlocks, and all
//! else, is told in the [crate's documentation](crate).
//!
//! ```
//! use siftlock::lock_api_04::RwSem;
//!
//! let lock = RwSem::new(5);
//! let outer = lock.read();
//! let inner = lock.read_recursive();
//! assert_eq!(*outer, *inner);
//! ```

use crate::RawRwSem;
use crate::platform::Native;
use crate::policy::{Counted, Noted};
use siftlock_core::platform::Platform;
use siftlock_core::rwsem::Policy;
use std::fmt;

pub use ::lock_api_04 as lock_api;

/// A value that many threads read, or one writes; see [`crate::RwSem`].
pub type RwSem<T> = lock_api::RwLock<RawRwSem<Counted>, T>;

crate::rwsem::guards!(lock_api, RawRwSem<Counted>);

/// The lock of [`RawRwSem`] with guards that stay in the thread that took them, for any policy.
///
/// The thread knows by what it reads; looking for that makes an unlock dearer than with a token.
///
/// ```
/// use siftlock::lock_api_04::{RawLocalRwSem, lock_api};
///
/// // Nested plain reads, see `policy::Noted`.
/// let lock = lock_api::RwLock::<RawLocalRwSem, _>::new(5);
/// let (outer, inner) = (lock.read(), lock.read());
/// assert_eq!(*outer, *inner);
/// ```
///
/// ```compile_fail,E0277
/// use siftlock::lock_api_04::{RawLocalRwSem, lock_api};
/// let lock = lock_api::RwLock::<RawLocalRwSem, _>::new(5);
/// let guard = lock.read();
/// std::thread::scope(|s| {
///     s.spawn(move || drop(guard));
/// });
/// ```
///
/// # Panics
/// As [`RawRwSem`]; and an unlock by a thread that does not read panics if nobody does. On musl that
/// includes a guard in a `thread_local!`, which may be dropped after the thread has given up what it
/// knew.
#[repr(transparent)]
pub struct RawLocalRwSem<L: Policy = Noted, P: Platform = Native>(RawRwSem<L, P>);

impl<L: Policy, P: Platform> RawLocalRwSem<L, P> {
    /// An unlocked lock.
    #[must_use]
    pub const fn new() -> Self {
        Self(RawRwSem::new())
    }

    #[inline]
    pub(crate) const fn raw(&self) -> &RawRwSem<L, P> {
        &self.0
    }
}

impl<L: Policy, P: Platform> Default for RawLocalRwSem<L, P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: Policy, P: Platform> fmt::Debug for RawLocalRwSem<L, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
